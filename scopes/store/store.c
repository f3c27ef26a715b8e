/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/store.c - writes a view.db, the SQLite file of views
 *
 * Nobody reads the file while it is written, so it needs no journal and no
 * locks: one transaction, then fsync, then rename.
 */

#include "scopes/store/store_private.h"

#include "scopes/store/extension_private.h"
#include "scopes/store/sql_private.h"
#include "scopes/store/temporary_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ES__SQL(timebase);

/* Rows that one statement inserts: more save little. */
#define STORE_ROWS 8u

paths_status
es__store_fail(const struct es_store *store, int rc)
{
	int error = store->db == NULL ? 0 : sqlite3_system_errno(store->db);
	const char *file = store->file;

	switch (rc & 0xff) {
	case SQLITE_NOMEM:
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory", file);
	case SQLITE_NOTADB:
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s: not an SQLite database", file);
	case SQLITE_CORRUPT:
		return paths_log_fail(PATHS_EDAMAGED, "%s: damaged", file);
	case SQLITE_FULL:
		return paths_log_fail(PATHS_EFULL, "%s: the disk is full",
		    file);
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
		if (error == ENOSPC || error == EDQUOT)
			return paths_log_fail(PATHS_EFULL, "%s: %s", file,
			    strerror(error));
		return paths_log_fail(PATHS_EIO, "%s: %s", file,
		    error != 0 ? strerror(error) : sqlite3_errstr(rc));
	case SQLITE_ERROR:
		return paths_log_fail(PATHS_EINVAL, "%s: %s", file,
		    sqlite3_errmsg(store->db));
	case SQLITE_CONSTRAINT:
		return paths_log_fail(PATHS_EBUSY, "%s: %s", file,
		    sqlite3_errmsg(store->db));
	default:
		return paths_log_fail(PATHS_EIO, "%s: %s", file,
		    sqlite3_errmsg(store->db));
	}
}

int
es__store_bind(sqlite3_stmt *statement, int at, const struct es_value *value,
    sqlite3_destructor_type copy)
{
	switch (value->kind) {
	case ES_INTEGER:
		return sqlite3_bind_int64(statement, at, value->as.integer);
	case ES_REAL:
		return sqlite3_bind_double(statement, at, value->as.real);
	case ES_TEXT:
		return sqlite3_bind_text(statement, at, value->as.text, -1,
		    copy);
	case ES_BLOB:
		return sqlite3_bind_blob64(statement, at, value->as.blob,
		    value->bytes, copy);
	case ES_NULL:
		break;
	}
	return sqlite3_bind_null(statement, at);
}

struct es_store *
es__store_new(const char *file)
{
	struct es_store *store = calloc(1, sizeof(*store));

	if (store != NULL)
		store->file = strdup(file);
	if (store == NULL || store->file == NULL) {
		free(store);
		return NULL;
	}
	store->lock = -1;
	return store;
}

paths_status
es__store_execute(struct es_store *store, const char *sql)
{
	paths_status st = es__store_flush(store);
	int rc;

	if (st != PATHS_OK)
		return st;
	rc = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
	return rc == SQLITE_OK ? PATHS_OK : es__store_fail(store, rc);
}

/* Sets how a new view.db is written, and creates the table of clocks. */
static paths_status
store_begin(struct es_store *store)
{
	static const char *const statements[] = {
		"PRAGMA page_size = 16384",
		"PRAGMA journal_mode = OFF",
		"PRAGMA synchronous = OFF",
		"PRAGMA locking_mode = EXCLUSIVE",
		"PRAGMA cache_size = -16384",
		"BEGIN",
		es__sql_timebase,
	};
	paths_status st = PATHS_OK;
	char *ids;

	for (size_t n = 0;
	     st == PATHS_OK && n < sizeof(statements) / sizeof(statements[0]);
	     n++)
		st = es__store_execute(store, statements[n]);
	if (st != PATHS_OK)
		return st;
	ids = sqlite3_mprintf(
	    "PRAGMA application_id = %d; PRAGMA user_version = %d",
	    ES_STORE_APPLICATION_ID, ES_STORE_SCHEMA_VERSION);
	st = ids == NULL ? es__store_fail(store, SQLITE_NOMEM) :
			   es__store_execute(store, ids);
	sqlite3_free(ids);
	return st;
}

static paths_status store_sink_row(struct es_sink *self,
    const struct es_table *table, const struct es_value *values);

