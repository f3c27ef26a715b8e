/* SPDX-License-Identifier: MIT */
/*
 * viewer/report/rows.c - the rows of the timeline for the script of a page
 *
 * The run is divided into at most MOST_BUCKETS buckets; the script computes
 * the coarser levels.  A bucket is four bytes: its share of communication,
 * times 255; the duration d of the longest operation that touches it, as
 * 1 + 4 log2 of d in ns; its share of waiting, times 255; and the class of most
 * of the rest of its communication.  The first bytes of all buckets precede the
 * second, and so on.
 */

#include "viewer/report/rows.h"

#include "viewer/chart/timeline.h"
#include "viewer/timeline/coverage.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"
#include "scopes/show/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BUCKETS 10000u
#define BYTES 4u /* of a bucket */

/* The most buckets of all rows together, so that a page can be mailed. */
#define ALL_BUCKETS 1500000u

static void
rows_base64(FILE *to, const void *bytes, size_t size)
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

/* The page, and the buckets of the row that is written. */
struct rows_page {
	FILE *to;
	struct esv_model *model;
	struct esv__zoom zoom;
	struct esv__pixels pixels;
	unsigned char *bytes; /* BYTES * zoom.width */
};

static unsigned char
rows_longest(double ns)
{
	return ns < 1.0 ? 0 : (unsigned char)fmin(1.0 + 4.0 * log2(ns), 255.0);
}

/* Converts a share to 0 to 255; only a share of 0 becomes 0. */
static unsigned char
rows_share(double share)
{
	if (share <= 0.0)
		return 0;
	return (unsigned char)fmin(fmax(rint(share * 255.0), 1.0), 255.0);
}

static paths_status
rows_put(struct rows_page *page, uint32_t n)
{
	const struct esv_row *row = &page->model->rows[n];
	uint32_t width = page->zoom.width;
	paths_status st = PATHS_OK;

	fputs("{\"name\":", page->to);
	es_json_write(page->to, row->name);
	fprintf(page->to,
	    ",\"depth\":%" PRIu32 ",\"threads\":%" PRIu32 ",\"data\":\"",
	    row->depth, row->threads);
	if (row->pyramid != PATHS_NONE) {
		st = esv__coverage_row(page->model, &page->zoom, n,
		    &page->pixels);
		for (uint32_t x = 0; x < width; x++) {
			page->bytes[x] = rows_share(page->pixels.share[x]);
			page->bytes[width + x] =
			    rows_longest(page->pixels.longest_ns[x]);
			page->bytes[2 * width + x] =
			    rows_share(page->pixels.wait[x]);
			page->bytes[3 * width + x] = page->pixels.code[x];
		}
		rows_base64(page->to, page->bytes, BYTES * (size_t)width);
	}
	fputs("\"}", page->to);
	return st;
}

static paths_status
rows_put_all(struct rows_page *page, const uint32_t *rows, uint32_t count)
{
	uint32_t group = esv__coverage_group(&page->zoom), some;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < count && st == PATHS_OK; n += some) {
		some = count - n < group ? count - n : group;
		st = esv__coverage_need(page->model, &page->zoom, rows + n,
		    some);
		for (uint32_t i = n; i < n + some && st == PATHS_OK; i++) {
			fputs(i == 0 ? "\n" : ",\n", page->to);
			st = rows_put(page, rows[i]);
		}
	}
	return st;
}

/* Returns the number of buckets of a row. */
static uint32_t
rows_width(const struct esv_model *model, uint32_t rows)
{
	double width = fmin((double)model->buckets * 64.0, MOST_BUCKETS);

	return (uint32_t)fmax(fmin(width, (double)ALL_BUCKETS / rows), 64.0);
}

/* Writes the texts that the script shows for codes of rows_longest. */
static void
rows_durations(struct rows_page *page)
{
	char text[PATHS_UNIT_TEXT_BYTES];
	unsigned most = rows_longest((double)page->model->span_ns);

	fputs("\"durations\":[\"\"", page->to);
	for (unsigned code = 1; code <= most; code++)
		fprintf(page->to, ",\"%s\"",
		    paths_unit_text(PATHS_UNIT_TIME, exp2((code - 1) / 4.0),
			text));
	fputs("],\n", page->to);
}

/* Writes the units of times, the largest first, and texts of 0 to 100 %. */
static void
rows_units(struct rows_page *page)
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
rows_page_write(struct rows_page *page, const uint32_t *rows, uint32_t count)
{
	struct esv_window all = { .span_ns = (double)page->model->span_ns,
		.width = rows_width(page->model, count),
		.by = ESV_BY_GROUP };
	struct esv__pixels *pixels = &page->pixels;
	paths_status st;

	page->zoom = esv__coverage_zoom(page->model, &all, rows, count);
	*pixels = (struct esv__pixels){ .split = true };
	pixels->share = calloc(all.width + 1, sizeof(double));
	pixels->wait = calloc(all.width + 1, sizeof(double));
	pixels->most = calloc(all.width + 1, sizeof(double));
	pixels->longest_ns = calloc(all.width + 1, sizeof(double));
	pixels->code = calloc(all.width + 1, 1);
	page->bytes = calloc(all.width, BYTES);
	fprintf(page->to,
	    "{\"span\":%" PRId64 ",\"bucket\":%.17g,\"count\":%" PRIu32
	    ",\"threads\":\"%s\",\n",
	    page->model->span_ns, all.span_ns / all.width, all.width,
	    page->model->ranks ? "ranks" : "threads");
	rows_units(page);
	rows_durations(page);
	fputs("\"rows\":[", page->to);
	st = pixels->share == NULL || pixels->wait == NULL ||
		pixels->most == NULL || pixels->longest_ns == NULL ||
		pixels->code == NULL || page->bytes == NULL ?
	    paths_log_fail(PATHS_ENOMEM, "rows of a page") :
	    rows_put_all(page, rows, count);
	fputs("]}", page->to);
	free(pixels->share);
	free(pixels->wait);
	free(pixels->most);
	free(pixels->longest_ns);
	free(pixels->code);
	free(page->bytes);
	return st;
}

paths_status
esv__rows_write(FILE *to, struct esv_model *model)
{
	struct rows_page page = { .to = to, .model = model };
	uint32_t *rows = calloc(model->row_count + 1, sizeof(*rows));
	paths_status st;

	if (rows == NULL)
		return paths_log_fail(PATHS_ENOMEM, "rows of a page");
	st = rows_page_write(&page, rows, esv_timeline_rows(model, rows));
	free(rows);
	return st;
}
