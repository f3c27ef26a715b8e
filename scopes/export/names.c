/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/names.c - names of events, communicators and call sites
 */

#include "scopes/export/names_private.h"

#include "scopes/export/value_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Key of a name: tuples with equal keys have the same name. */
struct key {
	const struct es__export_type *type;
	int64_t op, element; /* -1: none */
	uint32_t name;
};

static int
key_order(const void *left, const void *right)
{
	const struct key *a = left, *b = right;

	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	if (a->op != b->op)
		return a->op < b->op ? -1 : 1;
	return (a->element > b->element) - (a->element < b->element);
}

static const char *
key_text(struct es__export *export, const struct key *key)
{
	const char *op = es__export_value_op(key->type, key->op);
	const char *element =
	    key->element >= 0 ? export->map->elements[key->element].name : "";
	const char *blank = key->element >= 0 ? " " : "";

	if (op != NULL)
		return es__export_texts_add(&export->names, "%s%s%s", op, blank,
		    element);
	if (key->op < 0)
		return es__export_texts_add(&export->names, "%s",
		    key->type->type->name);
	return es__export_texts_add(&export->names, "%s %" PRId64 "%s%s",
	    key->type->type->name, key->op, blank, element);
}

/* Returns the number of the name of a key, and adds the name if it is new.
   Returns 0 when out of memory, which ends the export. */
static uint32_t
key_name(struct es__export *export, const struct key *wanted)
{
	struct key **found = tfind(wanted, &export->name_keys, key_order);
	struct key *key;

	if (found != NULL)
		return (*found)->name;
	key = malloc(sizeof(*key));
	if (key != NULL) {
		*key = *wanted;
		key->name = export->names.count;
		if (key_text(export, key) != NULL &&
		    tsearch(key, &export->name_keys, key_order) != NULL)
			return key->name;
		free(key);
	}
	export->st = paths_log_fail(PATHS_ENOMEM, "no memory for names");
	return 0;
}

uint32_t
es__export_names_find(struct es__export *export,
    const struct es__export_type *type, const void *tuple,
    struct es__export_last_name *last)
{
	struct key key = { .type = type, .op = -1, .element = -1 };

	if (type->op != NULL)
		key.op = es__export_value_load(type->op, tuple);
	if (type->element != NULL)
		key.element = es__export_value_load(type->element, tuple);
	if (key.element >= export->map->element_count)
		key.element = -1;
	if (last->name < 0 || key.op != last->op ||
	    key.element != last->element) {
		last->op = key.op;
		last->element = key.element;
		last->name = key_name(export, &key);
	}
	return (uint32_t)last->name;
}

/* Adds a name for each communicator: the name that the program set, and its
   number, because names are not unique. */
static paths_status
comms_name(struct es__export *export)
{
	const struct es_mpi_comm_def *comm;
	const char *text = "";

	for (uint32_t n = 0;
	     text != NULL && (comm = es_mpi_comm(export->mpi, n)) != NULL;
	     n++) {
		if (n == ES_MPI_RUN_WORLD)
			text = es__export_texts_add(&export->comms,
			    "MPI_COMM_WORLD");
		else if (n == ES_MPI_RUN_SELF)
			text = es__export_texts_add(&export->comms,
			    "MPI_COMM_SELF");
		else if (comm->name[0] == '\0')
			text = es__export_texts_add(&export->comms,
			    "comm %" PRIu32, n);
		else
			text = es__export_texts_add(&export->comms,
			    "%s (%" PRIu32 ")", comm->name, n);
	}
	return text == NULL ? PATHS_ENOMEM : PATHS_OK;
}

/* Receiver of the rows of the table mpi_site, in the order of their ids; adds
   a text for each. */
struct site_sink {
	struct es_sink sink; /* first member: site_row casts from it */
	struct es__export *export;
};

enum { SITE, FUNCTION, FILE_NAME, LINE, MODULE, OFFSET };

