/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/site.c - call sites of MPI
 *
 * Names and lines come from the modules on the machine where the scope runs.  A
 * module that was deleted or changed since the run gives no names; its rows
 * have module and offset only.  Places in Python were named when they were
 * recorded.
 *
 * A frame of an extension module of Python without a known line is left out if
 * its caller follows.
 */

#include "scopes/run/symbols_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <stdio.h>

ES__SQL(mpi_site_names);
ES__SQL(mpi_site_reading);

static const struct es_column site_columns[] = {
	{ "site", ES_INTEGER, .about = "id of the call site" },
	{ "function", ES_TEXT,
	    .about =
		"function of the program that calls MPI; NULL: not known" },
	{ "file", ES_TEXT,
	    .about = "source file of the call; NULL: not known" },
	{ "line", ES_INTEGER,
	    .about = "line of the call in that file; NULL: not known" },
	{ "module", ES_TEXT,
	    .about =
		"executable or shared object that contains the call; NULL: not "
		"known, or a call in Python" },
	{ "offset", ES_INTEGER,
	    .about =
		"return address of the call, as an offset in the module, in "
		"bytes; NULL: a call in Python" },
	{ "depth", ES_INTEGER,
	    .about = "number of frames in the call path, inlined functions "
		     "excluded" },
};

static const struct es_column frame_columns[] = {
	{ "site", ES_INTEGER, .about = "id of the call site",
	    .refers = "mpi_site" },
	{ "depth", ES_INTEGER,
	    .about = "depth of the frame, inlined functions counted; 0: the "
		     "function that calls MPI" },
	{ "module", ES_TEXT,
	    .about =
		"executable or shared object of the frame; NULL: not known, or "
		"a frame of Python" },
	{ "build_id", ES_TEXT,
	    .about = "build id of the module, in hex; NULL: none" },
	{ "offset", ES_INTEGER,
	    .about =
		"return address of the call, as an offset in the module, in "
		"bytes; NULL: a frame of Python" },
	{ "function", ES_TEXT,
	    .about = "function of the frame; NULL: not known" },
	{ "file", ES_TEXT,
	    .about = "source file of the call; NULL: not known" },
	{ "line", ES_INTEGER,
	    .about = "line of the call in that file; NULL: not known" },
	{ "inlined", ES_INTEGER,
	    .about = "kind of frame; 1: inlined into the function at the next "
		     "depth; 0: not inlined" },
};

enum { SITE, FRAME };

static const struct es_table tables[] = {
	[SITE] = { .name = "mpi_site",
	    .about = "call sites of MPI",
	    ES_COLUMNS(site_columns),
	    .names = es__sql_mpi_site_names,
	    .order = "site",
	    .reading = es__sql_mpi_site_reading,
	    .reading_about =
		"number of call sites, and of those with a known line" },
	[FRAME] = { .name = "mpi_frame",
	    .about = "call path of each call site",
	    ES_COLUMNS(frame_columns),
	    .key = "site, depth" },
};

/* Call path that is being written. */
struct path {
	struct es_sink *sink;
	const struct es_mpi *mpi;
	struct es__symbols **symbols; /* of each module; NULL: not opened */
	uint32_t site;
	const struct es_mpi_frame *frame;
	const struct es_mpi_module_def
	    *module; /* of the frame; NULL: unknown */
	uint32_t depth;
	uint32_t skipped; /* frames of the site that are left out */
	bool last;	  /* it is the outermost frame of the site */
};

static struct es_value
frame_line(const struct es__symbols_place *place)
{
	return place->line > 0 ? ES_INT(place->line) : ES_NIL;
}

static struct es_value
module_path(const struct path *path)
{
	return es__text(path->module == NULL ? NULL : path->module->path);
}

static struct es_value
frame_offset(const struct path *path)
{
	return es_mpi_source(path->mpi, path->frame->source) == NULL ?
	    ES_INT(path->frame->offset) :
	    ES_NIL;
}

