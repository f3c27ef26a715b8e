/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/advise_place.h - a better placement of ranks, in
 * eventspace advise
 */

#ifndef SCOPES_COMMAND_ADVISE_PLACE_H
#define SCOPES_COMMAND_ADVISE_PLACE_H

#include <stdio.h>

/*
 * Prints a sentence about a placement that costs less than that of the run, if
 * one is found.  Prints nothing if the placement of the run is not known, or
 * its hosts have fewer cores than it has ranks.
 *
 * name		of the run, as the user gave it
 */
void es_advise_place(const char *name, FILE *to);

#endif
