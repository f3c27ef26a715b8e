/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/link_private.h - the requests and answers by which the
 * proxies of a path map are measured
 *
 * A link leads from a process to another one through a proxy.  eventspace
 * calibrate writes a map of its own (link_map.c), with a path for each
 * link and paths by which the first process asks the others to measure.
 * `eventspace run` starts link-node for all processes of that map
 * (link_node_main.c).  The first process writes the model into the run
 * directory, from which the launcher brings it.
 */

#ifndef SCOPES_CALIBRATE_LINK_PRIVATE_H
#define SCOPES_CALIBRATE_LINK_PRIVATE_H

#include "libpaths/map.h"

/* Largest number of links that are measured. */
#define ES__LINKS_MOST 256u

/* Longest tuple that is measured, in bytes. */
#define ES__LINK_LONGEST (1u << 20)

/* Names in the map for measuring; a number follows. */
#define ES__LINK_PATH "link"
#define ES__LINK_ASK "ask"
#define ES__LINK_ANSWER "answer"
#define ES__LINK_THREAD "thread"

/* Name of the model in the run directory. */
#define ES__LINK_MODEL "calibrated.model"

struct es__link {
	uint32_t from, to; /* processes */
	enum paths_map_via via;
};

/* Largest number of sizes in a request. */
#define ES__LINK_SIZES 64u

/* A request of the first process: to write tuples of some sizes through a
   link. */
struct es__link_ask {
	uint32_t link;
	uint32_t count;	   /* number of sizes; 0: the process ends */
	uint32_t limit_ms; /* time after which no further write begins */
	/* Smallest number of writes of a size that gives an answer. */
	uint32_t least;
	uint32_t bytes[ES__LINK_SIZES];
	uint32_t turns[ES__LINK_SIZES]; /* writes of each size */
};

/* The answer: the median time of a write of each size; 0: there was no time. */
struct es__link_answer {
	double seconds[ES__LINK_SIZES];
};

/* The types of requests and answers in a map. */
#define ES__LINK_ASK_TYPE "u32*132"
#define ES__LINK_ANSWER_TYPE "f64*64"

#endif
