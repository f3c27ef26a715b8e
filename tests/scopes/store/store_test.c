/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/store/store_test.c - a view.db is written whole, and damage is
 * refused
 */

#include "scopes/store.h"

#include "scopes/rows.h"

#include "libpaths/log.h"

#include "tests/scopes/fail_alloc_private.h"
#include "tests/scopes/sqlite_file_private.h"
#include "tests/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[256];
static char file[300];

static void
begin(void)
{
	const char *top = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/store.XXXXXX",
	    top != NULL && *top != '\0' ? top : "/tmp");
	EXPECT_TRUE(mkdtemp(folder) != NULL);
	snprintf(file, sizeof(file), "%s/view.db", folder);
}

static void
end(void)
{
	(void)unlink(file);
	/* Fails if another file was left. */
	EXPECT_EQ(0, rmdir(folder));
}

static const struct es_column fruit_columns[] = {
	{ "fruit", ES_INTEGER, .about = "id" },
	{ "name", ES_TEXT, .about = "what it is called" },
	{ "weight", ES_REAL, .about = "of one" },
	{ "seed", ES_BLOB, .about = "to grow it" },
};

static const struct es_table fruit_tables[] = {
	{ .name = "fruit",
	    .about = "what grows on trees",
	    .columns = fruit_columns,
	    .column_count = 4,
	    .key = "fruit" },
	{ .name = "heavy",
	    .about = "what hurts",
	    .columns = fruit_columns,
	    .column_count = 4,
	    .sql = "CREATE VIEW heavy AS SELECT * FROM fruit"
		   " WHERE weight > 1" },
};

static const struct es_view fruit = { .name = "fruit",
	.about = "what grows on trees",
	.tables = fruit_tables,
	.table_count = 2 };

static paths_status
put(struct es_store *store, int64_t id, const char *name, double weight)
{
	struct es_sink *sink = es_store_sink(store);

	return sink->row(sink, &fruit_tables[0],
	    (struct es_value[]){ ES_INT(id), ES_STR(name), ES_NUM(weight),
		ES_BIN("\0\1\2", 3) });
}

static void
write_fruit(const char *name)
{
	struct es_store *store;

	EXPECT_OK(es_store_create(file, &store));
	EXPECT_OK(es_store_view(store, &fruit));
	EXPECT_OK(put(store, 1, name, 0.5));
	EXPECT_OK(put(store, 2, "melon", 2.5));
	EXPECT_OK(es_store_commit(store));
	es_store_close(store);
}

/* Expects the first value of a query, which is a text. */
static void
expect_value(const char *want, const char *sql)
{
	struct es_value value;
	struct es_store *store;
	struct es_rows *rows;

	EXPECT_OK(es_store_open(file, &store));
	EXPECT_OK(es_rows_open(store, sql, &rows, NULL));
	EXPECT_OK(es_rows_next(rows));
	es_rows_get(rows, 0, &value);
	EXPECT_EQ(ES_TEXT, value.kind);
	EXPECT_STR_EQ(want, value.as.text);
	EXPECT_EQ(PATHS_ENOENT, es_rows_next(rows));
	es_rows_close(rows);
	es_store_close(store);
}

static unsigned
files_in_folder(void)
{
	DIR *dir = opendir(folder);
	unsigned count = 0;

	EXPECT_TRUE(dir != NULL);
	while (readdir(dir) != NULL)
		count++;
	EXPECT_EQ(0, closedir(dir));
	return count - 2;
}

static void
rows_are_read_as_they_were_inserted(void)
{
	begin();
	write_fruit("apple");
	expect_value("1|apple|0.5|000102",
	    "SELECT fruit || '|' || name || '|'"
	    " || weight || '|' || hex(seed) FROM fruit WHERE fruit = 1");
	expect_value("melon", "SELECT name FROM heavy");
	end();
}

