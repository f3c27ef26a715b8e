/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/tints.c - texts for the classes of scopes/colour.h
 */

#include "viewer/model/tints.h"

#include "viewer/model/read.h"

#include "libpaths/unit.h"

#include <stdio.h>
#include <string.h>

ESV__SQL(model_has_names);
ESV__SQL(model_tint_comms);
ESV__SQL(model_tint_elements);
ESV__SQL(model_tint_paths);
ESV__SQL(model_tint_sites);

/* Names that are added to texts. */
struct naming {
	struct esv_tint_texts *texts;
	uint32_t counts[ES_COLOUR_CLASSES];
};

/* Adds a name to the text of its class; the first name stays, others are
   counted. */
static void
naming_add(struct naming *naming, uint32_t class, const char *name)
{
	char *text = naming->texts->text[class];
	uint32_t more = naming->counts[class]++;
	size_t length;

	if (more == 0) {
		snprintf(text, ESV_TINT_TEXT_BYTES - 12, "%s", name);
		return;
	}
	if (more > 1)
		*strrchr(text, ' ') = '\0';
	length = strlen(text);
	snprintf(text + length, ESV_TINT_TEXT_BYTES - length, " +%u", more);
}

/* Takes a class and a name. */
static paths_status
naming_take(void *to, const struct es_rows *rows)
{
	struct es_value name;
	int64_t class;
	paths_status st =
	    esv__read_number(rows, 0, 0, ES_COLOUR_CLASSES - 1, &class);

	if (st != PATHS_OK)
		return st;
	es_rows_get(rows, 1, &name);
	naming_add(to, (uint32_t) class,
	    name.kind == ES_TEXT ? name.as.text : "an unknown place");
	return PATHS_OK;
}

static paths_status
naming_take_has(void *to, const struct es_rows *rows)
{
	(void)rows;
	*(bool *)to = true;
	return PATHS_OK;
}

/* Names call sites and communicators, or paths and elements. */
static paths_status
naming_things(struct naming *naming, struct esv_model *model, bool sites)
{
	bool has = false;
	paths_status st;

	if (!model->mpi)
		return esv__read_each(model,
		    sites ? esv__sql_model_tint_paths :
			    esv__sql_model_tint_elements,
		    naming_take, naming);
	st = esv__read_each(model, esv__sql_model_has_names, naming_take_has,
	    &has);
	return st == PATHS_OK && has ?
	    esv__read_each(model,
		sites ? esv__sql_model_tint_sites : esv__sql_model_tint_comms,
		naming_take, naming) :
	    st;
}

static void
naming_ranks(struct naming *naming, const struct esv_model *model)
{
	for (uint32_t n = 0; n < model->row_count; n++)
		if (model->rows[n].kind == ESV_ROW_PROCESS)
			naming_add(naming, model->rows[n].id % ES_COLOUR_NONE,
			    model->rows[n].name);
}

/* Names the classes of bytes: "under 64 B", "64 B to 512 B" ... */
static void
texts_bytes(struct esv_tint_texts *texts)
{
	char from[PATHS_UNIT_TEXT_BYTES], to[PATHS_UNIT_TEXT_BYTES];
	double least = 64.0;

	snprintf(texts->text[0], ESV_TINT_TEXT_BYTES, "under 64 B");
	for (uint32_t n = 1; n < ES_COLOUR_NONE; n++, least *= 8.0) {
		paths_unit_text(PATHS_UNIT_BYTES, least, from);
		paths_unit_text(PATHS_UNIT_BYTES, least * 8.0, to);
		snprintf(texts->text[n], ESV_TINT_TEXT_BYTES,
		    n + 1 < ES_COLOUR_NONE ? "%s to %s" : "%s and more", from,
		    to);
	}
}

static void
texts_steps(struct esv_tint_texts *texts)
{
	for (uint32_t n = 0; n < ES_COLOUR_NONE; n++)
		snprintf(texts->text[n], ESV_TINT_TEXT_BYTES, "%u, %u, ...", n,
		    n + ES_COLOUR_NONE);
}

paths_status
esv_tints_read(struct esv_model *model, enum es_colour colour,
    struct esv_tint_texts *texts)
{
	struct naming naming = { .texts = texts };
	paths_status st = PATHS_OK;

	memset(texts, 0, sizeof(*texts));
	if (colour == ES_COLOUR_SITE || colour == ES_COLOUR_COMM)
		st = naming_things(&naming, model, colour == ES_COLOUR_SITE);
	else if (colour == ES_COLOUR_PEER)
		naming_ranks(&naming, model);
	else if (colour == ES_COLOUR_BYTES)
		texts_bytes(texts);
	else
		texts_steps(texts);
	for (uint32_t n = 0; n < ES_COLOUR_NONE; n++)
		if (texts->text[n][0] == '\0')
			snprintf(texts->text[n], ESV_TINT_TEXT_BYTES, "%s %u",
			    es_colour_name(colour), n);
	snprintf(texts->text[ES_COLOUR_NONE], ESV_TINT_TEXT_BYTES, "no %s",
	    es_colour_name(colour));
	return st;
}
