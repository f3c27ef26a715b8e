/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/link_measure_private.h - measures links, and makes the model
 */

#ifndef SCOPES_CALIBRATE_LINK_MEASURE_PRIVATE_H
#define SCOPES_CALIBRATE_LINK_MEASURE_PRIVATE_H

#include "scopes/calibrate/link_private.h"
#include "scopes/model.h"
#include "scopes/place/random_private.h"

#include "libpaths/path.h"

/* Sizes of the reference: one for latency, one for bandwidth. */
#define ES__LINK_REFERENCES 2u

/* Median times of a write; 0: not measured. */
struct es__link_times {
	double reference_s[ES__LINK_REFERENCES];
};

/* A class of links that take the same time. */
struct es__link_class {
	char name[ES_MODEL_NAME_BYTES];
	uint32_t first, count; /* in the order of links */
	/* Shortest and longest times of the references of its first link. */
	double least_s[ES__LINK_REFERENCES], largest_s[ES__LINK_REFERENCES];
};

struct es__links {
	const struct paths_map *map;
	struct es__link *links;
	uint32_t count;
	/* Writes tuples through a link, and sets the median times. */
	paths_status (*write)(void *self, const struct es__link_ask *ask,
	    struct es__link_answer *answer);
	void *self; /* first argument of `write` */
	struct es__link_times *times;
	uint32_t *order; /* of links, by class */
	struct es__link_class *classes;
	uint32_t class_count;
	double begin_s, end_s; /* of the measurement */
	bool quick, quiet;
	struct es__random random;
};

/*
 * es__links_measure - measure links, and make a model
 *
 * l		map, links, count, write, self, end_s and the flags are set
 * model	out
 *
 * Returns	PATHS_OK
 *		PATHS_ETIMEDOUT	there was no time to measure each class
 *		the status of a write that failed
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_model_free
 */
paths_status es__links_measure(struct es__links *l, struct es_model **model)
    PATHS_CHECKED;

#endif