static paths_status
store_open_new(struct es_store *store)
{
	paths_status st =
	    es__temporary_open(store->file, &store->temporary, &store->lock);
	int rc;

	if (st != PATHS_OK)
		return st;
	/* No other process writes the file, so SQLite takes no locks.  On NFS
	   they would not go together with the lock of es__temporary_open. */
	rc = sqlite3_open_v2(store->temporary, &store->db,
	    SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none");
	if (rc == SQLITE_OK)
		rc = es__extension_register(store->db, true);
	return rc == SQLITE_OK ? store_begin(store) : es__store_fail(store, rc);
}

paths_status
es_store_create(const char *file, struct es_store **store)
{
	struct es_store *s = es__store_new(file);
	paths_status st;

	if (s == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory", file);
	s->sink.row = store_sink_row;
	st = store_open_new(s);
	if (st != PATHS_OK) {
		es_store_close(s);
		return st;
	}
	*store = s;
	return PATHS_OK;
}

static const char *
store_kind_name(enum es_kind kind)
{
	static const char *const names[] = { "", "INTEGER", "REAL", "TEXT",
		"BLOB" };

	return names[kind];
}

/*
 * Returns the statement that creates a table.  Its comments describe the
 * columns; SQLite keeps them, and `.schema` in the sqlite3 shell shows them.
 */
static char *
store_create_sql(sqlite3 *db, const struct es_table *table)
{
	sqlite3_str *sql = sqlite3_str_new(db);

	sqlite3_str_appendf(sql, "CREATE TABLE \"%w\" ( -- %s\n", table->name,
	    table->about);
	for (size_t i = 0; i < table->column_count; i++) {
		const struct es_column *column = &table->columns[i];
		bool last = i + 1 == table->column_count && !table->key;
		char about[ES_COLUMN_ABOUT_BYTES];

		sqlite3_str_appendf(sql, "  \"%w\" %s%s -- %s\n", column->name,
		    store_kind_name(column->kind), last ? "" : ",",
		    es_column_about(column, about));
	}
	if (table->key != NULL)
		sqlite3_str_appendf(sql, "  PRIMARY KEY(%s)\n", table->key);
	sqlite3_str_appendall(sql, ")");
	return sqlite3_str_finish(sql);
}

static char *
store_insert_sql(sqlite3 *db, const struct es_table *table, size_t rows)
{
	sqlite3_str *sql = sqlite3_str_new(db);

	sqlite3_str_appendf(sql, "INSERT INTO \"%w\" VALUES ", table->name);
	for (size_t n = 0; n < rows; n++) {
		sqlite3_str_appendall(sql, n == 0 ? "(" : ",(");
		for (size_t i = 0; i < table->column_count; i++)
			sqlite3_str_appendall(sql, i == 0 ? "?" : ",?");
		sqlite3_str_appendall(sql, ")");
	}
	return sqlite3_str_finish(sql);
}

/* Prepares a statement that inserts rows.  Returns an error code of SQLite. */
static int
store_prepare(struct es_store *store, const struct es_table *table, size_t rows,
    sqlite3_stmt **statement)
{
	char *sql = store_insert_sql(store->db, table, rows);
	int rc = sql == NULL ? SQLITE_NOMEM :
			       sqlite3_prepare_v3(store->db, sql, -1,
				   SQLITE_PREPARE_PERSISTENT, statement, NULL);

	sqlite3_free(sql);
	return rc;
}

/* Creates a table and prepares the statement that inserts its rows. */
static paths_status
store_table(struct es_store *store, const struct es_table *table)
{
	struct es__store_table *slot = &store->tables[store->table_count];
	char *create = store_create_sql(store->db, table);
	int rc = SQLITE_NOMEM;

	*slot = (struct es__store_table){ .table = table };
	if (create != NULL)
		rc = sqlite3_exec(store->db, create, NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = store_prepare(store, table, 1, &slot->insert);
	sqlite3_free(create);
	if (rc != SQLITE_OK)
		return es__store_fail(store, rc);
	store->table_count++;
	return PATHS_OK;
}

paths_status
es_store_view(struct es_store *store, const struct es_view *view)
{
	struct es__store_table *tables = realloc(store->tables,
	    (store->table_count + view->table_count + 1) * sizeof(*tables));
	paths_status st = PATHS_OK;

	if (tables == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
		    store->file);
	store->tables = tables;
	for (size_t i = 0; i < view->table_count && st == PATHS_OK; i++) {
		const struct es_table *table = &view->tables[i];

		if ((table->flags & ES_TABLE_BUILTIN) != 0)
			continue;
		st = table->sql != NULL ? es__store_execute(store, table->sql) :
					  store_table(store, table);
	}
	return st;
}

struct es_sink *
es_store_sink(struct es_store *store)
{
	return &store->sink;
}

/* Searches backwards, because consecutive rows usually go to the table used
   last. */
static struct es__store_table *
store_find(struct es_store *store, const struct es_table *table)
{
	struct es__store_table *tables = store->tables;

	for (size_t i = store->table_count; i-- > 0;) {
		if (tables[i].table == table) {
			return &tables[i];
		}
	}
	return NULL;
}

/* Runs a statement that inserts rows, whose values are given.  Returns an error
   code of SQLite. */
static int
store_insert(sqlite3_stmt *insert, const struct es_value *values, size_t count)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; i < count && rc == SQLITE_OK; i++)
		rc = es__store_bind(insert, (int)i + 1, &values[i],
		    SQLITE_STATIC);
	if (rc == SQLITE_OK)
		(void)sqlite3_step(insert);
	/* sqlite3_reset returns the error of the failed step. */
	return rc == SQLITE_OK ? sqlite3_reset(insert) : rc;
}

/* Inserts the rows of a table that were taken. */
static paths_status
table_flush(struct es_store *store, struct es__store_table *t)
{
	size_t columns = t->table->column_count, count = t->row_count;
	int rc = SQLITE_OK;

	t->row_count = 0;
	if (count == STORE_ROWS) {
		if (t->batch == NULL)
			rc = store_prepare(store, t->table, STORE_ROWS,
			    &t->batch);
		if (rc == SQLITE_OK)
			rc = store_insert(t->batch, t->rows, count * columns);
	} else {
		for (size_t n = 0; n < count && rc == SQLITE_OK; n++)
			rc = store_insert(t->insert, t->rows + n * columns,
			    columns);
	}
	return rc == SQLITE_OK ? PATHS_OK : es__store_fail(store, rc);
}

paths_status
es__store_flush(struct es_store *store)
{
	paths_status st = PATHS_OK;

	for (size_t n = 0; n < store->table_count && st == PATHS_OK; n++)
		if (store->tables[n].row_count > 0)
			st = table_flush(store, &store->tables[n]);
	return st;
}

/* Takes a row without texts and blobs, to insert it together with others: a
   statement for each row takes nearly twice as long. */
static paths_status
table_take(struct es_store *store, struct es__store_table *t,
    const struct es_value *values)
{
	size_t columns = t->table->column_count;

	if (t->rows == NULL)
		t->rows = calloc(STORE_ROWS * columns + 1, sizeof(*t->rows));
	if (t->rows == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
		    store->file);
	memcpy(t->rows + t->row_count * columns, values,
	    columns * sizeof(*values));
	return ++t->row_count < STORE_ROWS ? PATHS_OK : table_flush(store, t);
}

static paths_status
store_sink_row(struct es_sink *self, const struct es_table *table,
    const struct es_value *values)
{
	struct es_store *store = (struct es_store *)self;
	struct es__store_table *t = store_find(store, table);
	/* Errors of a key, and memory of the caller's, are of this moment. */
	bool at_once = table->key != NULL;
	paths_status st;
	int rc;

	if (t == NULL)
		return paths_log_fail(PATHS_ENOENT, "%s: no table %s",
		    store->file, table->name);
	for (size_t i = 0; i < table->column_count; i++) {
		const struct es_column *column = &table->columns[i];

		if (values[i].kind != column->kind && values[i].kind != ES_NULL)
			return paths_log_fail(PATHS_ETYPE,
			    "%s: a value of another kind for %s.%s",
			    store->file, table->name, column->name);
		at_once |=
		    values[i].kind == ES_TEXT || values[i].kind == ES_BLOB;
	}
	if (!at_once)
		return table_take(store, t, values);
	st = table_flush(store, t);
	if (st != PATHS_OK)
		return st;
	rc = store_insert(t->insert, values, table->column_count);
	return rc == SQLITE_OK ? PATHS_OK : es__store_fail(store, rc);
}

/* Closes the database after its statements. */
static int
store_finish(struct es_store *store)
{
	int rc;

	for (size_t i = 0; i < store->table_count; i++) {
		(void)sqlite3_finalize(store->tables[i].insert);
		(void)sqlite3_finalize(store->tables[i].batch);
		free(store->tables[i].rows);
	}
	store->table_count = 0;
	rc = sqlite3_close(store->db);
	store->db = NULL;
	return rc;
}

static paths_status
store_sync(const struct es_store *store, const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);
	int error = fd < 0 || fsync(fd) != 0 ? errno : 0;

	if (fd >= 0)
		(void)close(fd);
	if (error == 0)
		return PATHS_OK;
	return paths_log_fail(error == ENOSPC ? PATHS_EFULL : PATHS_EIO,
	    "%s: %s", store->file, strerror(error));
}

