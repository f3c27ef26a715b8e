/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/planes.c - the classes of the buckets of a pyramid
 */

#include "viewer/timeline/planes.h"

#include "viewer/model/read.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static paths_status
planes_add(struct esv__planes *planes, const struct esv__plane *plane,
    const struct es_value *data)
{
	uint32_t count = (uint32_t)(data->bytes / sizeof(uint16_t));
	struct esv__plane *to;

	if (data->kind != ES_BLOB || count > ES_TIMELINE_CHUNK)
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s: a chunk of a class has not its size",
		    planes->model->file);
	if (!paths__array_grow(&planes->list, planes->count, &planes->room,
		sizeof(*planes->list)) ||
	    !paths__array_reserve(&planes->shares, planes->share_count + count,
		&planes->share_room, sizeof(*planes->shares)))
		return paths_log_fail(PATHS_ENOMEM, "a timeline");
	to = &planes->list[planes->count++];
	*to = *plane;
	to->first = planes->share_count;
	to->count = count;
	if (count > 0)
		memcpy(planes->shares + planes->share_count, data->as.blob,
		    count * sizeof(uint16_t));
	planes->share_count += count;
	return PATHS_OK;
}

/* Returns the number of a class such as "site-3"; ES_GROUPS: it is none. */
static uint32_t
planes_tint(const char *word)
{
	uint32_t colour, class;

	return es_colour_read(word, strlen(word), &colour, &class) ? class :
								     ES_GROUPS;
}

/* Takes a row of a table of classes; classes that are not known are ignored. */
static paths_status
planes_take(void *to, const struct es_rows *rows)
{
	struct esv__planes *planes = to;
	struct es_value name, data;
	int64_t pyramid, chunk;
	uint32_t group = 0;
	paths_status st = esv__read_number(rows, 0, 0, UINT32_MAX, &pyramid);

	if (st == PATHS_OK)
		st = esv__read_number(rows, 1, 0, INT64_MAX, &chunk);
	if (st != PATHS_OK)
		return st;
	es_rows_get(rows, 2, &name);
	es_rows_get(rows, 3, &data);
	if (name.kind != ES_TEXT)
		group = ES_GROUPS;
	else if (planes->tint)
		group = planes_tint(name.as.text);
	else
		while (group < ES_GROUPS &&
		    strcmp(es_operation_group_name(group), name.as.text) != 0)
			group++;
	return group == ES_GROUPS ?
	    PATHS_OK :
	    planes_add(planes,
		&(struct esv__plane){ .pyramid = (uint32_t)pyramid,
		    .chunk = (uint64_t)chunk,
		    .group = group,
		    .wait = planes->wait },
		&data);
}

/* Reads the shares of waiting, of a tint or of groups. */
static paths_status
planes_read(struct esv__planes *planes, const struct esv__zoom *zoom,
    const char *rows, uint32_t level, const uint64_t chunks[2])
{
	const char *table = planes->wait ? "timeline_wait" :
	    planes->tint		 ? "timeline_colour" :
					   "timeline_group";
	char *sql = NULL;
	paths_status st;

	if (asprintf(&sql,
		"SELECT row, chunk, class, data FROM %s WHERE row IN %s "
		"AND level = %u AND chunk BETWEEN %llu AND %llu "
		"AND class GLOB '%s*'",
		table, rows, level, (unsigned long long)chunks[0],
		(unsigned long long)chunks[1],
		planes->tint ? es_colour_name(zoom->by - ESV_BY_TINT) : "") < 0)
		return paths_log_fail(PATHS_ENOMEM, "a timeline");
	st = esv__read_each(planes->model, sql, planes_take, planes);
	free(sql);
	return st;
}

/* Returns the number of levels between a level and the first one that has
   classes. */
static unsigned
planes_finer(const struct esv__planes *planes, const struct esv__zoom *zoom,
    uint32_t level)
{
	uint32_t levels = planes->model->levels;
	uint32_t least = esv__zoom_is_tinted(zoom) ?
	    es_timeline_colour_level(levels) :
	    es_timeline_class_level(levels);

	return level < least ? least - level : 0;
}

static int
planes_compare(const void *a, const void *b)
{
	const struct esv__plane *x = a, *y = b;

	if (x->pyramid != y->pyramid)
		return x->pyramid < y->pyramid ? -1 : 1;
	return x->chunk < y->chunk ? -1 : x->chunk > y->chunk;
}

paths_status
esv__planes_fetch(struct esv__planes *planes, const struct esv__zoom *zoom,
    const char *rows, uint32_t level, const uint64_t chunks[2])
{
	unsigned finer = planes_finer(planes, zoom, level);
	const uint64_t of[2] = { chunks[0] >> finer, chunks[1] >> finer };
	paths_status st;

	if (!esv__zoom_has_classes(zoom))
		return PATHS_OK;
	planes->tint = esv__zoom_is_tinted(zoom);
	st = planes_read(planes, zoom, rows, level + finer, of);
	planes->wait = true;
	if (st == PATHS_OK && planes->model->waits && esv__zoom_has_waits(zoom))
		st = planes_read(planes, zoom, rows, level + finer, of);
	if (planes->count > 0)
		qsort(planes->list, planes->count, sizeof(*planes->list),
		    planes_compare);
	return st;
}

void
esv__planes_fini(struct esv__planes *planes)
{
	free(planes->list);
	free(planes->shares);
}

/* The shares of a chunk, by group; NULL: there are none. */
struct shares {
	const uint16_t *group[ES_GROUPS], *wait[ES_GROUPS];
	uint32_t group_count[ES_GROUPS], wait_count[ES_GROUPS];
	uint32_t groups[ES_GROUPS]; /* that have shares */
	uint32_t count;
};

