/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/coverage.c - the share of communication, and the classes, in
 * each pixel
 */

#include "viewer/timeline/coverage.h"

#include "viewer/model/read.h"
#include "viewer/timeline/coverage_tuples.h"
#include "viewer/timeline/planes.h"
#include "viewer/timeline/unreturned.h"

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "scopes/timeline.h"

#include <endian.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SLOTS 4096u
#define HUGE_PAGE ((size_t)2 << 20)

/* A smaller part of a pixel is a rounding error. */
#define SLIVER 1e-6

/* A chunk of a pyramid in the cache. */
struct chunk {
	struct chunk *next;	       /* in the same slot */
	struct chunk *older, *younger; /* in the order of last use */
	uint64_t number;
	uint32_t pyramid, level;
	uint32_t count;
	struct esv__bucket buckets[ES_TIMELINE_CHUNK];
};

struct esv_coverage {
	struct chunk *slots[SLOTS]; /* hash table with chaining */
	struct chunk *oldest, *youngest;
	struct chunk *chunks;
	uint64_t most, used; /* of chunks */
	uint64_t queries, reads;
	float *rare_ns;		  /* of each row; 0: not computed yet */
	struct esv__spans *spans; /* of each thread */
	uint32_t threads;
	uint8_t *groups; /* of each pyramid, as struct esv_row has it */
	uint32_t pyramids;
	/* The classes of the chunks. */
	enum esv_colour_by by;
	uint32_t hidden;
};

static size_t
chunk_slot(uint32_t pyramid, uint32_t level, uint64_t number)
{
	uint64_t key =
	    ((uint64_t)level << 58) ^ ((uint64_t)pyramid << 32) ^ number;

	return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 52) % SLOTS;
}

static struct chunk *
coverage_find(const struct esv_coverage *c, uint32_t pyramid, uint32_t level,
    uint64_t number)
{
	struct chunk *chunk = c->slots[chunk_slot(pyramid, level, number)];

	while (chunk != NULL &&
	    (chunk->pyramid != pyramid || chunk->level != level ||
		chunk->number != number))
		chunk = chunk->next;
	return chunk;
}

static void
coverage_unlink(struct esv_coverage *c, struct chunk *chunk)
{
	*(chunk->older ? &chunk->older->younger : &c->oldest) = chunk->younger;
	*(chunk->younger ? &chunk->younger->older : &c->youngest) =
	    chunk->older;
}

static void
coverage_link(struct esv_coverage *c, struct chunk *chunk)
{
	chunk->older = c->youngest;
	chunk->younger = NULL;
	*(c->youngest ? &c->youngest->younger : &c->oldest) = chunk;
	c->youngest = chunk;
}

/* Returns an unused chunk, or evicts the least recently used one.  The current
   frame does not need that one: see ESV__COVERAGE_GROUP. */
static struct chunk *
coverage_room(struct esv_coverage *c)
{
	struct chunk *chunk = c->oldest;
	struct chunk **at;

	if (c->used < c->most)
		return &c->chunks[c->used++];
	at = &c->slots[chunk_slot(chunk->pyramid, chunk->level, chunk->number)];
	while (*at != chunk)
		at = &(*at)->next;
	*at = chunk->next;
	coverage_unlink(c, chunk);
	return chunk;
}

static uint64_t
level_buckets(const struct esv_model *model, uint32_t level)
{
	return ((model->buckets - 1) >> level) + 1;
}

/* Sets the codes of groups. */
static void
zoom_codes(struct esv__zoom *zoom)
{
	bool coloured = zoom->by == ESV_BY_GROUP ||
	    zoom->by == ESV_BY_FUNCTION || esv__zoom_is_tinted(zoom);

	for (uint32_t g = 0; g < ES_GROUPS; g++) {
		uint8_t class = (uint8_t)(ESV_CLASS_GROUP + g);

		zoom->codes[g] = coloured ? class : ESV_CLASS_NONE;
		if ((zoom->hidden >> class & 1) != 0)
			zoom->codes[g] = ESV__CODE_HIDDEN;
	}
}

