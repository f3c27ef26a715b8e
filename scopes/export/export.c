/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/export.c - the events of a run, as exports see them
 */

#include "scopes/export/export_private.h"

#include "libpaths/log.h"
#include "libpaths/op.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t
ticks_of(const void *tuple, uint32_t offset)
{
	uint64_t ticks;

	memcpy(&ticks, (const char *)tuple + offset, sizeof(ticks));
	return ticks;
}

static bool
is_stamp(const struct es_tuple_field *field)
{
	return field != NULL && field->kind == PATHS_TYPE_U64 &&
	    strcmp(field->unit, "ticks") == 0;
}

/* What a field means, in a type that this program knows. */
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
	for (size_t n = 0; type->calls && n < 3; n++)
		if (strcmp(field->name, calls[n].name) == 0)
			return calls[n].means;
	return ES__EXPORT_NUMBER;
}

/* Of an operation on a path its number, and whether it failed, tell it from
   the others: the rest is the same in most tuples of a collector. */
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

	/* Each space has a table of its own. */
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

/* How many tuples there are, the earliest and the latest time. */
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
	ns = es_time_ns(base, ticks_of(es_collector_tuple(at, 0), 0));
	if (ns < -export->shift_ns)
		export->shift_ns = -ns;
	last = es_collector_tuple(at, at->count - 1);
	ns = es_time_ns(base, ticks_of(last, 0));
	if (type->stop != NULL && ticks_of(last, type->stop->offset) != 0)
		ns = es_time_ns(base, ticks_of(last, type->stop->offset));
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
    bool arrows)
{
	paths_status st;

	*export = (struct es__export){ .analysis = analysis,
		.run = es_analysis_run(analysis) };
	export->map = es_run_map(export->run);
	export->mpi = es_run_mpi(export->run);
	st = collectors_look(export);
	if (st == PATHS_OK)
		st = es__export_name_texts(export);
	if (st == PATHS_OK)
		st = es__export_tracks(export);
	if (st == PATHS_OK && arrows && export->mpi != NULL)
		st = es_mpi_trace_get(analysis, &export->trace);
	if (st == PATHS_OK && arrows)
		st = es__export_arrows_open(export);
	return st;
}

void
es__export_close(struct es__export *export)
{
	es__export_arrows_close(export);
	es__export_names_free(export);
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
		    "stamps of %" PRIu64 " tuples go back in time: they are "
		    "shown at the time of the one before",
		    export->backward);
	if (export->overlapping > 0)
		es_run_diagnose(export->run, ES_WARNING, format,
		    "%" PRIu64 " tuples overlap with too many others, and are "
		    "left out",
		    export->overlapping);
}

void
es__export_lane_init(const struct es__export *export, uint32_t collector,
    struct es__export_lane *lane)
{
	const struct es_collector *at =
	    es_run_collector(export->run, collector);

	*lane = (struct es__export_lane){ .at = at,
		.type = at->type == NULL ?
		    NULL :
		    &export->types[export->type_of[collector]],
		.base = es_analysis_timebase(export->analysis, at->process),
		.collector = collector,
		.start_ns = INT64_MIN,
		.name = -1 };
}

/* When what had not come back was over at the latest. */
static int64_t
open_until(const struct es__export_lane *lane)
{
	int64_t ns;

	if (lane->n == lane->at->count)
		return INT64_MAX;
	ns = es_time_ns(lane->base,
	    ticks_of(es_collector_tuple(lane->at, lane->n), 0));
	return ns > lane->start_ns ? ns : lane->start_ns;
}

/* lane->n is the next one already. */
static void
event_times(struct es__export *export, struct es__export_lane *lane,
    struct es__export_event *event)
{
	int64_t start = es_time_ns(lane->base, ticks_of(event->tuple, 0));
	uint64_t stop;

	if (start < lane->start_ns) {
		start = lane->start_ns;
		export->backward++;
	}
	event->start_ns = event->stop_ns = lane->start_ns = start;
	event->open = false;
	if (lane->type->stop == NULL)
		return;
	stop = ticks_of(event->tuple, lane->type->stop->offset);
	event->open = stop == 0;
	event->stop_ns =
	    stop == 0 ? open_until(lane) : es_time_ns(lane->base, stop);
	if (event->stop_ns < start) {
		event->stop_ns = start;
		export->backward++;
	}
}

/* As collectors/mpi_space.h tells what belongs to a call. */
static bool
event_is_part(const struct es__export_lane *lane,
    const struct es__export_event *event)
{
	const struct es_tuple_mpi *tuple = event->tuple, *before;

	if (!lane->type->calls)
		return false;
	if (tuple->op == ES_MPI_COMPLETED)
		return true;
	if (event->n == 0)
		return false;
	before = es_collector_tuple(lane->at, event->n - 1);
	return before->seq == tuple->seq;
}