/* Finds the shares of a chunk. */
static void
shares_find(const struct esv__planes *planes, uint32_t pyramid, uint64_t chunk,
    struct shares *shares)
{
	const struct esv__plane key = { .pyramid = pyramid, .chunk = chunk };
	const struct esv__plane *end, *p;

	if (planes->count == 0)
		return;
	end = planes->list + planes->count;
	p = bsearch(&key, planes->list, planes->count, sizeof(*planes->list),
	    planes_compare);
	while (
	    p != NULL && p > planes->list && planes_compare(p - 1, &key) == 0)
		p--;
	for (; p != NULL && p < end && planes_compare(p, &key) == 0; p++) {
		const uint16_t *first = planes->shares + p->first;

		(p->wait ? shares->wait : shares->group)[p->group] = first;
		(p->wait ? shares->wait_count : shares->group_count)[p->group] =
		    p->count;
	}
}

static uint32_t
share_at(const uint16_t *shares, uint32_t count, uint32_t n)
{
	return shares != NULL && n < count ? le16toh(shares[n]) : 0;
}

/* The sums over the classes of a bucket. */
struct sums {
	uint32_t all, hidden, wait;
	uint32_t most; /* of a group that is not hidden, without waiting */
	uint8_t code;  /* of that group */
};

static struct sums
shares_sum(const struct shares *s, const struct esv__zoom *zoom, uint32_t n)
{
	struct sums sums = { .code = ESV_CLASS_NONE };
	bool waits = esv__zoom_has_waits(zoom);

	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t g = s->groups[i];
		uint32_t all = share_at(s->group[g], s->group_count[g], n);
		uint32_t wait = share_at(s->wait[g], s->wait_count[g], n);

		sums.all += all;
		if (zoom->codes[g] == ESV__CODE_HIDDEN) {
			sums.hidden += all;
			continue;
		}
		wait = !waits ? 0 : wait < all ? wait : all;
		sums.wait += wait;
		if (all - wait >= sums.most && all > 0) {
			sums.most = all - wait;
			sums.code = zoom->codes[g];
		}
	}
	return sums;
}

/* Applies the sums of classes to a bucket. */
static struct esv__bucket
bucket_of(const struct es_timeline_bucket *from, const struct sums *sums)
{
	uint32_t covered = le16toh(from->covered);
	struct esv__bucket b = { .longest_ns = le32toh(from->longest_ns),
		.group = sums->code,
		.code = sums->code };
	uint64_t shown = sums->all - sums->hidden;

	if (sums->all == 0) {
		b.covered = (uint16_t)covered;
		return b;
	}
	b.covered = (uint16_t)((covered * shown + sums->all / 2) / sums->all);
	b.wait = (uint16_t)(((uint64_t)covered * sums->wait + sums->all / 2) /
	    sums->all);
	if (shown == 0)
		b.longest_ns = 0;
	if (sums->wait > 0 && 2 * (uint64_t)sums->wait >= shown)
		b.code = ESV_CLASS_WAIT;
	return b;
}

/* The chunk that is decoded, and its shares. */
struct decoding {
	const struct esv__zoom *zoom;
	const struct esv__planes_of *of;
	struct shares shares;
	uint32_t alone; /* the class of all operations, for decoding_single */
	unsigned finer; /* 1: two buckets have one share; 2: four */
	uint32_t first; /* bucket, in the chunk of shares */
};

/* Returns the sums of a bucket whose operations are of one group. */
static struct sums
decoding_single(const struct decoding *d, uint32_t n)
{
	const struct es_timeline_bucket *from = d->of->from;
	const struct shares *s = &d->shares;
	uint32_t group = d->alone;
	uint32_t one = n & ~d->finer, other = n | d->finer;
	struct sums sums = { .code = d->zoom->codes[group] };
	uint32_t wait = share_at(s->wait[group], s->wait_count[group],
	    (d->first + n) >> d->finer);

	/* Both buckets of a pair have the same classes. */
	other = other < d->of->count ? other : n;
	sums.all = ((uint32_t)le16toh(from[one].covered) +
		       le16toh(from[other].covered)) /
	    2;
	if (sums.code == ESV__CODE_HIDDEN)
		sums.hidden = sums.all;
	else if (esv__zoom_has_waits(d->zoom))
		sums.wait = wait < sums.all ? wait : sums.all;
	return sums;
}

void
esv__planes_decode(const struct esv__planes *planes,
    const struct esv__zoom *zoom, const struct esv__planes_of *of,
    struct esv__bucket *to)
{
	unsigned finer = planes_finer(planes, zoom, of->level);
	uint64_t chunk = of->number >> finer;
	struct decoding d = { .zoom = zoom,
		.of = of,
		.alone = of->group,
		.finer = finer,
		.first = (uint32_t)(of->number * ES_TIMELINE_CHUNK -
		    (chunk << finer) * ES_TIMELINE_CHUNK) };
	bool single = esv__zoom_has_classes(zoom) && of->group < ES_GROUPS &&
	    !esv__zoom_is_tinted(zoom);

	if (esv__zoom_has_classes(zoom))
		shares_find(planes, of->pyramid, chunk, &d.shares);
	for (uint32_t g = 0; g < ES_GROUPS; g++)
		if (d.shares.group[g] != NULL)
			d.shares.groups[d.shares.count++] = g;
	/* No operation has the property, as a peer on paths. */
	if (esv__zoom_is_tinted(zoom) && d.shares.count == 0) {
		d.alone = ES_COLOUR_NONE;
		single = true;
	}
	for (uint32_t n = 0; n < of->count; n++) {
		struct sums sums = single ?
		    decoding_single(&d, n) :
		    shares_sum(&d.shares, zoom, (d.first + n) >> finer);

		to[n] = bucket_of(&of->from[n], &sums);
	}
}