static struct esv__zoom
zoom_of(const struct esv_model *model, const struct esv_window *window)
{
	struct esv__zoom z = { .t0_ns = window->t0_ns,
		.span_ns = window->span_ns,
		.width = window->width,
		.scale = window->width / window->span_ns,
		.bucket_ns = (double)model->bucket_ns,
		.first = 1,
		.by = window->by,
		.hidden = window->hidden };
	double pixel_ns = window->span_ns / window->width;
	double first, last, buckets;

	zoom_codes(&z);
	if (model->levels == 0)
		return z;
	z.fine = z.bucket_ns > pixel_ns;
	while (z.level + 1 < model->levels && 2 * z.bucket_ns <= pixel_ns) {
		z.bucket_ns *= 2;
		z.level++;
	}
	buckets = (double)level_buckets(model, z.level);
	first = fmax(floor(z.t0_ns / z.bucket_ns), 0);
	last = fmin(floor((z.t0_ns + z.span_ns) / z.bucket_ns), buckets - 1);
	if (last < first)
		return z;
	z.first = (uint64_t)first;
	z.last = (uint64_t)last;
	return z;
}

struct esv__zoom
esv__coverage_zoom(const struct esv_model *model,
    const struct esv_window *window, const uint32_t *rows, uint32_t count)
{
	struct esv__zoom z = zoom_of(model, window);
	uint64_t left = ESV_STRIPS_TUPLES;

	z.tuples = z.fine && z.first <= z.last;
	for (uint32_t n = 0; z.tuples && n < count; n++) {
		uint64_t tuples =
		    esv__coverage_tuples_readable(model, rows[n]) ?
		    esv__coverage_tuples_count(model, &z, rows[n]) :
		    0;

		z.tuples = tuples <= left;
		left -= tuples;
	}
	return z;
}

/* The chunks that rows are drawn from: [first, last] of a level. */
struct coverage_want {
	struct esv_model *model;
	const struct esv__zoom *zoom;
	struct esv__planes planes;
	uint32_t level;
	uint64_t first, last;
	uint64_t from, to; /* missing from the cache; to < from: none */
	bool tuples;	   /* readable rows need no chunks */
};

/* Returns the pyramid that a row is drawn from; NONE: it needs none. */
static uint32_t
want_pyramid(const struct coverage_want *want, uint32_t row)
{
	return want->tuples && esv__coverage_tuples_readable(want->model, row) ?
	    PATHS_NONE :
	    want->model->rows[row].pyramid;
}

static struct coverage_want
want_of(struct esv_model *model, const struct esv__zoom *zoom)
{
	return (struct coverage_want){ .model = model,
		.zoom = zoom,
		.level = zoom->level,
		.first = zoom->first / ES_TIMELINE_CHUNK,
		.last = zoom->last / ES_TIMELINE_CHUNK,
		.tuples = zoom->tuples };
}

/* Marks chunks as used.  Returns false if some are not in the cache. */
static bool
want_kept(struct coverage_want *want, uint32_t pyramid)
{
	struct esv_coverage *c = want->model->coverage;
	bool all = true;

	for (uint64_t n = want->first; n <= want->last; n++) {
		struct chunk *chunk = coverage_find(c, pyramid, want->level, n);

		if (chunk != NULL) {
			coverage_unlink(c, chunk);
			coverage_link(c, chunk);
			continue;
		}
		all = false;
		want->from = n < want->from ? n : want->from;
		want->to = n > want->to ? n : want->to;
	}
	return all;
}