static const char *
behind_slash(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

/* Adds the name of a call site as eventspace show prints it:
   function@file:line, or function@module+offset. */
static const char *
site_add(struct es__export_texts *texts, const struct es_value *row)
{
	bool named = row[FUNCTION].kind == ES_TEXT;
	const char *function = named ? row[FUNCTION].as.text : "";
	const char *at = named ? "@" : "";

	if (row[FILE_NAME].kind == ES_TEXT && row[LINE].kind == ES_INTEGER)
		return es__export_texts_add(texts, "%s%s%s:%" PRId64, function,
		    at, behind_slash(row[FILE_NAME].as.text),
		    row[LINE].as.integer);
	if (row[FILE_NAME].kind == ES_TEXT)
		return es__export_texts_add(texts, "%s%s%s", function, at,
		    behind_slash(row[FILE_NAME].as.text));
	if (row[MODULE].kind == ES_TEXT)
		return es__export_texts_add(texts, "%s%s%s+0x%" PRIx64,
		    function, at, behind_slash(row[MODULE].as.text),
		    row[OFFSET].as.integer);
	return es__export_texts_add(texts, "site %" PRId64,
	    row[SITE].as.integer);
}

/* Keeps the file and the line of the next site; row NULL: not known. */
static paths_status
source_add(struct es__export *export, const struct es_value *row)
{
	bool known = row != NULL && row[FILE_NAME].kind == ES_TEXT;
	struct es__export_source source = { .number = export->source_count };

	if (known && row[LINE].kind == ES_INTEGER)
		source.line = (uint32_t)row[LINE].as.integer;
	if (!paths__array_grow(&export->sources, export->files.count,
		&export->source_room, sizeof(*export->sources)))
		return PATHS_ENOMEM;
	export->sources[export->files.count] = source;
	export->source_count += known;
	return es__export_texts_add(&export->files, "%s",
		   known ? row[FILE_NAME].as.text : "") == NULL ?
	    PATHS_ENOMEM :
	    PATHS_OK;
}

static paths_status
site_row(struct es_sink *self, const struct es_table *table,
    const struct es_value *row)
{
	struct es__export *export = ((struct site_sink *)self)->export;
	struct es__export_texts *texts = &export->sites;
	paths_status st = PATHS_OK;

	if (strcmp(table->name, "mpi_site") != 0)
		return PATHS_OK;
	/* Sites without frames have no rows: their names are their ids. */
	while (st == PATHS_OK && (int64_t)texts->count < row[SITE].as.integer) {
		st = source_add(export, NULL);
		if (st == PATHS_OK &&
		    es__export_texts_add(texts, "site %" PRIu32,
			texts->count) == NULL)
			st = PATHS_ENOMEM;
	}
	if (st == PATHS_OK)
		st = source_add(export, row);
	return st == PATHS_OK && site_add(texts, row) == NULL ? PATHS_ENOMEM :
								st;
}

static paths_status
sites_name(struct es__export *export)
{
	const struct es_view *view = es_view_find("mpi_site");
	struct site_sink sink = { .sink.row = site_row, .export = export };

	return view == NULL ? PATHS_OK :
			      view->compute(export->analysis, &sink.sink);
}

paths_status
es__export_names_open(struct es__export *export)
{
	paths_status st = PATHS_OK;

	if (es__export_texts_add(&export->names, "?") == NULL)
		st = PATHS_ENOMEM;
	if (st == PATHS_OK && export->mpi != NULL)
		st = comms_name(export);
	if (st == PATHS_OK && export->mpi != NULL)
		st = sites_name(export);
	return st == PATHS_ENOMEM ? paths_log_fail(st, "no memory for names") :
				    st;
}

void
es__export_names_close(struct es__export *export)
{
	es__export_texts_free(&export->names);
	es__export_texts_free(&export->comms);
	es__export_texts_free(&export->sites);
	es__export_texts_free(&export->files);
	free(export->sources);
	tdestroy(export->name_keys, free);
}

uint32_t
es__export_names_source(const struct es__export *export,
    const struct es__export_event *event)
{
	const struct es_tuple_mpi *tuple = event->tuple;
	uint32_t site;

	if (!event->type->calls)
		return 0;
	site = es_mpi_find_site(export->mpi, event->process, tuple->site);
	return site < export->files.count &&
		*export->files.texts[site] != '\0' ?
	    site :
	    0;
}