/* The schema describes each column.  A name may be a keyword of SQL. */
static void
the_schema_describes_its_columns(void)
{
	static const struct es_column columns[] = {
		{ "order", ES_INTEGER, .about = "a word of SQL" },
		{ "a \"b\"", ES_INTEGER, .about = "a name with quotes" },
	};
	static const struct es_table table = { .name = "select",
		.about = "a word of SQL",
		.columns = columns,
		.column_count = 2 };
	static const struct es_view view = { .name = "select",
		.about = "a word of SQL",
		.tables = &table,
		.table_count = 1 };
	struct es_store *store;
	struct es_sink *sink;

	begin();
	EXPECT_OK(es_store_create(file, &store));
	EXPECT_OK(es_store_view(store, &view));
	sink = es_store_sink(store);
	EXPECT_OK(
	    sink->row(sink, &table, (struct es_value[]){ ES_INT(1), ES_NIL }));
	EXPECT_OK(es_store_commit(store));
	es_store_close(store);
	expect_value("1",
	    "SELECT CAST(\"order\" AS TEXT) FROM \"select\""
	    " WHERE \"a \"\"b\"\"\" IS NULL");
	expect_value("1",
	    "SELECT CAST(sql LIKE '%-- a name with quotes%'"
	    " AS TEXT) FROM sqlite_schema"
	    " WHERE name = 'select'");
	end();
}

/* Rows without texts are inserted several at a time.  They keep their order,
   also beside rows with texts, and none is missing in the end. */
static void
rows_of_numbers_keep_their_order(void)
{
	static const struct es_table table = { .name = "list",
		.about = "rows with and without a text",
		.columns = fruit_columns,
		.column_count = 2 };
	static const struct es_view view = { .name = "list",
		.about = "rows with and without a text",
		.tables = &table,
		.table_count = 1 };
	struct es_store *store;
	struct es_sink *sink;
	char name[8];

	begin();
	EXPECT_OK(es_store_create(file, &store));
	EXPECT_OK(es_store_view(store, &view));
	sink = es_store_sink(store);
	for (int n = 0; n < 40; n++) {
		snprintf(name, sizeof(name), "%d", n);
		EXPECT_OK(sink->row(sink, &table,
		    (struct es_value[]){ ES_INT(n),
			n % 13 == 12 ? ES_STR(name) : ES_NIL }));
	}
	EXPECT_OK(es_store_commit(store));
	es_store_close(store);
	expect_value("40", "SELECT CAST(count(*) AS TEXT) FROM list");
	expect_value("0",
	    "SELECT CAST(sum(fruit <> rowid - 1) AS TEXT) FROM list");
	expect_value("12,25,38",
	    "SELECT group_concat(name) FROM list WHERE fruit = name");
	end();
}

static void
rows_of_other_tables_or_kinds_are_refused(void)
{
	static const struct es_table strange = { .name = "strange",
		.about = "",
		.columns = fruit_columns,
		.column_count = 1 };
	struct es_store *store;
	struct es_sink *sink;

	begin();
	EXPECT_OK(es_store_create(file, &store));
	EXPECT_OK(es_store_view(store, &fruit));
	EXPECT_EQ(PATHS_EINVAL, es_store_view(store, &fruit));
	sink = es_store_sink(store);
	EXPECT_EQ(PATHS_ETYPE,
	    sink->row(sink, &fruit_tables[0],
		(struct es_value[]){ ES_STR("1"), ES_NIL, ES_NIL, ES_NIL }));
	EXPECT_TRUE(strstr(paths_log_last(), "fruit.fruit") != NULL);
	EXPECT_EQ(PATHS_ENOENT,
	    sink->row(sink, &strange, (struct es_value[]){ ES_INT(1) }));
	EXPECT_OK(put(store, 7, "pear", 0.25));
	EXPECT_EQ(PATHS_EBUSY, put(store, 7, "pear", 0.25));
	es_store_close(store);
	end();
}

/* A reader sees the old file until the new one is whole. */
static void
an_old_file_stays_until_the_new_one_is_whole(void)
{
	struct es_store *store;

	begin();
	EXPECT_OK(es_store_create(file, &store));
	EXPECT_OK(es_store_view(store, &fruit));
	EXPECT_OK(put(store, 1, "plum", 0.1));
	EXPECT_EQ(-1, access(file, F_OK));
	es_store_close(store);
	EXPECT_EQ(0, files_in_folder());

	write_fruit("apple");
	EXPECT_OK(es_store_create(file, &store));
	EXPECT_OK(es_store_view(store, &fruit));
	EXPECT_OK(put(store, 1, "plum", 0.1));
	expect_value("apple", "SELECT name FROM fruit WHERE fruit = 1");
	EXPECT_OK(es_store_commit(store));
	expect_value("plum", "SELECT name FROM fruit WHERE fruit = 1");
	es_store_close(store);
	expect_value("plum", "SELECT name FROM fruit WHERE fruit = 1");
	EXPECT_EQ(1, files_in_folder());
	end();
}

