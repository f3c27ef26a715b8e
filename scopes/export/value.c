/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/value.c - reads the values of a tuple's fields
 */

#include "scopes/export/value_private.h"

#include "scopes/export/file_private.h"
#include "scopes/operation.h"

#include <stdio.h>
#include <string.h>

/* Loads a number with one load of its size, which is faster than loading its
   bytes one by one. */
#define LOAD(as, type) \
	case as: { \
		type number; \
		memcpy(&number, at, sizeof(number)); \
		return (int64_t)number; \
	}

int64_t
es__export_value_load(const struct es_tuple_field *field, const void *tuple)
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
es__export_value_number(const struct es__export *export, uint32_t process,
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

const char *
es__export_value_op(const struct es__export_type *type, int64_t op)
{
	if (type->paths)
		return es_operation_name(ES_OPERATION_PATH, op);
	return type->calls ? es_operation_name(ES_OPERATION_MPI, op) : NULL;
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
		value.as.i = es__export_value_load(field->field, tuple);
		break;
	}
	return value;
}

/* Returns the value of a stamp.  Start and stop are in the event. */
static struct es__export_value
value_stamp(const struct es__export *export,
    const struct es__export_event *event, const struct es__export_field *field)
{
	uint64_t ticks =
	    es__export_value_ticks(event->tuple, field->field->offset);
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
	number = es__export_value_number(export, event->process, field->means,
	    es__export_value_load(field->field, event->tuple));
	switch (field->means) {
	case ES__EXPORT_SEQ:
		value.as.i =
		    (int64_t)es_collector_seq(es_run_collector(export->run,
						  event->collector),
			(uint32_t)number);
		return value;
	case ES__EXPORT_OP:
		value = value_text(es__export_value_op(event->type, number));
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

char *
es__export_value_print(char *to, const struct es__export_value *value)
{
	switch (value->kind) {
	case ES__EXPORT_SIGNED:
		return es__export_signed_digits(to, value->as.i);
	case ES__EXPORT_UNSIGNED:
		return es__export_digits(to, value->as.u);
	case ES__EXPORT_REAL:
		return to + snprintf(to, 32, "%.17g", value->as.r);
	default:
		return to;
	}
}
