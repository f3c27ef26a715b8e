/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/wait_colour.c - the colours of the patterns of waiting in MPI
 */

#include "viewer/chart/wait_colour.h"

#include "viewer/figure/theme.h"

#include <stddef.h>
#include <string.h>

#define GROUP(name) (ESV_CLASS_GROUP + (int)ES_GROUP_##name)

/* A variant of a class, or a colour of series. */
struct wait_colour {
	const char *pattern;
	int class; /* 0: series */
	int number;
};

static const struct wait_colour colours[] = {
	{ "Late Sender", GROUP(POINT_TO_POINT), 0 },
	{ "Late Sender, Wrong Order, Same Source", GROUP(POINT_TO_POINT), 1 },
	{ "Late Sender, Wrong Order, Different Source", GROUP(POINT_TO_POINT),
	    2 },
	{ "Late Receiver", 0, 1 },
	{ "Wait for Peer Progress", GROUP(COMPLETION), 0 },
	{ "Wait at N x N", GROUP(COLLECTIVE), 0 },
	{ "Wait at N x N, No Bytes", GROUP(COLLECTIVE), 1 },
	{ "N x N Completion", GROUP(COLLECTIVE), 2 },
	{ "Wait at Barrier", GROUP(ONE_SIDED), 0 },
	{ "Barrier Completion", GROUP(ONE_SIDED), 2 },
	{ "Late Broadcast", ESV_CLASS_WAIT, 0 },
	{ "Wait at Reduce", ESV_CLASS_WAIT, 1 },
	{ "Early Reduce", ESV_CLASS_WAIT, 2 },
	{ "Early Scan", GROUP(FILE), 1 },
	{ "Late Neighbour", GROUP(COMPLETION), 2 },
	{ "Neighbour Completion", GROUP(COMPLETION), 1 },
	{ "Wait at File Collective", GROUP(FILE), 2 },
	{ "File Completion", GROUP(FILE), 0 },
	{ "Wait at Finalize", GROUP(MANAGEMENT), 0 },
	{ "Init Completion", GROUP(MANAGEMENT), 2 },
	{ "Wait at Create", GROUP(MANAGEMENT), 1 },
	{ "Wait at Free", GROUP(MANAGEMENT), 1 },
	{ "Wait at Fence", 0, 6 },
	{ "Early Fence", GROUP(ONE_SIDED), 1 },
	{ "Late Post", GROUP(ONE_SIDED), 0 },
	{ "Early Wait", GROUP(ONE_SIDED), 2 },
	{ "Late Complete", GROUP(FILE), 1 },
	{ "Lock Competition", 0, 1 },
	{ "Wait for Progress", GROUP(COMPLETION), 0 },
	{ "One-Sided Wait", 0, 6 },
};

int
esv__wait_colour(const char *pattern)
{
	for (size_t n = 0; n < sizeof(colours) / sizeof(colours[0]); n++) {
		const struct wait_colour *c = &colours[n];

		if (strcmp(c->pattern, pattern) != 0)
			continue;
		return c->class == 0 ?
		    ESV_ROLE_SERIES + c->number :
		    esv_role_variant((uint32_t)c->class, (uint32_t)c->number);
	}
	return ESV_ROLE_SERIES + 7;
}