static void
readers_keep_the_file_that_they_opened(void)
{
	struct es_value value;
	struct es_store *old;
	struct es_rows *rows;

	begin();
	write_fruit("apple");
	EXPECT_OK(es_store_open(file, &old));
	write_fruit("plum");
	EXPECT_OK(es_rows_open(old, "SELECT name FROM fruit", &rows, NULL));
	EXPECT_OK(es_rows_next(rows));
	es_rows_get(rows, 0, &value);
	EXPECT_STR_EQ("apple", value.as.text);
	es_rows_close(rows);
	es_store_close(old);
	expect_value("plum", "SELECT name FROM fruit WHERE fruit = 1");
	end();
}

static void
a_folder_without_access_is_named(void)
{
	struct es_store *store;

	EXPECT_EQ(PATHS_EIO,
	    es_store_create("/nonexistent/run/view.db", &store));
	EXPECT_TRUE(
	    strstr(paths_log_last(), "/nonexistent/run/view.db") != NULL);
	EXPECT_TRUE(strstr(paths_log_last(), "No such file") != NULL);
}

/* Inserts rows until one fails, at most about 64 MB. */
static paths_status
fill(struct es_store *store)
{
	static char long_name[4096];
	paths_status st = PATHS_OK;

	memset(long_name, 'x', sizeof(long_name) - 1);
	for (int64_t id = 10; st == PATHS_OK && id < 16384; id++)
		st = put(store, id, long_name, 1.0);
	return st == PATHS_OK ? es_store_commit(store) : st;
}

/* Runs on a small file system.  The exit status is the result. */
static void
fill_small_disk(void)
{
	struct es_store *store;

	if (unshare(CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER)) != 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", folder, "tmpfs", 0, "size=1m") != 0)
		_exit(77);
	write_fruit("apple");
	EXPECT_OK(es_store_create(file, &store));
	EXPECT_OK(es_store_view(store, &fruit));
	EXPECT_EQ(PATHS_EFULL, fill(store));
	EXPECT_TRUE(strstr(paths_log_last(), file) != NULL);
	es_store_close(store);
	EXPECT_EQ(1, files_in_folder());
	expect_value("apple", "SELECT name FROM fruit WHERE fruit = 1");
	_exit(0);
}

/* A full disk is one error, and an old file stays. */
static void
a_full_disk_is_an_error_and_the_old_file_stays(void)
{
	int status;
	pid_t child;

	begin();
	child = fork();
	EXPECT_TRUE(child >= 0);
	if (child == 0)
		fill_small_disk();
	EXPECT_EQ(child, waitpid(child, &status, 0));
	end();
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		TEST_SKIP("no right to mount a small disk");
	EXPECT_EQ(0, status);
}

static void
put_bytes(const void *bytes, size_t size)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	EXPECT_TRUE(fd >= 0);
	EXPECT_EQ((ssize_t)size, write(fd, bytes, size));
	EXPECT_EQ(0, close(fd));
}

static void
expect_refused(paths_status want, const char *why)
{
	struct es_store *store = NULL;

	EXPECT_EQ(want, es_store_open(file, &store));
	EXPECT_TRUE(store == NULL);
	EXPECT_TRUE(strncmp(paths_log_last(), file, strlen(file)) == 0);
	if (strstr(paths_log_last(), why) == NULL)
		EXPECT_STR_EQ(why, paths_log_last());
}

static void
files_that_are_no_view_db_are_refused(void)
{
	begin();
	expect_refused(PATHS_ENOENT, "No such file");
	put_bytes("", 0);
	expect_refused(PATHS_EDAMAGED, "empty");
	put_bytes("This is text, and longer than the head of a database."
		  "....................................................",
	    105);
	expect_refused(PATHS_EDAMAGED, "not an SQLite database");
	EXPECT_EQ(0, unlink(file));
	sqlite_file_run(file, "CREATE TABLE a(b)");
	expect_refused(PATHS_EDAMAGED, "not a database of eventspace");
	EXPECT_EQ(0, unlink(file));
	write_fruit("apple");
	sqlite_file_run(file, "PRAGMA user_version = 99");
	expect_refused(PATHS_EABI, "version 99");
	EXPECT_EQ(0, unlink(file));
	EXPECT_EQ(0, mkdir(file, 0700));
	expect_refused(PATHS_EIO, "not a file");
	EXPECT_EQ(0, rmdir(file));
	end();
}

