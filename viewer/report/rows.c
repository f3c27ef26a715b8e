/* SPDX-License-Identifier: MIT */
/*
 * viewer/report/rows.c - the timeline inside a page, as its script reads it
 *
 * The whole run in at most MOST_BUCKETS of each row; the script makes the
 * coarser levels.  A bucket is two bytes: how much of it was communication, of
 * 255, and how long the longest operation was that touches it, as 1 + 4 log2 of
 * its ns.  First all of the one, then all of the other.
 */

#include "viewer/chart/timeline.h"
#include "viewer/report/report_private.h"
#include "viewer/timeline/coverage.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"
#include "scopes/show/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BUCKETS 10000u

/* In all rows together, so that a page can be mailed. */
#define ALL_BUCKETS 1500000u

static void
page_base64(FILE *to, const void *bytes, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm"
				     "nopqrstuvwxyz0123456789+/";
	const unsigned char *from = bytes;

	for (size_t n = 0; n < size; n += 3) {
		size_t left = size - n;
		uint32_t three = (uint32_t)from[n] << 16;

		if (left > 1)
			three |= (uint32_t)from[n + 1] << 8;
		if (left > 2)
			three |= from[n + 2];
		putc(digits[three >> 18], to);
		putc(digits[three >> 12 & 63], to);
		putc(left > 1 ? digits[three >> 6 & 63] : '=', to);
		putc(left > 2 ? digits[three & 63] : '=', to);
	}
}

/* The buckets of a page, and of one row while it is written. */
struct page {
	FILE *to;
	struct esv_model *model;
	struct esv__zoom zoom;
	struct esv__pixels pixels;
	unsigned char *bytes; /* 2 * zoom.width */
};

static unsigned char
page_longest(double ns)
{
	return ns < 1.0 ? 0 : (unsigned char)fmin(1.0 + 4.0 * log2(ns), 255.0);
}

/* Some is not nothing, and almost all not all. */
static unsigned char
page_share(double share)
{
	if (share <= 0.0)
		return 0;
	return (unsigned char)fmin(fmax(rint(share * 255.0), 1.0), 255.0);
}

static void
page_row(struct page *page, uint32_t n)
{
	const struct esv_row *row = &page->model->rows[n];
	uint32_t width = page->zoom.width;

	fputs("{\"name\":", page->to);
	es_json_write(page->to, row->name);
	fprintf(page->to, ",\"depth\":%" PRIu32 ",\"data\":\"", row->depth);
	if (row->pyramid != PATHS_NONE) {
		esv__coverage_row(page->model, &page->zoom, n, &page->pixels);
		for (uint32_t x = 0; x < width; x++) {
			page->bytes[x] = page_share(page->pixels.share[x]);
			page->bytes[width + x] =
			    page_longest(page->pixels.longest_ns[x]);
		}
		page_base64(page->to, page->bytes, 2 * (size_t)width);
	}
	fputs("\"}", page->to);
}

static paths_status
page_rows(struct page *page, const uint32_t *rows, uint32_t count)
{
	uint32_t group = esv__coverage_group(&page->zoom), some;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < count && st == PATHS_OK; n += some) {
		some = count - n < group ? count - n : group;
		st = esv__coverage_need(page->model, &page->zoom, rows + n,
		    some);
		for (uint32_t i = n; i < n + some && st == PATHS_OK; i++) {
			fputs(i == 0 ? "\n" : ",\n", page->to);
			page_row(page, rows[i]);
		}
	}
	return st;
}

/* As fine as there is something to see, and as there is room for. */
static uint32_t
page_width(const struct esv_model *model, uint32_t rows)
{
	double width = fmin((double)model->buckets * 64.0, MOST_BUCKETS);

	return (uint32_t)fmax(fmin(width, (double)ALL_BUCKETS / rows), 64.0);
}

/* Writes the texts that the script shows for codes of page_longest. */
static void
page_durations(struct page *page)
{
	char text[PATHS_UNIT_TEXT_BYTES];
	unsigned most = page_longest((double)page->model->span_ns);

	fputs("\"durations\":[\"\"", page->to);
	for (unsigned code = 1; code <= most; code++)
		fprintf(page->to, ",\"%s\"",
		    paths_unit_text(PATHS_UNIT_TIME, exp2((code - 1) / 4.0),
			text));
	fputs("],\n", page->to);
}

/* Writes the units of times, the largest first, and texts of 0 to 100 %. */
static void
page_units(struct page *page)
{
	char text[PATHS_UNIT_TEXT_BYTES];
	const char *name;

	fputs("\"units\":[", page->to);
	for (double size = 1e9; size >= 1.0; size /= 1e3) {
		double scale = paths_unit_scale(PATHS_UNIT_TIME, size, &name);

		fprintf(page->to, "%s[\"%s\",%.0f]", size < 1e9 ? "," : "",
		    name, scale);
	}
	fputs("],\"shares\":[", page->to);
	for (int n = 0; n <= 100; n++)
		fprintf(page->to, "%s\"%s\"", n > 0 ? "," : "",
		    paths_unit_text(PATHS_UNIT_SHARE, n / 100.0, text));
	fputs("],", page->to);
}

static paths_status
page_write(struct page *page, const uint32_t *rows, uint32_t count)
{
	struct esv_window all = { .span_ns = (double)page->model->span_ns,
		.width = page_width(page->model, count) };
	paths_status st;

	page->zoom = esv__coverage_zoom(page->model, &all, rows, count);
	page->pixels.share = calloc(all.width + 1, sizeof(double));
	page->pixels.longest_ns = calloc(all.width + 1, sizeof(double));
	page->bytes = calloc(all.width, 2);
	fprintf(page->to,
	    "{\"span\":%" PRId64 ",\"bucket\":%.17g,\"count\":%" PRIu32 ",\n",
	    page->model->span_ns, all.span_ns / all.width, all.width);
	page_units(page);
	page_durations(page);
	fputs("\"rows\":[", page->to);
	st = page->pixels.share == NULL || page->pixels.longest_ns == NULL ||
		page->bytes == NULL ?
	    paths_log_fail(PATHS_ENOMEM, "rows of a page") :
	    page_rows(page, rows, count);
	fputs("]}", page->to);
	free(page->pixels.share);
	free(page->pixels.longest_ns);
	free(page->bytes);
	return st;
}

paths_status
esv__report_rows(FILE *to, struct esv_model *model)
{
	struct page page = { .to = to, .model = model };
	uint32_t *rows = calloc(model->row_count + 1, sizeof(*rows));
	paths_status st;

	if (rows == NULL)
		return paths_log_fail(PATHS_ENOMEM, "rows of a page");
	st = page_write(&page, rows, esv_timeline_rows(model, rows));
	free(rows);
	return st;
}