/* Writes the row of a site, from the innermost function of its first frame. */
static paths_status
path_show_site(const struct path *path, const struct es__symbols_place *place)
{
	return path->sink->row(path->sink, &tables[SITE],
	    (struct es_value[]){ ES_INT(path->site), es__text(place->function),
		es__text(place->file), frame_line(place), module_path(path),
		frame_offset(path),
		ES_INT(es_mpi_site(path->mpi, path->site)->frame_count -
		    path->skipped) });
}

static paths_status
path_show_place(void *to, const struct es__symbols_place *place, bool inlined)
{
	struct path *path = to;
	const char *build_id =
	    path->module == NULL ? "" : path->module->build_id;
	paths_status st = PATHS_OK;

	if (path->frame->source == ES_MPI_FRAME_EXTENSION && !path->last &&
	    place->file == NULL) {
		path->skipped++;
		return PATHS_OK;
	}
	if (path->depth == 0)
		st = path_show_site(path, place);
	if (st != PATHS_OK)
		return st;
	return path->sink->row(path->sink, &tables[FRAME],
	    (struct es_value[]){ ES_INT(path->site), ES_INT(path->depth++),
		module_path(path),
		build_id[0] == '\0' ? ES_NIL : ES_STR(build_id),
		frame_offset(path), es__text(place->function),
		es__text(place->file), frame_line(place), ES_INT(inlined) });
}

static paths_status
path_show_source(struct path *path, const struct es_mpi_source_def *source)
{
	struct es__symbols_place place = es__symbols_source(source);

	return path_show_place(path, &place, false);
}

/* Returns the symbols of the frame's module; opens them at the first use. */
static paths_status
path_symbols(struct path *path, struct es_run *run,
    struct es__symbols **symbols)
{
	struct es__symbols **at = &path->symbols[path->frame->module];
	paths_status st = PATHS_OK;
	const char *trouble;

	if (*at == NULL) {
		st = es__symbols_open(path->module, at);
		trouble = st == PATHS_OK ? es__symbols_trouble(*at) : NULL;
		if (trouble != NULL)
			es_run_diagnose(run, ES_NOTE, path->module->path,
			    "call sites in it have no names: %s", trouble);
	}
	*symbols = *at;
	return st;
}

static paths_status
path_show_frame(struct path *path, struct es_run *run)
{
	const struct es_mpi_source_def *source =
	    es_mpi_source(path->mpi, path->frame->source);
	struct es__symbols *symbols;
	paths_status st;

	path->module = es_mpi_module(path->mpi, path->frame->module);
	if (source != NULL)
		return path_show_source(path, source);
	if (path->module == NULL)
		return path_show_place(path, &(struct es__symbols_place){ 0 },
		    false);
	st = path_symbols(path, run, &symbols);
	return st == PATHS_OK ? es__symbols_find(symbols, path->frame->offset,
				    path_show_place, path) :
				st;
}

static paths_status
sites_show(struct path *path, struct es_run *run)
{
	const struct es_mpi_site_def *site;
	paths_status st = PATHS_OK;

	for (path->site = 1; st == PATHS_OK &&
	     (site = es_mpi_site(path->mpi, path->site)) != NULL;
	     path->site++) {
		path->depth = path->skipped = 0;
		for (uint32_t n = 0; st == PATHS_OK && n < site->frame_count;
		     n++) {
			path->frame = &site->frames[n];
			path->last = n + 1 == site->frame_count;
			st = path_show_frame(path, run);
		}
	}
	return st;
}

static paths_status
mpi_site_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct path path = { .sink = sink, .mpi = a->run->mpi };
	uint32_t modules = 0;
	paths_status st;

	if (path.mpi == NULL)
		return PATHS_OK;
	while (es_mpi_module(path.mpi, modules) != NULL)
		modules++;
	path.symbols = calloc(modules + (size_t)1, sizeof(*path.symbols));
	if (path.symbols == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for symbols");
	st = sites_show(&path, a->run);
	for (uint32_t n = 0; n < modules; n++)
		es__symbols_close(path.symbols[n]);
	free(path.symbols);
	return st;
}

const struct es_view es__view_mpi_site = {
	.name = "mpi_site",
	.about = "call sites of MPI",
	.question = "Where does the program call MPI?",
	.topic = ES_TOPIC_RUN,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = mpi_site_compute,
	.needs = ES_NEED_MPI,
};
