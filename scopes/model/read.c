/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/read.c - reads the file of a model
 *
 * eventspace-model(5) describes the format.  The last line is "end", so that a
 * file that was cut is noticed.
 */

#include "scopes/model/read_private.h"

#include "scopes/model/file_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A larger file is no model. */
#define READ_MOST (UINT64_C(1) << 26)
#define READ_BLANKS " \t"

struct reader {
	const char *name;
	unsigned line;
	char *at; /* rest of the line */
	struct es_model *model;
	struct es_model_locality *locality; /* NULL: none has begun */
	struct es_model_segments *segments; /* NULL: no fit has begun */
	/* Stream of the locality. */
	struct es_model_stream grid;
	size_t counts_room, sizes_room, times_room;
	uint64_t seen; /* words that may come once, from the table */
	bool ended;
};

/* Reports what is wrong with the line. */
static paths_status reader_fail(const struct reader *r, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

static paths_status
reader_fail(const struct reader *r, const char *fmt, ...)
{
	char text[PATHS_LOG_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return paths_log_fail(PATHS_ESYNTAX, "%s:%u: %s", r->name, r->line,
	    text);
}

/* Takes the next word of the line; NULL: there is none. */
static char *
reader_word(struct reader *r)
{
	char *word = r->at + strspn(r->at, READ_BLANKS);

	if (*word == 0)
		return NULL;
	r->at = word + strcspn(word, READ_BLANKS);
	if (*r->at != 0)
		*r->at++ = 0;
	return word;
}

static paths_status
reader_whole(struct reader *r, const char *what, uint64_t *number)
{
	const char *word = reader_word(r);
	char *end;

	if (word == NULL)
		return reader_fail(r, "%s is missing", what);
	errno = 0;
	*number = strtoull(word, &end, 10);
	if (*word < '0' || *word > '9' || *end != 0 || errno != 0)
		return reader_fail(r, "%s is \"%.40s\", not a whole number",
		    what, word);
	return PATHS_OK;
}

/* Reads a number that is not negative. */
static paths_status
reader_number(struct reader *r, const char *what, double *number)
{
	const char *word = reader_word(r);
	char *end;

	if (word == NULL)
		return reader_fail(r, "%s is missing", what);
	*number = strtod(word, &end);
	if (strspn(word, "0123456789.eE+-") != strlen(word) || *end != 0 ||
	    !isfinite(*number) || !(*number >= 0))
		return reader_fail(r, "%s is \"%.40s\", not a number from 0 on",
		    what, word);
	return PATHS_OK;
}

/* Checks that the line has no more words. */
static paths_status
reader_close(struct reader *r)
{
	const char *word = reader_word(r);

	return word == NULL ? PATHS_OK :
			      reader_fail(r, "unexpected word \"%.40s\"", word);
}

/* Gives the reason of a function of the model the place in the file. */
static paths_status
reader_refused(const struct reader *r, paths_status st)
{
	char reason[PATHS_LOG_BYTES];

	if (st != PATHS_EINVAL)
		return st;
	snprintf(reason, sizeof(reason), "%s", paths_log_last());
	return reader_fail(r, "%s", reason);
}

/* Ends the stream of the locality that has begun. */
static paths_status
reader_end_stream(struct reader *r)
{
	paths_status st = PATHS_OK;

	if (r->grid.size_count == 0)
		return PATHS_OK;
	if (r->grid.count_count == 0)
		return reader_fail(r, "stream-sizes is followed by no stream");
	st = es_model_set_stream(r->model,
	    (uint32_t)(r->locality - r->model->localities), &r->grid);
	r->grid.size_count = 0;
	r->grid.count_count = 0;
	return reader_refused(r, st);
}

static paths_status
read_locality(struct reader *r)
{
	const char *name = reader_word(r);
	uint32_t n;
	paths_status st;

	if (name == NULL)
		return reader_fail(r, "locality has no name");
	st = reader_end_stream(r);
	if (st != PATHS_OK)
		return st;
	st = reader_refused(r, es_model_add_locality(r->model, name, &n));
	if (st != PATHS_OK)
		return st;
	r->locality = &r->model->localities[n];
	r->segments = NULL;
	return reader_close(r);
}

/* Reads the rest of a line as keys and numbers; those in errors count only if
   samples are told. */
static paths_status
reader_key(struct reader *r, const char *key, struct es_model_error *error)
{
	if (strcmp(key, "samples") == 0)
		return reader_whole(r, key, &error->samples);
	if (strcmp(key, "median") == 0)
		return reader_number(r, key, &error->median);
	if (strcmp(key, "p90") == 0)
		return reader_number(r, key, &error->p90);
	if (strcmp(key, "rms") == 0)
		return reader_number(r, key, &error->rms);
	return reader_fail(r, "unknown word \"%.40s\"", key);
}

static paths_status
read_fit(struct reader *r)
{
	const char *word = reader_word(r);
	struct es_model_error error = { 0, NAN, NAN, NAN };
	paths_status st = PATHS_OK;
	size_t fit = 0;

	if (r->locality == NULL)
		return reader_fail(r, "a fit comes before its locality");
	while (fit < ES_MODEL_FITS &&
	    (word == NULL || strcmp(word, es__model_fits[fit]) != 0))
		fit++;
	if (fit == ES_MODEL_FITS)
		return reader_fail(r, "a fit is paper or segments");
	r->segments = &r->locality->fits[fit];
	if (r->segments->count > 0)
		return reader_fail(r, "the locality has this fit already");
	while (st == PATHS_OK && (word = reader_word(r)) != NULL)
		st = reader_key(r, word, &error);
	r->segments->error = error;
	return st;
}

static paths_status
segment_key(struct reader *r, const char *key, struct es_model_segment *segment)
{
	if (strcmp(key, "alpha") == 0)
		return reader_number(r, key, &segment->alpha_s);
	if (strcmp(key, "rate") == 0)
		return reader_number(r, key, &segment->rate);
	if (strcmp(key, "node-rate") == 0)
		return reader_number(r, key, &segment->node_rate);
	if (strcmp(key, "protocol") == 0) {
		const char *word = reader_word(r);

		if (word == NULL || strlen(word) >= ES_MODEL_NAME_BYTES)
			return reader_fail(r, "a protocol is a short word");
		strcpy(segment->protocol, word);
		return PATHS_OK;
	}
	return reader_key(r, key, &segment->error);
}

static paths_status
read_segment(struct reader *r)
{
	struct es_model_segment segment = { .alpha_s = NAN,
		.rate = INFINITY,
		.node_rate = INFINITY,
		.error = { 0, NAN, NAN, NAN } };
	const char *key;
	paths_status st;

	if (r->segments == NULL)
		return reader_fail(r, "a segment comes before its fit");
	st = reader_whole(r, "the first size", &segment.first_bytes);
	while (st == PATHS_OK && (key = reader_word(r)) != NULL)
		st = segment_key(r, key, &segment);
	if (st == PATHS_OK && isnan(segment.alpha_s))
		st = reader_fail(r, "the segment has no alpha");
	if (st != PATHS_OK)
		return st;
	return reader_refused(r, es_model_add_segment(r->segments, &segment));
}

static paths_status
read_sizes(struct reader *r)
{
	struct es_model_stream *grid = &r->grid;
	paths_status st = PATHS_OK;

	if (r->locality == NULL || grid->size_count > 0 ||
	    r->locality->stream.counts != NULL)
		return reader_fail(r, "stream-sizes comes once in a locality");
	do {
		if (!paths__array_grow(&grid->sizes, grid->size_count,
			&r->sizes_room, sizeof(*grid->sizes)))
			return es__model_no_memory();
		st = reader_whole(r, "a size", &grid->sizes[grid->size_count]);
		if (st == PATHS_OK)
			grid->size_count++;
	} while (st == PATHS_OK && r->at[strspn(r->at, READ_BLANKS)] != 0);
	return st;
}

static paths_status
read_stream(struct reader *r)
{
	struct es_model_stream *grid = &r->grid;
	size_t at = grid->count_count * grid->size_count;
	paths_status st;

	if (grid->size_count == 0)
		return reader_fail(r, "stream comes before stream-sizes");
	if (!paths__array_grow(&grid->counts, grid->count_count,
		&r->counts_room, sizeof(*grid->counts)) ||
	    !paths__array_reserve(&grid->message_s, at + grid->size_count,
		&r->times_room, sizeof(*grid->message_s)))
		return es__model_no_memory();
	st = reader_whole(r, "the number of messages",
	    &grid->counts[grid->count_count]);
	for (size_t n = 0; st == PATHS_OK && n < grid->size_count; n++)
		st = reader_number(r, "a time", &grid->message_s[at + n]);
	if (st != PATHS_OK)
		return st;
	grid->count_count++;
	return reader_close(r);
}

static paths_status
read_between(struct reader *r)
{
	if (r->locality == NULL)
		return reader_fail(r, "between-hosts comes before a locality");
	r->locality->between_hosts = true;
	return reader_close(r);
}

static paths_status
read_pair(struct reader *r)
{
	const char *a = reader_word(r), *b = reader_word(r);
	paths_status st;

	if (r->locality == NULL)
		return reader_fail(r, "pair comes before a locality");
	if (b == NULL)
		return reader_fail(r, "a pair is two names of hosts");
	st = es_model_add_pair(r->model,
	    (uint32_t)(r->locality - r->model->localities), a, b);
	return st == PATHS_OK ? reader_close(r) : reader_refused(r, st);
}

static paths_status
read_eager(struct reader *r, bool probed)
{
	uint64_t bytes;
	paths_status st = reader_whole(r, "the limit", &bytes);

	if (st != PATHS_OK)
		return st;
	if (r->locality == NULL)
		return reader_fail(r, "a limit comes before its locality");
	*(probed ? &r->locality->eager_probed : &r->locality->eager_asked) =
	    bytes;
	return reader_close(r);
}

static paths_status
read_asked(struct reader *r)
{
	return read_eager(r, false);
}

static paths_status
read_probed(struct reader *r)
{
	return read_eager(r, true);
}

static paths_status
read_queue(struct reader *r)
{
	const char *word = reader_word(r);

	for (unsigned n = 0; word != NULL && n <= ES_MODEL_QUEUE_PEERS; n++)
		if (strcmp(word, es__model_queues[n]) == 0) {
			r->model->queue = (enum es_model_queue)n;
			return reader_close(r);
		}
	return reader_fail(r, "a queue is one, peers or unknown");
}

static paths_status
read_gamma_at(struct reader *r)
{
	struct es_model_gamma gamma;
	paths_status st =
	    reader_whole(r, "the number of messages", &gamma.messages);

	if (st == PATHS_OK)
		st = reader_number(r, "gamma", &gamma.gamma_s);
	if (st == PATHS_OK)
		st = reader_refused(r, es_model_add_gamma(r->model, gamma));
	return st == PATHS_OK ? reader_close(r) : st;
}

static paths_status
read_end(struct reader *r)
{
	paths_status st = reader_end_stream(r);

	r->ended = true;
	return st == PATHS_OK ? reader_close(r) : st;
}

/* Lines with more than one number, or none. */
static const struct {
	const char *word;
	paths_status (*read)(struct reader *);
} read_lines[] = {
	{ "queue", read_queue },
	{ "gamma-at", read_gamma_at },
	{ "locality", read_locality },
	{ "between-hosts", read_between },
	{ "pair", read_pair },
	{ "eager-asked", read_asked },
	{ "eager-probed", read_probed },
	{ "fit", read_fit },
	{ "segment", read_segment },
	{ "stream-sizes", read_sizes },
	{ "stream", read_stream },
	{ "end", read_end },
};

/* Lines with one number. */
static const struct {
	const char *word;
	size_t at; /* in struct es_model */
} read_numbers[] = {
	{ "gamma", offsetof(struct es_model, gamma_s) },
	{ "delta", offsetof(struct es_model, delta_s) },
	{ "drift", offsetof(struct es_model, drift) },
	{ "drift-limit", offsetof(struct es_model, drift_limit) },
	{ "hops", offsetof(struct es_model, hops) },
};

#define READ_COUNT(table) (sizeof(table) / sizeof(*(table)))

/* Notes a word that may come once, the n-th of all of these. */
static paths_status
reader_once(struct reader *r, size_t n, const char *word)
{
	uint64_t bit = UINT64_C(1) << n;

	if ((r->seen & bit) != 0)
		return reader_fail(r, "there is a second %s", word);
	r->seen |= bit;
	return PATHS_OK;
}

static paths_status
read_line(struct reader *r, const char *word)
{
	paths_status st;

	for (size_t n = 0; n < es__model_text_count; n++)
		if (strcmp(word, es__model_texts[n].word) == 0) {
			es_model_set_text((char *)r->model +
				es__model_texts[n].at,
			    r->at);
			return reader_once(r, n, word);
		}
	for (size_t n = 0; n < READ_COUNT(read_numbers); n++)
		if (strcmp(word, read_numbers[n].word) == 0) {
			double *to =
			    (double *)((char *)r->model + read_numbers[n].at);

			st = reader_once(r, es__model_text_count + n, word);
			if (st == PATHS_OK)
				st = reader_number(r, word, to);
			return st == PATHS_OK ? reader_close(r) : st;
		}
	for (size_t n = 0; n < READ_COUNT(read_lines); n++)
		if (strcmp(word, read_lines[n].word) == 0)
			return read_lines[n].read(r);
	return reader_fail(r, "unknown word \"%.40s\"", word);
}

static paths_status
read_first(struct reader *r)
{
	const char *magic = reader_word(r), *version = reader_word(r);

	if (magic == NULL || strcmp(magic, ES__MODEL_FILE_MAGIC) != 0)
		return reader_fail(r,
		    "no model: the first line is not \"" ES__MODEL_FILE_MAGIC
		    " " ES__MODEL_FILE_VERSION "\"");
	if (version == NULL || strcmp(version, ES__MODEL_FILE_VERSION) != 0)
		return reader_fail(r,
		    "a model of version %.40s; only " ES__MODEL_FILE_VERSION
		    " can be read",
		    version == NULL ? "0" : version);
	return reader_close(r);
}

/* Reads lines, which are changed. */
static paths_status
read_all(struct reader *r, char *text)
{
	paths_status st = PATHS_OK;

	for (char *next = text; st == PATHS_OK && next != NULL;) {
		const char *word;

		r->at = next;
		r->line++;
		next = strchr(next, '\n');
		if (next != NULL)
			*next++ = 0;
		if (r->line == 1) {
			st = read_first(r);
			continue;
		}
		word = reader_word(r);
		if (word == NULL || *word == '#')
			continue;
		st = r->ended ? reader_fail(r, "there is text after end") :
				read_line(r, word);
	}
	if (st == PATHS_OK && !r->ended)
		st = reader_fail(r, "the file ends before the line end");
	return st;
}

paths_status
es_model_read_text(const char *name, const char *text, size_t bytes,
    struct es_model **model)
{
	struct reader r = { .name = name };
	char *copy;
	paths_status st;

	if (memchr(text, 0, bytes) != NULL)
		return paths_log_fail(PATHS_ESYNTAX,
		    "%s: no model: there is a 0 byte in it", name);
	copy = strndup(text, bytes);
	if (copy == NULL)
		return es__model_no_memory();
	st = es_model_create(&r.model);
	if (st == PATHS_OK)
		st = read_all(&r, copy);
	free(copy);
	free(r.grid.counts);
	free(r.grid.sizes);
	free(r.grid.message_s);
	if (st == PATHS_OK)
		*model = r.model;
	else
		es_model_free(r.model);
	return st;
}

/* Reads a whole file, without more than READ_MOST bytes. */
static paths_status
read_file(FILE *from, const char *file, char **text, size_t *bytes)
{
	size_t room = 0;

	*text = NULL;
	*bytes = 0;
	do {
		if (!paths__array_reserve(text, *bytes + 4096, &room, 1))
			return es__model_no_memory();
		*bytes += fread(*text + *bytes, 1, room - *bytes, from);
	} while (!feof(from) && !ferror(from) && *bytes <= READ_MOST);
	if (ferror(from))
		return paths_log_fail(PATHS_EIO, "%s cannot be read: %s", file,
		    strerror(errno));
	if (*bytes > READ_MOST)
		return paths_log_fail(PATHS_ESYNTAX,
		    "%s: no model: it is too large", file);
	return PATHS_OK;
}

paths_status
es__model_read_stream(FILE *from, const char *file, struct es_model **model)
{
	char *text;
	size_t bytes;
	paths_status st = read_file(from, file, &text, &bytes);

	if (st == PATHS_OK)
		st = es_model_read_text(file, text, bytes, model);
	free(text);
	return st;
}

paths_status
es_model_read(const char *file, struct es_model **model)
{
	FILE *from = fopen(file, "re");
	paths_status st;

	if (from == NULL)
		return paths_log_fail(errno == ENOENT ? PATHS_ENOENT :
							PATHS_EIO,
		    "%s cannot be opened: %s", file, strerror(errno));
	st = es__model_read_stream(from, file, model);
	fclose(from);
	return st;
}