bool
es__export_next(struct es__export *export, struct es__export_lane *lane,
    struct es__export_event *event)
{
	if (lane->type == NULL || lane->n == lane->at->count)
		return false;
	event->type = lane->type;
	event->collector = lane->collector;
	event->process = lane->at->process;
	event->n = lane->n++;
	event->tuple = es_collector_tuple(lane->at, event->n);
	event->out = event->in = 0;
	event->line = 0;
	event->part = event_is_part(lane, event);
	event_times(export, lane, event);
	event->name = es__export_name_of(export, lane, event->tuple);
	return true;
}

/* A load of the right size: what is put together of bytes waits for them. */
#define LOAD(as, type) \
	case as: { \
		type number; \
		memcpy(&number, at, sizeof(number)); \
		return (int64_t)number; \
	}

int64_t
es__export_load(const struct es_tuple_field *field, const void *tuple)
{
	const char *at = (const char *)tuple + field->offset;
	int64_t whole;

	switch (field->kind) {
		LOAD(PATHS_TYPE_I8, int8_t)
		LOAD(PATHS_TYPE_U8, uint8_t)
		LOAD(PATHS_TYPE_I16, int16_t)
		LOAD(PATHS_TYPE_U16, uint16_t)
		LOAD(PATHS_TYPE_I32, int32_t)
		LOAD(PATHS_TYPE_U32, uint32_t)
	default:
		break;
	}
	memcpy(&whole, at, sizeof(whole));
	return whole;
}

#undef LOAD

int64_t
es__export_number(const struct es__export *export, uint32_t process,
    enum es__export_means means, int64_t number)
{
	uint32_t id;

	if (export->mpi == NULL)
		return number;
	switch (means) {
	case ES__EXPORT_PEER:
		return es_mpi_find_peer(export->mpi, process, (int32_t)number);
	case ES__EXPORT_COMM:
		id = es_mpi_find_comm(export->mpi, process, (uint32_t)number)
			 .comm;
		return id == PATHS_NONE ? -1 : (int64_t)id;
	case ES__EXPORT_SITE:
		id = es_mpi_find_site(export->mpi, process, (uint32_t)number);
		return id == PATHS_NONE ? -1 : (int64_t)id;
	default:
		return number;
	}
}

static struct es__export_value
value_text(const char *text)
{
	return (struct es__export_value){ .kind = text == NULL ?
		    ES__EXPORT_NONE :
		    ES__EXPORT_TEXT,
		.as.text = text };
}

static struct es__export_value
value_number(const struct es__export_field *field, const void *tuple)
{
	const char *at = (const char *)tuple + field->field->offset;
	struct es__export_value value = { .kind = ES__EXPORT_REAL };
	float small;

	switch (field->field->kind) {
	case PATHS_TYPE_F32:
		memcpy(&small, at, sizeof(small));
		value.as.r = (double)small;
		break;
	case PATHS_TYPE_F64:
		memcpy(&value.as.r, at, sizeof(value.as.r));
		break;
	case PATHS_TYPE_U64:
		value.kind = ES__EXPORT_UNSIGNED;
		memcpy(&value.as.u, at, sizeof(value.as.u));
		break;
	default:
		value.kind = ES__EXPORT_SIGNED;
		value.as.i = es__export_load(field->field, tuple);
		break;
	}
	return value;
}

/* A stamp: the first and the last have been looked at already. */
static struct es__export_value
value_stamp(const struct es__export *export,
    const struct es__export_event *event, const struct es__export_field *field)
{
	uint64_t ticks = ticks_of(event->tuple, field->field->offset);
	struct es__export_value value = { .kind = ES__EXPORT_SIGNED };

	if (field->field->offset == 0)
		value.as.i = event->start_ns;
	else if (ticks == 0)
		value.kind = ES__EXPORT_NONE;
	else if (field->field == event->type->stop)
		value.as.i = event->stop_ns;
	else
		value.as.i = es_time_ns(es_analysis_timebase(export->analysis,
					    event->process),
		    ticks);
	return value;
}

struct es__export_value
es__export_value(const struct es__export *export,
    const struct es__export_event *event, const struct es__export_field *field)
{
	struct es__export_value value = { .kind = ES__EXPORT_SIGNED };
	int64_t number;

	if (field->means == ES__EXPORT_NUMBER)
		return value_number(field, event->tuple);
	if (field->means == ES__EXPORT_STAMP)
		return value_stamp(export, event, field);
	number = es__export_number(export, event->process, field->means,
	    es__export_load(field->field, event->tuple));
	switch (field->means) {
	case ES__EXPORT_OP:
		value = value_text(es__export_op(event->type, number));
		if (value.kind == ES__EXPORT_NONE)
			value = value_number(field, event->tuple);
		return value;
	case ES__EXPORT_ELEMENT:
		return value_text(number < export->map->element_count ?
			export->map->elements[number].name :
			NULL);
	case ES__EXPORT_COMM:
		return value_text(number > 0 && number < export->comms.count ?
			export->comms.texts[number] :
			NULL);
	case ES__EXPORT_SITE:
		return value_text(number > 0 && number < export->sites.count ?
			export->sites.texts[number] :
			NULL);
	default:
		value.as.i = number;
		if (number < 0)
			value.kind = ES__EXPORT_NONE;
		return value;
	}
}
