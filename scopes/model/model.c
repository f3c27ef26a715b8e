/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/model.c - makes the model of a machine
 */

#include "scopes/model/model_private.h"

#include "libpaths/base/array.h"
#include "libpaths/base/utf8.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

paths_status
es__model_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for a model");
}

paths_status
es_model_create(struct es_model **model)
{
	struct es_model *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return es__model_no_memory();
	made->gamma_s = NAN;
	made->delta_s = NAN;
	made->drift = NAN;
	made->drift_limit = NAN;
	made->hops = NAN;
	*model = made;
	return PATHS_OK;
}

static void
stream_free(struct es_model_stream *stream)
{
	free(stream->counts);
	free(stream->sizes);
	free(stream->message_s);
}

void
es_model_free(struct es_model *model)
{
	if (model == NULL)
		return;
	for (size_t n = 0; n < model->locality_count; n++) {
		struct es_model_locality *locality = &model->localities[n];

		for (size_t fit = 0; fit < ES_MODEL_FITS; fit++)
			free(locality->fits[fit].list);
		stream_free(&locality->stream);
		for (size_t pair = 0; pair < locality->pair_count; pair++)
			for (int side = 0; side < 2; side++)
				free(locality->pairs[pair].hosts[side]);
		free(locality->pairs);
	}
	free(model->localities);
	free(model->gammas);
	free(model);
}

/* Returns whether a text can stand between blanks in a file. */
static bool
model_is_word(const char *word, size_t room)
{
	size_t length = strnlen(word, room);

	if (length == 0 || length == room || *word == '#')
		return false;
	for (unsigned bytes; *word != 0; word += bytes) {
		bytes = *word == ' ' ? 0 : paths_utf8_shown(word);
		if (bytes == 0)
			return false;
	}
	return true;
}

bool
es__model_is_word(const char *word)
{
	return model_is_word(word, ES_MODEL_NAME_BYTES);
}

uint32_t
es_model_find_locality(const struct es_model *model, const char *name)
{
	for (size_t n = 0; n < model->locality_count; n++)
		if (strcmp(model->localities[n].name, name) == 0)
			return (uint32_t)n;
	return PATHS_NONE;
}

paths_status
es_model_add_locality(struct es_model *model, const char *name,
    uint32_t *locality)
{
	struct es_model_locality *added;

	if (!es__model_is_word(name))
		return paths_log_fail(PATHS_EINVAL,
		    "the name of a locality is one word of at most %u bytes",
		    ES_MODEL_NAME_BYTES - 1);
	if (es_model_find_locality(model, name) != PATHS_NONE)
		return paths_log_fail(PATHS_EINVAL,
		    "there are two localities \"%s\"", name);
	if (!paths__array_grow(&model->localities, model->locality_count,
		&model->locality_room, sizeof(*model->localities)))
		return es__model_no_memory();
	added = &model->localities[model->locality_count];
	*added = (struct es_model_locality){ 0 };
	strcpy(added->name, name);
	*locality = (uint32_t)model->locality_count++;
	return PATHS_OK;
}

paths_status
es_model_add_pair(struct es_model *model, uint32_t locality, const char *a,
    const char *b)
{
	struct es_model_locality *l = &model->localities[locality];
	struct es_model_pair pair;

	if (!model_is_word(a, ES_MODEL_TEXT_BYTES) ||
	    !model_is_word(b, ES_MODEL_TEXT_BYTES))
		return paths_log_fail(PATHS_EINVAL,
		    "the name of a host is one word of at most %u bytes",
		    ES_MODEL_TEXT_BYTES - 1);
	if (!paths__array_grow(&l->pairs, l->pair_count, &l->pair_room,
		sizeof(*l->pairs)))
		return es__model_no_memory();
	pair = (struct es_model_pair){ { strdup(a), strdup(b) } };
	if (pair.hosts[0] == NULL || pair.hosts[1] == NULL) {
		free(pair.hosts[0]);
		free(pair.hosts[1]);
		return es__model_no_memory();
	}
	l->pairs[l->pair_count++] = pair;
	return PATHS_OK;
}

/* Returns whether a locality was measured for two hosts. */
static bool
locality_has(const struct es_model_locality *l, const char *a, const char *b)
{
	for (size_t n = 0; n < l->pair_count; n++) {
		char *const *hosts = l->pairs[n].hosts;

		if ((strcmp(hosts[0], a) == 0 && strcmp(hosts[1], b) == 0) ||
		    (strcmp(hosts[0], b) == 0 && strcmp(hosts[1], a) == 0))
			return true;
	}
	return false;
}

uint32_t
es_model_find_pair(const struct es_model *model, const char *name,
    const char *a, const char *b)
{
	size_t length = name == NULL ? 0 : strlen(name);

	for (size_t n = 0; n < model->locality_count; n++) {
		const struct es_model_locality *l = &model->localities[n];

		if ((name == NULL ||
			(strncmp(l->name, name, length) == 0 &&
			    (l->name[length] == 0 ||
				l->name[length] == '-'))) &&
		    locality_has(l, a, b))
			return (uint32_t)n;
	}
	return PATHS_NONE;
}

