/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/export.c - prepares a run for its exports
 */

#include "scopes/export/export_private.h"

#include "scopes/export/arrow_private.h"
#include "scopes/export/names_private.h"
#include "scopes/export/track_private.h"
#include "scopes/export/value_private.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool
is_stamp(const struct es_tuple_field *field)
{
	return field != NULL && field->kind == PATHS_TYPE_U64 &&
	    strcmp(field->unit, "ticks") == 0;
}

/* Returns the meaning of a field, by its name in a known type. */
static enum es__export_means
means_of(const struct es__export_type *type, const struct es_tuple_field *field)
{
	static const struct {
		const char *name;
		enum es__export_means means;
	} calls[] = { { "peer", ES__EXPORT_PEER }, { "comm", ES__EXPORT_COMM },
		{ "site", ES__EXPORT_SITE } };

	if (field == type->type->fields || field == type->stop ||
	    is_stamp(field))
		return ES__EXPORT_STAMP;
	if (field == type->op)
		return ES__EXPORT_OP;
	if (field == type->element)
		return ES__EXPORT_ELEMENT;
	if (field->kind == PATHS_TYPE_U32 && strcmp(field->name, "seq") == 0)
		return ES__EXPORT_SEQ;
	for (size_t n = 0; type->calls && n < 3; n++)
		if (strcmp(field->name, calls[n].name) == 0)
			return calls[n].means;
	return ES__EXPORT_NUMBER;
}

/* Adds a field.  Arguments that are always shown are those that differ from
   tuple to tuple; on a path these are the number and the status. */
static void
field_fill(struct es__export_type *type, const struct es_tuple_field *field)
{
	struct es__export_field *to = &type->fields[type->field_count++];

	*to = (struct es__export_field){ .field = field,
		.means = means_of(type, field) };
	to->arg = to->means != ES__EXPORT_STAMP && to->means != ES__EXPORT_OP &&
	    to->means != ES__EXPORT_ELEMENT;
	to->usual = to->arg &&
	    (!type->paths || strcmp(field->name, "seq") == 0 ||
		strcmp(field->name, "status") == 0);
}

static void
type_fill(struct es__export_type *to, const struct es_tuple_type *type)
{
	to->type = type;
	to->paths = es_tuple_type_equal(type, es_tuple_type_find("path"));
	to->calls = es_tuple_type_equal(type, es_tuple_type_find("mpi"));
	to->stop = es_tuple_field_find(type, "stop");
	if (to->stop != NULL && to->stop->kind != PATHS_TYPE_U64)
		to->stop = NULL;
	to->op = es_tuple_field_find(type, "op");
	if (to->op != NULL && to->op->kind >= PATHS_TYPE_F32)
		to->op = NULL;
	to->element = to->paths ? es_tuple_field_find(type, "element") : NULL;
	for (uint32_t n = 0; n < type->field_count; n++)
		field_fill(to, &type->fields[n]);
}

static paths_status
types_add(struct es__export *export, const struct es_tuple_type *type,
    uint32_t *index)
{
	struct es__export_type *more;

	/* Equal types of two spaces are different pointers. */
	for (*index = 0; *index < export->type_count; ++*index)
		if (es_tuple_type_equal(export->types[*index].type, type))
			return PATHS_OK;
	more =
	    reallocarray(export->types, export->type_count + 1, sizeof(*more));
	if (more == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for types");
	export->types = more;
	memset(&more[*index], 0, sizeof(*more));
	type_fill(&more[*index], type);
	export->type_count++;
	return PATHS_OK;
}

/* Counts the tuples of a collector, and extends the earliest and the latest
   time of the run. */
static void
collector_look(struct es__export *export, const struct es_collector *at,
    const struct es__export_type *type)
{
	const struct es_timebase *base =
	    es_analysis_timebase(export->analysis, at->process);
	const void *last;
	int64_t ns;

	export->tuples += at->count;
	if (at->count == 0)
		return;
	ns = es_time_ns(base,
	    es__export_value_ticks(es_collector_tuple(at, 0), 0));
	if (ns < -export->shift_ns)
		export->shift_ns = -ns;
	last = es_collector_tuple(at, at->count - 1);
	ns = es_time_ns(base, es__export_value_ticks(last, 0));
	if (type->stop != NULL &&
	    es__export_value_ticks(last, type->stop->offset) != 0)
		ns = es_time_ns(base,
		    es__export_value_ticks(last, type->stop->offset));
	if (ns > export->last_ns)
		export->last_ns = ns;
}

static paths_status
collectors_look(struct es__export *export)
{
	uint32_t count = es_run_collector_count(export->run);
	paths_status st = PATHS_OK;

	export->type_of = calloc(count + (size_t)1, sizeof(uint32_t));
	if (export->type_of == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for types");
	for (uint32_t c = 0; st == PATHS_OK && c < count; c++) {
		const struct es_collector *at =
		    es_run_collector(export->run, c);

		export->type_of[c] = PATHS_NONE;
		if (at->type == NULL)
			continue;
		st = types_add(export, at->type, &export->type_of[c]);
		if (st == PATHS_OK)
			collector_look(export, at,
			    &export->types[export->type_of[c]]);
	}
	return st;
}

paths_status
es__export_open(struct es__export *export, struct es_analysis *analysis,
    bool arrows, bool requests)
{
	paths_status st;

	*export = (struct es__export){ .analysis = analysis,
		.run = es_analysis_run(analysis),
		.requests = requests };
	export->map = es_run_map(export->run);
	export->mpi = es_run_mpi(export->run);
	st = collectors_look(export);
	if (st == PATHS_OK)
		st = es__export_names_open(export);
	if (st == PATHS_OK)
		st = es__export_track_all(export);
	if (st == PATHS_OK && arrows && export->mpi != NULL)
		st = es_mpi_trace_get(analysis, &export->trace);
	if (st == PATHS_OK && arrows)
		st = es__export_arrow_open(export);
	return st;
}

void
es__export_close(struct es__export *export)
{
	es__export_arrow_close(export);
	es__export_names_close(export);
	free(export->tracks);
	free(export->by_track);
	free(export->track_of);
	free(export->type_of);
	free(export->types);
	*export = (struct es__export){ 0 };
}

paths_status
es__export_beat(struct es__export *export, uint64_t tuples)
{
	export->done += tuples;
	if (export->st != PATHS_OK)
		return export->st;
	return export->beat == NULL ? PATHS_OK :
				      export->beat(export, export->beat_to);
}

void
es__export_tell(struct es__export *export, const char *format)
{
	if (export->backward > 0)
		es_run_diagnose(export->run, ES_WARNING, format,
		    "stamps of %" PRIu64 " tuples go back in time: they have "
		    "the time of the tuple before",
		    export->backward);
	if (export->overlapping > 0)
		es_run_diagnose(export->run, ES_WARNING, format,
		    "%" PRIu64 " tuples are left out: they overlap with too "
		    "many others",
		    export->overlapping);
}