/* Reads the rows of the tables until the end or an error. */
static void
read_all(void)
{
	struct es_store *store;
	struct es_rows *rows;

	if (es_store_open(file, &store) != PATHS_OK)
		return;
	if (es_rows_open(store, "SELECT * FROM fruit, heavy", &rows, NULL) ==
	    PATHS_OK) {
		while (es_rows_next(rows) == PATHS_OK)
			continue;
		es_rows_close(rows);
	}
	es_store_close(store);
}

/* A file that is cut or changed at any place is read or refused. */
static void
a_damaged_file_is_read_or_refused(void)
{
	struct stat about;

	begin();
	write_fruit("apple");
	EXPECT_EQ(0, stat(file, &about));
	for (off_t at = 0; at < about.st_size; at += 997) {
		int fd = open(file, O_RDWR);

		EXPECT_TRUE(fd >= 0);
		EXPECT_EQ(4, pwrite(fd, "\377\377\377\377", 4, at));
		EXPECT_EQ(0, close(fd));
		read_all();
	}
	EXPECT_EQ(0, unlink(file));
	write_fruit("apple");
	for (off_t size = about.st_size - 100; size > 0; size -= 4999) {
		EXPECT_EQ(0, truncate(file, size));
		read_all();
	}
	end();
}

static void
expect_not_run(struct es_store *store, paths_status want, const char *sql)
{
	struct es_rows *rows = NULL;

	EXPECT_EQ(want, es_rows_open(store, sql, &rows, NULL));
	EXPECT_TRUE(rows == NULL);
	EXPECT_TRUE(paths_log_last()[0] != '\0');
}

static void
statements_that_write_are_refused(void)
{
	struct es_store *store;
	struct es_rows *rows;
	const char *rest;
	char sql[400];

	begin();
	write_fruit("apple");
	EXPECT_OK(es_store_open(file, &store));
	expect_not_run(store, PATHS_EINVAL, "DELETE FROM fruit");
	expect_not_run(store, PATHS_EINVAL, "CREATE TABLE a(b)");
	expect_not_run(store, PATHS_EINVAL, "PRAGMA user_version = 7");
	snprintf(sql, sizeof(sql), "VACUUM INTO '%s/copy'", folder);
	expect_not_run(store, PATHS_EINVAL, sql);
	snprintf(sql, sizeof(sql), "ATTACH '%s/new' AS other", folder);
	EXPECT_OK(es_rows_open(store, sql, &rows, NULL));
	EXPECT_EQ(PATHS_EIO, es_rows_next(rows));
	es_rows_close(rows);
	expect_not_run(store, PATHS_ESYNTAX, "SELECT FROM WHERE");
	expect_not_run(store, PATHS_EINVAL, "SELECT 1; SELECT 2");
	EXPECT_OK(es_rows_open(store, " SELECT 1; SELECT 2", &rows, &rest));
	EXPECT_STR_EQ("SELECT 2", rest);
	es_rows_close(rows);
	EXPECT_OK(es_rows_open(store, " -- nothing\n", &rows, NULL));
	EXPECT_TRUE(rows == NULL);
	es_store_close(store);
	EXPECT_EQ(1, files_in_folder());
	end();
}

static void
parameters_are_bound_by_name(void)
{
	const struct es_value values[] = { ES_INT(INT64_MAX), ES_NUM(0.5),
		ES_STR("a"), ES_BIN("\0b", 2), ES_NIL };
	static const char *const names[] = { "i", "r", "t", "b", "n" };
	struct es_value value;
	struct es_store *store;
	struct es_rows *rows;

	begin();
	write_fruit("apple");
	EXPECT_OK(es_store_open(file, &store));
	EXPECT_OK(es_rows_open(store,
	    "SELECT quote(:i)||quote(@r)||quote($t)||quote(:b)||quote(:n)"
	    " ||quote(:i)||quote(@i)||quote(:unbound)",
	    &rows, NULL));
	for (size_t n = 0; n < 5; n++)
		EXPECT_OK(es_rows_bind(rows, names[n], &values[n]));
	EXPECT_OK(es_rows_bind(rows, "no_such_name", &values[0]));
	EXPECT_OK(es_rows_next(rows));
	es_rows_get(rows, 0, &value);
	EXPECT_STR_EQ("92233720368547758070.5'a'X'0062'NULL"
		      "92233720368547758079223372036854775807NULL",
	    value.as.text);
	EXPECT_EQ(PATHS_EINVAL, es_rows_bind(rows, "i", &values[1]));
	es_rows_close(rows);
	es_store_close(store);
	end();
}