static paths_status
want_keep(const struct coverage_want *want, uint32_t pyramid, uint64_t number,
    const struct es_value *data)
{
	struct esv_coverage *c = want->model->coverage;
	uint64_t count = level_buckets(want->model, want->level) -
	    number * ES_TIMELINE_CHUNK;
	struct chunk *chunk, **slot;

	if (count > ES_TIMELINE_CHUNK)
		count = ES_TIMELINE_CHUNK;
	if (data->kind != ES_BLOB ||
	    data->bytes != count * sizeof(struct es_timeline_bucket))
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s: a chunk of timeline_level has not its size",
		    want->model->file);
	if (coverage_find(c, pyramid, want->level, number) != NULL)
		return PATHS_OK;
	chunk = coverage_room(c);
	c->reads++;
	slot = &c->slots[chunk_slot(pyramid, want->level, number)];
	chunk->next = *slot;
	chunk->number = number;
	chunk->pyramid = pyramid;
	chunk->level = want->level;
	chunk->count = (uint32_t)count;
	esv__planes_decode(&want->planes, want->zoom,
	    &(struct esv__planes_of){ pyramid, c->groups[pyramid], want->level,
		number, data->as.blob, chunk->count },
	    chunk->buckets);
	*slot = chunk;
	coverage_link(c, chunk);
	return PATHS_OK;
}

static paths_status
want_take(void *to, const struct es_rows *rows)
{
	const struct coverage_want *want = to;
	struct es_value data;
	int64_t pyramid, number;
	paths_status st = esv__read_number(rows, 0, 0,
	    (int64_t)want->model->coverage->pyramids - 1, &pyramid);

	if (st == PATHS_OK)
		st = esv__read_number(rows, 1, (int64_t)want->from,
		    (int64_t)want->to, &number);
	if (st != PATHS_OK)
		return st;
	es_rows_get(rows, 2, &data);
	return want_keep(want, (uint32_t)pyramid, (uint64_t)number, &data);
}

/* Lists the pyramids of rows that lack chunks, as "(1,2". */
static void
want_list(struct coverage_want *want, const uint32_t *rows, uint32_t count,
    FILE *text)
{
	const char *mark = "(";

	want->from = UINT64_MAX;
	want->to = 0;
	for (uint32_t n = 0; n < count; n++) {
		uint32_t pyramid = want_pyramid(want, rows[n]);

		if (pyramid == PATHS_NONE || want_kept(want, pyramid))
			continue;
		fprintf(text, "%s%u", mark, pyramid);
		mark = ",";
	}
	fputs(")", text);
}

/* Fetches the missing chunks of a list of pyramids, and their classes. */
static paths_status
want_query(struct coverage_want *want, const char *list)
{
	struct esv_model *model = want->model;
	const uint64_t chunks[2] = { want->from, want->to };
	char *sql = NULL;
	paths_status st;

	want->planes = (struct esv__planes){ .model = model };
	if (asprintf(&sql,
		"SELECT row, chunk, data FROM timeline_level WHERE row IN %s "
		"AND level = %u AND chunk BETWEEN %llu AND %llu",
		list, want->level, (unsigned long long)want->from,
		(unsigned long long)want->to) < 0)
		return paths_log_fail(PATHS_ENOMEM, "a timeline");
	model->coverage->queries++;
	st = esv__planes_fetch(&want->planes, want->zoom, list, want->level,
	    chunks);
	if (st == PATHS_OK)
		st = esv__read_each(model, sql, want_take, want);
	esv__planes_fini(&want->planes);
	free(sql);
	return st;
}

/* Fetches the missing chunks of all rows. */
static paths_status
want_fetch(struct coverage_want *want, const uint32_t *rows, uint32_t count)
{
	char *list = NULL;
	size_t bytes;
	FILE *text = open_memstream(&list, &bytes);
	paths_status st = PATHS_OK;

	if (text == NULL)
		return paths_log_fail(PATHS_ENOMEM, "a timeline");
	want_list(want, rows, count, text);
	if (ferror(text))
		st = paths_log_fail(PATHS_ENOMEM, "a timeline");
	if (fclose(text) != 0 && st == PATHS_OK)
		st = paths_log_fail(PATHS_ENOMEM, "a timeline");
	if (st == PATHS_OK && *list == '(')
		st = want_query(want, list);
	free(list);
	return st;
}

