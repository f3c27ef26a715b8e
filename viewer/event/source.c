/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/source.c - lines of the source around a call of MPI
 *
 * The path comes from view.db, so the file is only read, and only if it is a
 * regular file.
 */

#include "viewer/event/source.h"

#include "viewer/event/ops.h"

#include "viewer/model/read.h"

#include "libpaths/log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ESV__SQL(source_site);

/* The most bytes of a file that are read to find a line. */
#define SOURCE_READ (INT64_C(8) << 20)

static paths_status
source_missing(const char *file)
{
	return paths_log_fail(PATHS_ENOENT, "%s: no source text is here", file);
}

/* Opens a regular file.  Others are not opened, because that may block or do
   something, such as rewind a tape. */
static FILE *
source_open(const char *file, struct stat *about)
{
	FILE *stream = NULL;
	int fd = -1;

	if (file[0] == '/' && stat(file, about) == 0 && S_ISREG(about->st_mode))
		fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && fstat(fd, about) == 0 && S_ISREG(about->st_mode))
		stream = fdopen(fd, "r");
	if (fd >= 0 && stream == NULL)
		(void)close(fd);
	return stream;
}

/* Takes a character of a line.  Returns false if it is not in a text. */
static bool
source_take(struct esv_source *source, uint32_t line, size_t *length, int c)
{
	char *to = source->lines[line - source->first];

	if (c == '\0')
		return false;
	source->line_count = line - source->first + 1;
	if (c != '\n' && *length + 1 < ESV_SOURCE_BYTES)
		to[(*length)++] = (char)c;
	return true;
}

/* Reads the lines from source->first on. */
static bool
source_read(struct esv_source *source, FILE *stream)
{
	uint32_t line = 1;
	size_t length = 0;

	for (int64_t bytes = 0; bytes < SOURCE_READ; bytes++) {
		int c = getc_unlocked(stream);

		if (c == EOF || line > source->line + ESV_SOURCE_AROUND)
			break;
		if (line >= source->first &&
		    !source_take(source, line, &length, c))
			return false;
		if (c == '\n') {
			line++;
			length = 0;
		}
	}
	return source->line - source->first < source->line_count;
}

/* Returns true if a file is newer than the begin of the run. */
static bool
source_changed(struct esv_model *model, const struct stat *about)
{
	char *began = NULL;
	bool changed = false;

	if (esv__read_meta(model, "start_realtime_ns", &began) == PATHS_OK &&
	    began != NULL)
		changed = (int64_t)about->st_mtim.tv_sec >
		    strtoll(began, NULL, 10) / 1000000000;
	free(began);
	return changed;
}

/* Reads the file and the line of the call site. */
static paths_status
source_site(const struct es_rows *rows, struct esv_source *source)
{
	int64_t line;
	paths_status st = esv__read_number(rows, 1, 1, INT32_MAX, &line);

	if (st != PATHS_OK)
		return st;
	source->file = esv__read_text(rows, 0);
	if (source->file == NULL)
		return paths_log_fail(PATHS_ENOMEM, "a path");
	source->line = (uint32_t)line;
	source->first =
	    line > ESV_SOURCE_AROUND ? (uint32_t)line - ESV_SOURCE_AROUND : 1;
	return PATHS_OK;
}

static paths_status
source_find(struct esv_model *model, const struct esv_event *event,
    struct esv_source *source)
{
	struct es_rows *rows;
	struct esv__ops ops;
	paths_status st;

	/* Operations on paths have no call sites. */
	if (!esv__ops_open(model, event->collector, &ops) || !ops.calls)
		return PATHS_OK;
	st = es_rows_try(model->store, esv__sql_source_site, &rows);
	if (st != PATHS_OK || rows == NULL)
		return st;
	st = es_rows_bind(rows, "collector", &ES_INT(event->collector));
	if (st == PATHS_OK)
		st = es_rows_bind(rows, "seq", &ES_INT((int64_t)event->seq));
	if (st == PATHS_OK)
		st = es_rows_next(rows);
	if (st == PATHS_OK)
		st = source_site(rows, source);
	es_rows_close(rows);
	return st;
}

paths_status
esv_event_source(struct esv_model *model, const struct esv_event *event,
    struct esv_source *source)
{
	struct stat about;
	FILE *stream;
	bool found;
	paths_status st;

	memset(source, 0, sizeof(*source));
	st = esv__ops_check(model);
	if (st == PATHS_OK)
		st = source_find(model, event, source);
	if (st != PATHS_OK)
		return st;
	if (source->file == NULL)
		return source_missing("this operation");
	stream = source_open(source->file, &about);
	if (stream == NULL)
		return source_missing(source->file);
	found = source_read(source, stream);
	(void)fclose(stream);
	if (!found)
		return source_missing(source->file);
	source->changed = source_changed(model, &about);
	return PATHS_OK;
}

void
esv_source_fini(struct esv_source *source)
{
	free(source->file);
}