static paths_status
try_to_write(void)
{
	struct es_store *store;
	paths_status st = es_store_create(file, &store);

	if (st != PATHS_OK)
		return st;
	st = es_store_view(store, &fruit);
	if (st == PATHS_OK)
		st = put(store, 1, "plum", 0.5);
	if (st == PATHS_OK)
		st = es_store_commit(store);
	es_store_close(store);
	return st;
}

static paths_status
try_to_read(void)
{
	struct es_store *store;
	struct es_value value;
	struct es_rows *rows;
	paths_status st = es_store_open(file, &store);

	if (st != PATHS_OK)
		return st;
	st = es_rows_open(store, "SELECT name FROM fruit ORDER BY weight",
	    &rows, NULL);
	if (st == PATHS_OK) {
		while ((st = es_rows_next(rows)) == PATHS_OK)
			es_rows_get(rows, 0, &value);
		st = st == PATHS_ENOENT ? PATHS_OK : st;
		es_rows_close(rows);
	}
	es_store_close(store);
	return st;
}

/* Fails each allocation in turn: the error is reported, and no file is left. */
static void
a_failed_allocation_is_reported(void)
{
	paths_status st = PATHS_OK;
	bool failed = true;

	begin();
	write_fruit("apple");
	fail_begin();
	for (long n = 0; failed; n++) {
		fail_in = n;
		st = try_to_write();
		failed = fail_in < 0;
		fail_in = -1;
		EXPECT_TRUE(st == PATHS_OK || st == PATHS_ENOMEM);
		EXPECT_EQ(1, files_in_folder());
		EXPECT_OK(try_to_read());
	}
	EXPECT_OK(st);
	failed = true;
	for (long n = 0; failed; n++) {
		fail_in = n;
		st = try_to_read();
		failed = fail_in < 0;
		fail_in = -1;
		EXPECT_TRUE(st == PATHS_OK || st == PATHS_ENOMEM);
	}
	EXPECT_OK(st);
	fail_end();
	end();
}

/* SQLite created view.db-shm and view.db-wal beside such a file. */
static void
nothing_is_written_beside_a_file_with_a_log(void)
{
	begin();
	write_fruit("apple");
	sqlite_file_run(file, "PRAGMA journal_mode = WAL");
	expect_value("apple", "SELECT name FROM fruit WHERE fruit = 1");
	end();
}

static void
a_name_may_have_any_character(void)
{
	begin();
	snprintf(file, sizeof(file), "%s/a%%20b?mode=rwc#c d.db", folder);
	write_fruit("apple");
	expect_value("apple", "SELECT name FROM fruit WHERE fruit = 1");
	end();
}

/* Expects an error with this text when a query runs. */
static void
expect_failure(const char *why, const char *sql)
{
	struct es_store *store;
	struct es_rows *rows;

	EXPECT_OK(es_store_open(file, &store));
	if (es_rows_open(store, sql, &rows, NULL) == PATHS_OK) {
		EXPECT_TRUE(es_rows_next(rows) != PATHS_OK);
		es_rows_close(rows);
	}
	if (strstr(paths_log_last(), why) == NULL)
		EXPECT_STR_EQ(why, paths_log_last());
	es_store_close(store);
}

static void
a_schema_has_no_other_virtual_tables(void)
{
	begin();
	write_fruit("apple");
	sqlite_file_run(file,
	    "PRAGMA writable_schema = ON;"
	    "INSERT INTO sqlite_schema VALUES ('table', 'pages', 'pages',"
	    " 0, 'CREATE VIRTUAL TABLE pages USING dbstat');"
	    "CREATE VIEW loaded AS SELECT load_extension('evil.so')");
	expect_failure("no such module: dbstat", "SELECT * FROM pages");
	expect_failure("unsafe use of load_extension()",
	    "SELECT * FROM loaded");
	expect_value("2",
	    "SELECT CAST(value AS TEXT)"
	    " FROM json_each('[2]')");
	end();
}

