/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/advise_place.h - a better placement of ranks, in
 * eventspace advise
 */

#ifndef SCOPES_COMMAND_ADVISE_PLACE_H
#define SCOPES_COMMAND_ADVISE_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/* A placement that costs less than that of the run. */
struct es_advise_place {
	double gain; /* share of the cost; 0: none was found */
	bool timed;  /* the cost is a time, by the model of the run */
	double before, after;
	char change[2 * PATH_MAX + 64];
	char about[128];
	char evidence[192];
};

/*
 * Finds a placement that costs less than that of the run: by the time of its
 * messages if a model is kept with the run, else by bytes.  Finds none if the
 * placement of the run is not known, or its hosts have fewer cores than it has
 * ranks.
 *
 * name		of the run, as the user gave it
 */
void es_advise_place_find(const char *name, struct es_advise_place *found);

/* Prints a sentence about the placement, if one was found. */
void es_advise_place_print(const struct es_advise_place *found, FILE *to);

#endif
