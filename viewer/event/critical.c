/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/critical.c - the critical path of a run, from view.db
 */

#include "viewer/event/critical.h"

#include "viewer/model/read.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>

struct critical {
	struct esv_model *model;
	const struct esv_window *window;
	struct esv_links *links;
	struct esv_link part; /* the longest one of the last pixel */
	double pixel;	      /* of that part */
	bool has;
	int64_t last_ns; /* start of the part in the middle of a pixel */
};

/* Reads a row of critical_hop: thread, start_ns, stop_ns. */
static paths_status
critical_read(const struct esv_model *model, const struct es_rows *rows,
    struct esv_link *part)
{
	int64_t thread;
	paths_status st = model->thread_count == 0 ?
	    paths_log_fail(PATHS_EDAMAGED, "%s: critical_hop has no threads",
		model->file) :
	    esv__read_number(rows, 0, 0, (int64_t)model->thread_count - 1,
		&thread);

	if (st == PATHS_OK)
		st = esv__read_number(rows, 1, 0, INT64_MAX, &part->from_ns);
	if (st == PATHS_OK)
		st = esv__read_number(rows, 2, part->from_ns, INT64_MAX,
		    &part->to_ns);
	if (st == PATHS_OK)
		part->from_row = part->to_row = model->thread_rows[thread];
	return st;
}

static double
critical_pixel(const struct critical *c, int64_t ns)
{
	return floor(((double)ns - c->window->t0_ns) * c->window->width /
	    c->window->span_ns);
}

static paths_status
critical_flush(struct critical *c)
{
	bool has = c->has;

	c->has = false;
	return has ? esv_links_add(c->links, SIZE_MAX, &c->part) : PATHS_OK;
}

static paths_status
critical_take(void *to, const struct es_rows *rows)
{
	struct critical *c = to;
	struct esv_link part;
	double pixel;
	paths_status st = critical_read(c->model, rows, &part);

	if (st != PATHS_OK)
		return st;
	pixel = critical_pixel(c, part.from_ns);
	if (c->has && pixel == c->pixel &&
	    critical_pixel(c, part.to_ns) == pixel) {
		if (part.to_ns - part.from_ns > c->part.to_ns - c->part.from_ns)
			c->part = part;
		return PATHS_OK;
	}
	st = critical_flush(c);
	c->part = part;
	c->pixel = pixel;
	c->has = true;
	return st == PATHS_OK && critical_pixel(c, part.to_ns) > pixel ?
	    critical_flush(c) :
	    st;
}

static paths_status
count_take(void *to, const struct es_rows *rows)
{
	return esv__read_number(rows, 0, 0, INT64_MAX, to);
}

/* Counts the parts that begin in a window.  They are numbered in the order of
   time, so that only the ends are read. */
static paths_status
critical_count(const struct critical *c, int64_t *count)
{
	char sql[300];

	snprintf(sql, sizeof(sql),
	    "SELECT max(ifnull((SELECT hop FROM critical_hop "
	    "WHERE start_ns <= %lld ORDER BY start_ns DESC, hop DESC LIMIT 1) - "
	    "(SELECT hop FROM critical_hop WHERE start_ns >= %lld "
	    "ORDER BY start_ns, hop LIMIT 1), 0), 0)",
	    esv__read_limit(c->window->t0_ns + c->window->span_ns),
	    esv__read_limit(c->window->t0_ns));
	return esv__read_each(c->model, sql, count_take, count);
}

/* Reads all parts of a window. */
static paths_status
critical_all(struct critical *c)
{
	char sql[300];

	snprintf(sql, sizeof(sql),
	    "SELECT thread, start_ns, stop_ns FROM critical_hop "
	    "WHERE start_ns <= %lld AND start_ns >= ifnull((SELECT "
	    "max(start_ns) FROM critical_hop WHERE start_ns <= %lld), 0) "
	    "AND stop_ns >= %lld ORDER BY start_ns",
	    esv__read_limit(c->window->t0_ns + c->window->span_ns),
	    esv__read_limit(c->window->t0_ns),
	    esv__read_limit(c->window->t0_ns));
	return esv__read_each(c->model, sql, critical_take, c);
}

/* Takes the part in the middle of a pixel, unless the last one has it too. */
static paths_status
middles_take(void *to, const struct es_rows *rows)
{
	struct critical *c = to;
	int64_t start_ns;
	paths_status st = esv__read_number(rows, 1, 0, INT64_MAX, &start_ns);

	if (st != PATHS_OK || start_ns == c->last_ns)
		return st;
	c->last_ns = start_ns;
	return critical_take(to, rows);
}

/* Reads the part in the middle of each pixel. */
static paths_status
critical_middles(struct critical *c)
{
	double pixel_ns = c->window->span_ns / c->window->width;
	char sql[500];

	snprintf(sql, sizeof(sql),
	    "WITH RECURSIVE pixel(n) AS (SELECT 0 UNION ALL SELECT n + 1 "
	    "FROM pixel WHERE n + 1 < %u) "
	    "SELECT h.thread, h.start_ns, h.stop_ns FROM pixel "
	    "JOIN critical_hop h ON h.start_ns = (SELECT max(start_ns) "
	    "FROM critical_hop WHERE start_ns <= %.17g + n * %.17g) "
	    "WHERE h.stop_ns >= %lld ORDER BY n",
	    c->window->width, c->window->t0_ns + pixel_ns / 2, pixel_ns,
	    esv__read_limit(c->window->t0_ns));
	return esv__read_each(c->model, sql, middles_take, c);
}

paths_status
esv_event_critical(struct esv_model *model, const struct esv_window *window,
    struct esv_links *links)
{
	struct critical c = { .model = model,
		.window = window,
		.links = links,
		.last_ns = -1 };
	int64_t count = 0;
	paths_status st;

	if (!model->critical)
		return PATHS_OK;
	st = critical_count(&c, &count);
	if (st == PATHS_OK)
		st = count / ESV_CRITICAL_PARTS >= window->width &&
			isfinite(window->t0_ns) && isfinite(window->span_ns) ?
		    critical_middles(&c) :
		    critical_all(&c);
	return st == PATHS_OK ? critical_flush(&c) : st;
}

static paths_status
hop_take(void *to, const struct es_rows *rows)
{
	struct critical *c = to;

	c->has = true;
	return critical_read(c->model, rows, &c->part);
}

paths_status
esv_event_hop(struct esv_model *model, double ns, int direction,
    struct esv_link *hop)
{
	struct critical c = { .model = model };
	char sql[200];
	paths_status st;

	if (!model->critical)
		return PATHS_ENOENT;
	snprintf(sql, sizeof(sql),
	    "SELECT thread, start_ns, stop_ns FROM critical_hop "
	    "WHERE start_ns %s %lld ORDER BY start_ns %s LIMIT 1",
	    direction > 0 ? ">" : "<", esv__read_limit(ns),
	    direction > 0 ? "" : "DESC");
	st = esv__read_each(model, sql, hop_take, &c);
	if (st != PATHS_OK || !c.has)
		return st == PATHS_OK ? PATHS_ENOENT : st;
	*hop = c.part;
	return PATHS_OK;
}