/* A child is killed while it writes a file. */
static void
leave_temporary(void)
{
	pid_t child = fork();

	if (child == 0) {
		struct es_store *store;

		if (es_store_create(file, &store) == PATHS_OK)
			(void)raise(SIGKILL);
		_exit(1);
	}
	EXPECT_TRUE(child > 0);
	EXPECT_EQ(child, waitpid(child, NULL, 0));
}

static void
a_file_that_a_killed_process_left_is_removed(void)
{
	begin();
	leave_temporary();
	EXPECT_EQ(1, files_in_folder());
	write_fruit("apple");
	EXPECT_EQ(1, files_in_folder());
	expect_value("apple", "SELECT name FROM fruit WHERE fruit = 1");
	end();
}

/* Two stores of this process have the same process id, as two processes of
   different hosts may have. */
static void
two_writers_do_not_disturb_each_other(void)
{
	struct es_store *first, *second;

	begin();
	EXPECT_OK(es_store_create(file, &first));
	EXPECT_OK(es_store_create(file, &second));
	EXPECT_OK(es_store_view(first, &fruit));
	EXPECT_OK(es_store_view(second, &fruit));
	EXPECT_OK(put(first, 1, "apple", 0.5));
	EXPECT_OK(put(second, 1, "plum", 0.1));
	EXPECT_OK(es_store_commit(first));
	es_store_close(first);
	expect_value("apple", "SELECT name FROM fruit WHERE fruit = 1");
	EXPECT_OK(es_store_commit(second));
	es_store_close(second);
	expect_value("plum", "SELECT name FROM fruit WHERE fruit = 1");
	EXPECT_EQ(1, files_in_folder());
	end();
}

/* Locks the temporary file of this process, as NFS does by flock(2): there it
   is a lock of all bytes by another owner than that of fcntl(2). */
static int
lock_temporary(void)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char name[sizeof(file) + 32];
	int fd;

	snprintf(name, sizeof(name), "%s.tmp-%ld", file, (long)getpid());
	fd = open(name, O_RDWR);
	EXPECT_TRUE(fd >= 0);
	EXPECT_EQ(0, fcntl(fd, F_OFD_SETLK, &all));
	return fd;
}

static void
the_lock_of_a_writer_does_not_disturb_itself(void)
{
	struct es_store *store;
	int fd;

	begin();
	EXPECT_OK(es_store_create(file, &store));
	fd = lock_temporary();
	EXPECT_OK(es_store_view(store, &fruit));
	EXPECT_OK(put(store, 1, "apple", 0.5));
	EXPECT_OK(es_store_commit(store));
	es_store_close(store);
	close(fd);
	expect_value("apple", "SELECT name FROM fruit WHERE fruit = 1");
	end();
}

static void
a_value_has_a_limit(void)
{
	begin();
	write_fruit("apple");
	sqlite_file_run(file,
	    "CREATE VIEW vast AS SELECT hex(zeroblob(33554433)) AS a");
	expect_failure("string or blob too big", "SELECT a FROM vast");
	end();
}

TEST_MAIN(rows_are_read_as_they_were_inserted, the_schema_describes_its_columns,
    rows_of_numbers_keep_their_order, rows_of_other_tables_or_kinds_are_refused,
    an_old_file_stays_until_the_new_one_is_whole,
    readers_keep_the_file_that_they_opened, a_folder_without_access_is_named,
    a_full_disk_is_an_error_and_the_old_file_stays,
    files_that_are_no_view_db_are_refused, a_damaged_file_is_read_or_refused,
    statements_that_write_are_refused, parameters_are_bound_by_name,
    nothing_is_written_beside_a_file_with_a_log, a_name_may_have_any_character,
    a_schema_has_no_other_virtual_tables, a_value_has_a_limit,
    a_file_that_a_killed_process_left_is_removed,
    two_writers_do_not_disturb_each_other,
    the_lock_of_a_writer_does_not_disturb_itself,
    a_failed_allocation_is_reported)
