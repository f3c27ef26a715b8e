/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/places.c - names the frames of all call sites of a run
 */

#include "scopes/views/mpi/places_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "scopes/run/symbols_private.h"

/* The frame that is being named. */
struct finding {
	struct es__places *places;
	struct es_run *run;
	const struct es_mpi *mpi;
	struct es__symbols **symbols; /* of each module; NULL: not opened */
	struct es__site_places *site;
	const struct es_mpi_frame *frame;
	const struct es_mpi_module_def
	    *module; /* of the frame; NULL: unknown */
	bool last;   /* it is the outermost frame of the site */
};

/* Keeps a text; NULL stays NULL. */
static paths_status
finding_text(struct finding *f, const char *text, const char **kept)
{
	*kept = text == NULL ? NULL : es__intern_text(&f->places->texts, text);
	return text == NULL || *kept != NULL ? PATHS_OK : PATHS_ENOMEM;
}

static paths_status
finding_show_place(void *to, const struct es__symbols_place *place,
    bool inlined)
{
	struct finding *f = to;
	struct es__places *p = f->places;
	bool python = es_mpi_source(f->mpi, f->frame->source) != NULL;
	struct es__place *fresh;
	paths_status st;

	if (f->frame->source == ES_MPI_FRAME_EXTENSION && !f->last &&
	    place->file == NULL) {
		f->site->depth--;
		return PATHS_OK;
	}
	if (!paths__array_grow(&p->list, p->count, &p->room, sizeof(*p->list)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for call sites");
	fresh = &p->list[p->count++];
	*fresh = (struct es__place){ .module = f->module,
		.offset = python ? -1 : (int64_t)f->frame->offset,
		.line = place->line > 0 ? place->line : 0,
		.inlined = inlined };
	st = finding_text(f, place->function, &fresh->function);
	return st == PATHS_OK ? finding_text(f, place->file, &fresh->file) : st;
}

/* Returns the symbols of the frame's module; opens them at the first use. */
static paths_status
finding_symbols(struct finding *f, struct es__symbols **symbols)
{
	struct es__symbols **at = &f->symbols[f->frame->module];
	paths_status st = PATHS_OK;
	const char *trouble;

	if (*at == NULL) {
		st = es__symbols_open(f->module, at);
		trouble = st == PATHS_OK ? es__symbols_trouble(*at) : NULL;
		if (trouble != NULL)
			es_run_diagnose(f->run, ES_NOTE, f->module->path,
			    "call sites in it have no names: %s", trouble);
	}
	*symbols = *at;
	return st;
}

static paths_status
finding_frame(struct finding *f)
{
	const struct es_mpi_source_def *source =
	    es_mpi_source(f->mpi, f->frame->source);
	struct es__symbols_place place = { 0 };
	struct es__symbols *symbols;
	paths_status st;

	f->module = es_mpi_module(f->mpi, f->frame->module);
	if (source != NULL)
		place = es__symbols_source(source);
	if (source != NULL || f->module == NULL)
		return finding_show_place(f, &place, false);
	st = finding_symbols(f, &symbols);
	return st == PATHS_OK ?
	    es__symbols_find(symbols, f->frame->offset, finding_show_place, f) :
	    st;
}

static paths_status
finding_sites(struct finding *f)
{
	struct es__places *p = f->places;
	paths_status st = PATHS_OK;

	for (uint32_t s = 1; st == PATHS_OK && s < p->site_count; s++) {
		const struct es_mpi_site_def *site = es_mpi_site(f->mpi, s);

		f->site = &p->sites[s];
		f->site->first = p->count;
		f->site->depth = site->frame_count;
		for (uint32_t n = 0; st == PATHS_OK && n < site->frame_count;
		     n++) {
			f->frame = &site->frames[n];
			f->last = n + 1 == site->frame_count;
			st = finding_frame(f);
		}
		f->site->count = p->count - f->site->first;
	}
	return st;
}

static paths_status
places_find(struct es_analysis *a, struct es__places *p)
{
	struct finding f = { .places = p,
		.run = a->run,
		.mpi = es_run_mpi(a->run) };
	uint32_t modules = 0;
	paths_status st;

	p->site_count = 1;
	while (es_mpi_site(f.mpi, p->site_count) != NULL)
		p->site_count++;
	while (es_mpi_module(f.mpi, modules) != NULL)
		modules++;
	p->sites = calloc(p->site_count, sizeof(*p->sites));
	f.symbols = calloc(modules + (size_t)1, sizeof(*f.symbols));
	st = p->sites != NULL && f.symbols != NULL ?
	    finding_sites(&f) :
	    paths_log_fail(PATHS_ENOMEM, "no memory for call sites");
	for (uint32_t n = 0; f.symbols != NULL && n < modules; n++)
		es__symbols_close(f.symbols[n]);
	free(f.symbols);
	return st;
}

static void
places_destroy(struct es__kept *kept)
{
	struct es__places *places = (struct es__places *)kept;

	es__intern_fini(&places->texts);
	free(places->list);
	free(places->sites);
	free(places);
}

paths_status
es__places_get(struct es_analysis *a, const struct es__places **places)
{
	struct es__places *fresh;
	paths_status st;

	*places =
	    (const struct es__places *)es__analysis_kept(a, places_destroy);
	if (*places != NULL)
		return PATHS_OK;
	fresh = calloc(1, sizeof(*fresh));
	if (fresh == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for call sites");
	st = es_run_mpi(a->run) == NULL ? PATHS_OK : places_find(a, fresh);
	if (st != PATHS_OK) {
		places_destroy(&fresh->kept);
		return st;
	}
	es__analysis_keep(a, &fresh->kept, places_destroy);
	*places = fresh;
	return PATHS_OK;
}