/* Returns whether a value is a time. */
static bool
model_is_time(double seconds)
{
	return isfinite(seconds) && seconds >= 0;
}

paths_status
es_model_add_segment(struct es_model_segments *segments,
    const struct es_model_segment *segment)
{
	uint64_t least = segments->count == 0 ?
	    0 :
	    segments->list[segments->count - 1].first_bytes + 1;

	if (segments->count == 0 ? segment->first_bytes != 0 :
				   segment->first_bytes < least)
		return paths_log_fail(PATHS_EINVAL,
		    "a segment begins at %" PRIu64 " B, %s",
		    segment->first_bytes,
		    segments->count == 0 ? "but the first one begins at 0" :
					   "not after the one before");
	if (!model_is_time(segment->alpha_s))
		return paths_log_fail(PATHS_EINVAL,
		    "a latency is not a time: %g s", segment->alpha_s);
	/* NAN compares false. */
	if (!(segment->rate > 0) || !(segment->node_rate > 0))
		return paths_log_fail(PATHS_EINVAL,
		    "a rate of a segment is not over 0");
	if (segment->protocol[0] != 0 && !es__model_is_word(segment->protocol))
		return paths_log_fail(PATHS_EINVAL,
		    "the name of a protocol is not one word");
	if (!paths__array_grow(&segments->list, segments->count,
		&segments->room, sizeof(*segments->list)))
		return es__model_no_memory();
	segments->list[segments->count++] = *segment;
	return PATHS_OK;
}

paths_status
es_model_add_gamma(struct es_model *model, struct es_model_gamma gamma)
{
	size_t count = model->gamma_count;

	if (!model_is_time(gamma.gamma_s))
		return paths_log_fail(PATHS_EINVAL,
		    "a gamma is not a time: %g s", gamma.gamma_s);
	if (gamma.messages == 0 ||
	    (count > 0 && gamma.messages <= model->gammas[count - 1].messages))
		return paths_log_fail(PATHS_EINVAL,
		    "a gamma is of %" PRIu64 " messages, not of more than the "
		    "one before",
		    gamma.messages);
	if (!paths__array_grow(&model->gammas, count, &model->gamma_room,
		sizeof(*model->gammas)))
		return es__model_no_memory();
	model->gammas[model->gamma_count++] = gamma;
	return PATHS_OK;
}

/* Returns whether numbers over 0 ascend. */
static bool
stream_ascends(const uint64_t *numbers, size_t count)
{
	for (size_t n = 0; n < count; n++)
		if (numbers[n] == 0 || (n > 0 && numbers[n] <= numbers[n - 1]))
			return false;
	return count > 0;
}

static paths_status
stream_check(const struct es_model_stream *grid)
{
	if (!stream_ascends(grid->counts, grid->count_count) ||
	    !stream_ascends(grid->sizes, grid->size_count))
		return paths_log_fail(PATHS_EINVAL,
		    "the numbers or sizes of a stream do not ascend from 1");
	for (size_t n = 0; n < grid->count_count * grid->size_count; n++)
		if (!isfinite(grid->message_s[n]) || grid->message_s[n] <= 0)
			return paths_log_fail(PATHS_EINVAL,
			    "a time of a stream is not over 0: %g s",
			    grid->message_s[n]);
	return PATHS_OK;
}

static void *
stream_copy(const void *list, size_t count, size_t bytes)
{
	void *copy = reallocarray(NULL, count, bytes);

	return copy == NULL ? NULL : memcpy(copy, list, count * bytes);
}

paths_status
es_model_set_stream(struct es_model *model, uint32_t locality,
    const struct es_model_stream *grid)
{
	struct es_model_stream copy = *grid;
	paths_status st = stream_check(grid);

	if (st != PATHS_OK)
		return st;
	copy.counts =
	    stream_copy(grid->counts, grid->count_count, sizeof(*grid->counts));
	copy.sizes =
	    stream_copy(grid->sizes, grid->size_count, sizeof(*grid->sizes));
	copy.message_s = stream_copy(grid->message_s,
	    grid->count_count * grid->size_count, sizeof(*grid->message_s));
	if (copy.counts == NULL || copy.sizes == NULL ||
	    copy.message_s == NULL) {
		stream_free(&copy);
		return es__model_no_memory();
	}
	stream_free(&model->localities[locality].stream);
	model->localities[locality].stream = copy;
	return PATHS_OK;
}

void
es_model_set_text(char text[ES_MODEL_TEXT_BYTES], const char *value)
{
	size_t length = 0;

	while (*value != 0 && *value != '\n' && *value != '\r') {
		unsigned bytes = paths_utf8_bytes(value);
		unsigned shown = paths_utf8_shown(value);

		/* A character of UTF-8 is not cut. */
		if (length + shown >= ES_MODEL_TEXT_BYTES)
			break;
		/* Blanks may follow bytes that are left out. */
		if (length == 0 && isspace((unsigned char)*value))
			shown = 0;
		memcpy(text + length, value, shown);
		length += shown;
		value += bytes == 0 ? 1 : bytes;
	}
	while (length > 0 && text[length - 1] == ' ')
		length--;
	text[length] = 0;
}