/* Syncs the directory too, so that the rename outlives a power failure. */
static paths_status
store_rename(struct es_store *store)
{
	char *copy = strdup(store->file);
	paths_status st;

	if (copy == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
		    store->file);
	if (rename(store->temporary, store->file) != 0) {
		st = paths_log_fail(PATHS_EIO, "%s: %s", store->file,
		    strerror(errno));
	} else {
		free(store->temporary);
		store->temporary = NULL;
		st = store_sync(store, dirname(copy), O_RDONLY | O_DIRECTORY);
	}
	free(copy);
	return st;
}

paths_status
es_store_commit(struct es_store *store)
{
	paths_status st = es__store_execute(store, "COMMIT");
	int rc;

	if (st == PATHS_OK) {
		rc = store_finish(store);
		st = rc == SQLITE_OK ? PATHS_OK : es__store_fail(store, rc);
	}
	if (st == PATHS_OK)
		st = store_sync(store, store->temporary, O_RDONLY);
	return st == PATHS_OK ? store_rename(store) : st;
}

void
es_store_close(struct es_store *store)
{
	if (store == NULL)
		return;
	(void)store_finish(store);
	if (store->temporary != NULL)
		(void)unlink(store->temporary);
	if (store->lock >= 0)
		(void)close(store->lock);
	free(store->tables);
	free(store->temporary);
	free(store->file);
	free(store);
}
