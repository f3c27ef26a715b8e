/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/site.c - call sites of MPI
 *
 * scopes/views/mpi/places_private.h names them.  Rows of a module without names
 * have module and offset only.
 */

#include "scopes/views/mpi/places_private.h"

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

static struct es_value
place_line(const struct es__place *place)
{
	return place->line > 0 ? ES_INT(place->line) : ES_NIL;
}

static struct es_value
place_module(const struct es__place *place)
{
	return es__text(place->module == NULL ? NULL : place->module->path);
}

static struct es_value
place_offset(const struct es__place *place)
{
	return place->offset < 0 ? ES_NIL : ES_INT(place->offset);
}

/* Writes the row of a site, from the innermost function of its first frame. */
static paths_status
site_show(struct es_sink *sink, uint32_t site, uint32_t depth,
    const struct es__place *place)
{
	return sink->row(sink, &tables[SITE],
	    (struct es_value[]){ ES_INT(site), es__text(place->function),
		es__text(place->file), place_line(place), place_module(place),
		place_offset(place), ES_INT(depth) });
}

static paths_status
frame_show(struct es_sink *sink, uint32_t site, size_t depth,
    const struct es__place *place)
{
	const char *build_id =
	    place->module == NULL ? "" : place->module->build_id;

	return sink->row(sink, &tables[FRAME],
	    (struct es_value[]){ ES_INT(site), ES_INT(depth),
		place_module(place),
		build_id[0] == '\0' ? ES_NIL : ES_STR(build_id),
		place_offset(place), es__text(place->function),
		es__text(place->file), place_line(place),
		ES_INT(place->inlined) });
}

static paths_status
mpi_site_compute(struct es_analysis *a, struct es_sink *sink)
{
	const struct es__places *places;
	paths_status st = es__places_get(a, &places);

	for (uint32_t s = 1; st == PATHS_OK && s < places->site_count; s++) {
		const struct es__site_places *site = &places->sites[s];
		const struct es__place *list = &places->list[site->first];

		if (site->count > 0)
			st = site_show(sink, s, site->depth, &list[0]);
		for (size_t n = 0; st == PATHS_OK && n < site->count; n++)
			st = frame_show(sink, s, n, &list[n]);
	}
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
