/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/threads.h - the threads that a chart shows, or the processes or
 * hosts that they are part of
 *
 * These are the threads, processes or hosts of esv__sheet_level.
 */

#ifndef VIEWER_PLOT_THREADS_H
#define VIEWER_PLOT_THREADS_H

#include "viewer/plot/sheet.h"

/* Returns an element for each thread of the run, true for those of
   options->rows; of a level above threads, true for those with a thread that is
   shown.  NULL: all are shown. */
const bool *esv__threads_shown(struct esv__sheet *sheet);

/* Returns true if a thread is shown. */
bool esv__threads_shows(const struct esv__sheet *sheet, const bool *threads,
    int64_t id);

/* Returns the id of the process, host or thread of the level that a thread is
   part of. */
uint32_t esv__threads_part(const struct esv__sheet *sheet, uint32_t thread);

/* Returns what the level adds up, as a thing that shapes stand for. */
struct esv_thing esv__threads_thing(const struct esv__sheet *sheet, int64_t id);

/* Returns the plural of the level: "threads", or "ranks". */
const char *esv__threads_plural(struct esv__sheet *sheet);

/* The threads that are shown, in the order of the map. */
struct esv__threads {
	enum esv_thing_kind kind;
	uint32_t *place;    /* by thread of the run; UINT32_MAX: not shown */
	const char **names; /* names and ids of the threads shown */
	uint32_t *ids;
	uint32_t count, all;
};

/* Returns false when no thread is shown. */
bool esv__threads_open(struct esv__threads *threads, struct esv__sheet *sheet);
uint32_t esv__threads_place(const struct esv__threads *threads, int64_t id);
void esv__threads_name(const struct esv__threads *threads,
    struct esv_axis *axis, uint32_t fold);

#endif
