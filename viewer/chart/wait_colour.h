/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/wait_colour.h - the colours of the patterns of waiting in MPI
 *
 * A pattern has the same colour in all runs and themes.  Related patterns have
 * lighter and darker colours of one hue.  There are more patterns than colours,
 * so a few that are seldom in one run have the same.
 */

#ifndef VIEWER_CHART_WAIT_COLOUR_H
#define VIEWER_CHART_WAIT_COLOUR_H

/* Returns the role of a pattern; a grey for a name that is not known. */
int esv__wait_colour(const char *pattern);

#endif