/* Fetches missing chunks, and checks that the database had them all. */
static paths_status
want_get(struct coverage_want *want, const uint32_t *rows, uint32_t count)
{
	struct esv_model *model = want->model;
	paths_status st = want_fetch(want, rows, count);

	for (uint32_t n = 0; st == PATHS_OK && n < count; n++) {
		uint32_t pyramid = want_pyramid(want, rows[n]);

		if (pyramid != PATHS_NONE && !want_kept(want, pyramid))
			st = paths_log_fail(PATHS_EDAMAGED,
			    "%s: timeline_level lacks chunks of row %u",
			    model->file, pyramid);
	}
	return st;
}

static int
compare_longest(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Returns ESV_STRIPS_RARE times the median of the longest operations in each
   part of the run. */
static float
rare_of(const struct chunk *chunk)
{
	uint32_t longest[ES_TIMELINE_CHUNK];
	uint32_t count = 0;

	for (uint32_t n = 0; chunk != NULL && n < chunk->count; n++) {
		longest[count] = chunk->buckets[n].longest_ns;
		count += longest[count] > 0;
	}
	if (count == 0)
		return INFINITY;
	qsort(longest, count, sizeof(*longest), compare_longest);
	return (float)ESV_STRIPS_RARE * (float)longest[count / 2];
}

/* Computes rare_ns of the rows that are drawn for the first time. */
static paths_status
coverage_learn(struct esv_model *model, const struct esv__zoom *zoom,
    const uint32_t *rows, uint32_t count)
{
	struct esv_coverage *c = model->coverage;
	struct coverage_want want = { .model = model, .zoom = zoom };
	uint32_t *news = calloc((size_t)count + 1, sizeof(*news));
	uint32_t new_count = 0;
	paths_status st = PATHS_OK;

	if (news == NULL)
		return paths_log_fail(PATHS_ENOMEM, "a timeline");
	for (uint32_t n = 0; n < count; n++) {
		if (c->rare_ns[rows[n]] == 0 &&
		    model->rows[rows[n]].pyramid != PATHS_NONE)
			news[new_count++] = rows[n];
	}
	while (level_buckets(model, want.level) > ES_TIMELINE_CHUNK)
		want.level++;
	if (new_count > 0)
		st = want_get(&want, news, new_count);
	for (uint32_t n = 0; st == PATHS_OK && n < new_count; n++)
		c->rare_ns[news[n]] = rare_of(coverage_find(c,
		    model->rows[news[n]].pyramid, want.level, 0));
	free(news);
	return st;
}

/* Returns the number of chunks of a row, on all levels. */
static uint64_t
row_chunks(const struct esv_model *model)
{
	uint64_t count = 0;

	for (uint32_t level = 0; level < model->levels; level++)
		count +=
		    (level_buckets(model, level) - 1) / ES_TIMELINE_CHUNK + 1;
	return count;
}

/* Notes the group of each pyramid. */
static bool
coverage_groups(struct esv_coverage *c, const struct esv_model *model)
{
	for (uint32_t n = 0; n < model->row_count; n++)
		if (model->rows[n].pyramid != PATHS_NONE &&
		    model->rows[n].pyramid >= c->pyramids)
			c->pyramids = model->rows[n].pyramid + 1;
	c->groups = malloc((size_t)c->pyramids + 1);
	if (c->groups == NULL)
		return false;
	memset(c->groups, ES_GROUPS, (size_t)c->pyramids + 1);
	for (uint32_t n = 0; n < model->row_count; n++)
		if (model->rows[n].pyramid != PATHS_NONE)
			c->groups[model->rows[n].pyramid] =
			    (uint8_t)model->rows[n].group;
	return true;
}

/* Drops all chunks if they have not the classes that are drawn. */
static void
coverage_turn(struct esv_coverage *c, const struct esv__zoom *zoom)
{
	if (c->by == zoom->by && c->hidden == zoom->hidden)
		return;
	memset(c->slots, 0, sizeof(c->slots));
	c->oldest = c->youngest = NULL;
	c->used = 0;
	c->by = zoom->by;
	c->hidden = zoom->hidden;
}

/* Allocates the cache and touches its pages; page faults would take most of the
   time of the first frames. */
static bool
coverage_make(struct esv_coverage *c, const struct esv_model *model)
{
	uint64_t row = row_chunks(model);
	size_t bytes;

	c->most = row > ESV__COVERAGE_MOST / model->row_count ?
	    ESV__COVERAGE_MOST :
	    row * model->row_count;
	bytes = (size_t)(c->most * sizeof(*c->chunks) + HUGE_PAGE - 1) /
	    HUGE_PAGE * HUGE_PAGE;
	c->chunks = aligned_alloc(HUGE_PAGE, bytes);
	c->rare_ns = calloc(model->row_count, sizeof(*c->rare_ns));
	c->spans = calloc((size_t)model->thread_count + 1, sizeof(*c->spans));
	c->threads = model->thread_count;
	if (c->chunks == NULL || c->rare_ns == NULL || c->spans == NULL ||
	    !coverage_groups(c, model))
		return false;
	/* madvise is only a hint: small pages are slower, not wrong. */
	(void)madvise(c->chunks, bytes, MADV_HUGEPAGE);
	memset(c->chunks, 0, c->most * sizeof(*c->chunks));
	return true;
}

static void
coverage_close(struct esv_coverage *coverage)
{
	if (coverage == NULL)
		return;
	for (uint32_t n = 0; coverage->spans != NULL && n < coverage->threads;
	     n++)
		free(coverage->spans[n].list);
	free(coverage->spans);
	free(coverage->chunks);
	free(coverage->rare_ns);
	free(coverage->groups);
	free(coverage);
}

static paths_status
coverage_open(struct esv_model *model)
{
	struct esv_coverage *c = calloc(1, sizeof(*c));

	if (c == NULL || !coverage_make(c, model)) {
		coverage_close(c);
		return paths_log_fail(PATHS_ENOMEM, "a timeline");
	}
	model->coverage = c;
	model->coverage_close = coverage_close;
	return PATHS_OK;
}

uint32_t
esv__coverage_group(const struct esv__zoom *zoom)
{
	uint64_t chunks = zoom->last < zoom->first ?
	    1 :
	    zoom->last / ES_TIMELINE_CHUNK - zoom->first / ES_TIMELINE_CHUNK +
		1;

	return chunks < ESV__COVERAGE_GROUP ?
	    ESV__COVERAGE_GROUP / (uint32_t)chunks :
	    1;
}

paths_status
esv__coverage_need(struct esv_model *model, const struct esv__zoom *zoom,
    const uint32_t *rows, uint32_t count)
{
	struct coverage_want want;
	paths_status st = PATHS_OK;

	if (model->levels == 0)
		return PATHS_OK;
	if (model->coverage == NULL)
		st = coverage_open(model);
	if (st != PATHS_OK)
		return st;
	coverage_turn(model->coverage, zoom);
	st = coverage_learn(model, zoom, rows, count);
	if (st == PATHS_OK && zoom->first <= zoom->last) {
		want = want_of(model, zoom);
		st = want_get(&want, rows, count);
	}
	return st;
}

static inline uint8_t
bucket_code(const struct esv__bucket *b, const struct esv__pixels *pixels)
{
	return pixels->split ? b->group : b->code;
}

/* Adds a bucket that covers [x0, x1). */
static void
row_add_part(const struct esv__bucket *b, double x0, double x1,
    struct esv__pixels *pixels)
{
	if (x0 >= x1 || b->longest_ns == 0)
		return;
	esv__pixels_add(pixels, x0, x1, b->covered * (1.0 / 65535),
	    bucket_code(b, pixels));
	if (b->wait > 0)
		esv__pixels_wait(pixels, x0, x1, b->wait * (1.0 / 65535));
	esv__pixels_touch(pixels, x0, x1, b->longest_ns);
}

/* Adds a bucket that may lie partly outside the window. */
static void
row_add_bucket(const struct esv__bucket *b, double x0,
    const struct esv__zoom *zoom, struct esv__pixels *pixels)
{
	double x1 = x0 + zoom->bucket_ns * zoom->scale;

	row_add_part(b, x0 > 0 ? x0 : 0, x1 < zoom->width ? x1 : zoom->width,
	    pixels);
}

/* Adds the classes of buckets as row_add_small adds their shares. */
static void
row_add_small_classes(const struct esv__bucket *b, uint32_t count, double x0,
    double wide, struct esv__pixels *pixels)
{
	for (uint32_t n = 0; n < count; n++) {
		double x = x0 + n * wide;
		uint32_t p = (uint32_t)x;
		double first = p + 1 - x < wide ? p + 1 - x : wide;
		double rest = wide - first;
		double one = b[n].covered * first, two = b[n].covered * rest;
		double wait = b[n].wait * (1.0 / 65535);
		bool more = one > pixels->most[p];
		bool next = two > pixels->most[p + 1];
		uint8_t code = bucket_code(&b[n], pixels);

		pixels->wait[p] += wait * first;
		pixels->wait[p + 1] += wait * rest;
		pixels->most[p] = more ? one : pixels->most[p];
		pixels->code[p] = more ? code : pixels->code[p];
		pixels->most[p + 1] = next ? two : pixels->most[p + 1];
		pixels->code[p + 1] = next ? code : pixels->code[p + 1];
	}
}

/* Adds `count` buckets that are at most one pixel wide.  Each touches one pixel
   or two.  Both are always written, without a branch; the pixel after the last
   one exists for this. */
static void
row_add_small(const struct esv__bucket *b, uint32_t count, double x0,
    double wide, struct esv__pixels *pixels)
{
	for (uint32_t n = 0; n < count; n++) {
		double x = x0 + n * wide;
		uint32_t p = (uint32_t)x;
		double part = b[n].covered * (1.0 / 65535);
		double first = p + 1 - x < wide ? p + 1 - x : wide;
		double longest = b[n].longest_ns;
		double beyond = first < wide ? longest : 0;
		double *at = &pixels->longest_ns[p];

		pixels->share[p] += part * first;
		pixels->share[p + 1] += part * (wide - first);
		at[0] = longest > at[0] ? longest : at[0];
		at[1] = beyond > at[1] ? beyond : at[1];
	}
}

/* Adds `count` buckets that are wider than a pixel, pixel by pixel.  Each pixel
   touches one bucket or two. */
static void
row_add_wide(const struct esv__bucket *b, uint32_t count, double x0,
    double wide, struct esv__pixels *pixels)
{
	double x1 = x0 + count * wide, per_pixel = 1 / wide;
	uint32_t first = (uint32_t)ceil(x0), end = (uint32_t)x1;

	row_add_part(b, x0, first, pixels);
	for (uint32_t x = first; x < end; x++) {
		double at = (x - x0) * per_pixel;
		uint32_t n = (uint32_t)at;
		double rest = (n + 1 - at) * wide;
		uint32_t next = n + (rest < 1 && n + 1 < count);
		double part = rest < 1 ? rest : 1;
		uint32_t longest = rest > SLIVER ? b[n].longest_ns : 0;
		uint32_t beyond = rest < 1 - SLIVER ? b[next].longest_ns : 0;
		double one = b[n].covered * part;
		double two = b[next].covered * (1 - part);

		pixels->share[x] += (one + two) * (1.0 / 65535);
		pixels->wait[x] +=
		    (b[n].wait * part + b[next].wait * (1 - part)) *
		    (1.0 / 65535);
		pixels->code[x] =
		    bucket_code(&b[one >= two ? n : next], pixels);
		longest = longest > beyond ? longest : beyond;
		if (pixels->longest_ns[x] < longest)
			pixels->longest_ns[x] = longest;
	}
	row_add_part(&b[count - 1], end, x1, pixels);
}

static void
row_add_chunk(const struct chunk *chunk, const struct esv__zoom *zoom,
    struct esv__pixels *pixels)
{
	uint64_t first = chunk->number * ES_TIMELINE_CHUNK;
	uint64_t from = zoom->first > first ? zoom->first - first : 0;
	uint64_t to = zoom->last - first + 1;
	double wide = zoom->bucket_ns * zoom->scale;
	double x0 =
	    ((double)first * zoom->bucket_ns - zoom->t0_ns) * zoom->scale;

	if (to > chunk->count)
		to = chunk->count;
	/* Only the first and last visible buckets may be cut. */
	while (from < to && x0 + (double)from * wide < 0) {
		row_add_bucket(&chunk->buckets[from], x0 + (double)from * wide,
		    zoom, pixels);
		from++;
	}
	while (from < to && x0 + (double)to * wide > zoom->width - 1) {
		to--;
		row_add_bucket(&chunk->buckets[to], x0 + (double)to * wide,
		    zoom, pixels);
	}
	if (from < to)
		(wide > 1 ? row_add_wide : row_add_small)(&chunk->buckets[from],
		    (uint32_t)(to - from), x0 + (double)from * wide, wide,
		    pixels);
	if (from < to && wide <= 1 && zoom->by != ESV_BY_SHARE)
		row_add_small_classes(&chunk->buckets[from],
		    (uint32_t)(to - from), x0 + (double)from * wide, wide,
		    pixels);
}

/* Fills the pixels of a row, but for the waits in calls that did not return. */
static paths_status
coverage_fill(struct esv_model *model, const struct esv__zoom *zoom,
    uint32_t row, struct esv__pixels *pixels)
{
	uint32_t pyramid = model->rows[row].pyramid;

	memset(pixels->share, 0, zoom->width * sizeof(*pixels->share));
	memset(pixels->longest_ns, 0,
	    zoom->width * sizeof(*pixels->longest_ns));
	memset(pixels->wait, 0, zoom->width * sizeof(*pixels->wait));
	memset(pixels->most, 0, zoom->width * sizeof(*pixels->most));
	memset(pixels->code, 0, zoom->width * sizeof(*pixels->code));
	pixels->coarse = false;
	if (pyramid == PATHS_NONE || zoom->last < zoom->first)
		return PATHS_OK;
	if (zoom->fine && !esv__coverage_tuples_readable(model, row)) {
		pixels->coarse = true;
	} else if (zoom->tuples) {
		return esv__coverage_tuples_draw(model, zoom, row,
		    model->coverage->spans, pixels);
	}
	for (uint64_t n = zoom->first / ES_TIMELINE_CHUNK;
	     n <= zoom->last / ES_TIMELINE_CHUNK; n++) {
		const struct chunk *chunk =
		    coverage_find(model->coverage, pyramid, zoom->level, n);

		if (chunk != NULL)
			row_add_chunk(chunk, zoom, pixels);
	}
	return PATHS_OK;
}

paths_status
esv__coverage_row(struct esv_model *model, const struct esv__zoom *zoom,
    uint32_t row, struct esv__pixels *pixels)
{
	paths_status st = coverage_fill(model, zoom, row, pixels);

	if (st != PATHS_OK || !model->waits || !esv__zoom_has_waits(zoom))
		return st;
	return esv__unreturned_draw(model, zoom, row, pixels);
}

double
esv__coverage_rare_ns(const struct esv_model *model, uint32_t row)
{
	float rare_ns =
	    model->coverage != NULL ? model->coverage->rare_ns[row] : 0;

	return rare_ns > 0 ? rare_ns : INFINITY;
}

struct esv__coverage_cost
esv__coverage_cost(const struct esv_model *model)
{
	const struct esv_coverage *c = model->coverage;

	return c == NULL ? (struct esv__coverage_cost){ 0 } :
			   (struct esv__coverage_cost){ c->queries, c->reads,
				   c->most * sizeof(*c->chunks) };
}
