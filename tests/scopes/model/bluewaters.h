/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/model/bluewaters.h - times that were measured on Blue Waters
 *
 * Source: github.com/bienz2/BlueWatersModel; the licence is beside the files.
 */

#ifndef TESTS_SCOPES_MODEL_BLUEWATERS_H
#define TESTS_SCOPES_MODEL_BLUEWATERS_H

#include "scopes/model.h"

struct bluewaters_samples {
	struct es_model_sample *list;
	size_t count, room;
};

struct bluewaters_bursts {
	struct es_model_burst *list;
	size_t count, room;
};

/* Returns the path of a file, which the next call overwrites. */
const char *bluewaters_path(const char *file);

/* Read times of ping-pongs, and of bursts of messages; the caller frees the
   list. */
struct bluewaters_samples bluewaters_samples(const char *file);
struct bluewaters_bursts bluewaters_bursts(const char *file);

/* Communication of an operation on a level of a multigrid hierarchy. */
struct bluewaters_level {
	bool product; /* A*P; else A*x */
	unsigned level;
	double most, bytes, byte_hops, seconds;
	/* For one process, by locality (0: intra-socket) and protocol. */
	double count[3][3], size[3][3];
};

/* Reads levels, each with the least of its measured times.  Returns their
   number. */
size_t bluewaters_levels(struct bluewaters_level *levels, size_t room);

#endif
