/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/align_private.h - clocks aligned by messages between them
 *
 * A pair of hosts has a link.  A message from host a of the link to host b
 * gives an upper bound of the clock of b minus that of a, its receipt minus its
 * sending; a message back gives a lower bound.  Times are in ns, as differences
 * to the origin of each host, so that a double has them exactly.
 *
 * The result is computed in three steps.  A line is put between the bounds of
 * each link.  Lines are added up along the most certain ways to the reference.
 * Then corrections of all hosts, piecewise linear in time, are computed
 * together from all links.
 */

#ifndef SCOPES_ALIGN_ALIGN_PRIVATE_H
#define SCOPES_ALIGN_ALIGN_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ES__ALIGN_NONE UINT32_MAX

/* A message between the hosts a and b of a link. */
struct es__align_message {
	double x; /* stamp on host a: sent, or received if it goes back */
	double y; /* stamp on host b */
	uint32_t bytes;
	uint32_t back; /* 0: from a to b; 1: from b to a */
};

/* A message that bounds the offset, as a point of a hull. */
struct es__align_point {
	double x;
	double offset; /* y - x */
	double bytes;
};

/* The points of a hull, of messages in one direction. */
struct es__align_hull {
	struct es__align_point *points;
	size_t count, room;
	double least_bytes, most_bytes;
};

/* The line offset + slope * (x - centre) of the offset of b minus a. */
struct es__align_line {
	double offset, slope, centre;
	double margin; /* from the line to the nearest bounds; < 0: none fits */
	double error;  /* at the ends of the run, because messages are few */
	bool bounded;  /* there are messages in both directions */
};

struct es__align_link {
	uint32_t a, b; /* hosts, a < b */
	struct es__align_message *messages;
	size_t count, room;
	size_t left_out;		/* behind; with wrong stamps */
	struct es__align_hull hulls[2]; /* there, back */
	double per_byte;		/* ns that a byte takes; 0: not known */
	bool sized;			/* per_byte was found from messages */
	struct es__align_line line;
	double variance; /* of the line; ns^2 */
};

/* A jump of the clock of a host: stamps from `at` on are ahead by `ahead`. */
struct es__align_jump {
	uint32_t host;
	double at, ahead;
};

/* A host, and its clock. */
struct es__align_host {
	int64_t origin;	      /* ns on its clock; stamps are relative to it */
	double first, last;   /* stamps of its messages */
	bool connected;	      /* to the reference */
	uint32_t parent;      /* towards the reference */
	double variance;      /* of its line, along the way */
	double offset, slope; /* line: reference = x + offset + slope * x */
	double *corners;      /* correction at each corner, subtracted */
	double *bounds;	      /* of each window; < 0: none */
};

struct es__align {
	struct es__align_host *hosts;
	uint32_t host_count;
	struct es__align_link *links;
	size_t link_count, link_room;
	uint32_t reference;
	/* Jumps, in the order in which they were taken out of stamps. */
	struct es__align_jump *jumps;
	size_t jump_count, jump_room;
	/* Windows of time of the reference: window n begins at begin + n *
	   length, corner n is there too; there is one corner more.  per_ns: 1 /
	   length, because a division takes as long as the rest of a message. */
	double begin, length, per_ns;
	uint32_t window_count;
	unsigned finer;	  /* windows were halved so many times */
	double stiffness; /* q: ns / s^1.5; 0: lines */
	size_t repaired;  /* messages that the polish moved */
	size_t refuted;	  /* messages received before they were sent, at last */
};

/* Returns PATHS_OK or PATHS_ENOMEM.  The caller calls es__align_fini, also on
   failure. */
paths_status es__align_init(struct es__align *align, uint32_t hosts)
    PATHS_CHECKED;
void es__align_fini(struct es__align *align);

/* Returns the link of two hosts, which is made if there is none; NULL: no
   memory. */
struct es__align_link *es__align_link(struct es__align *align, uint32_t from,
    uint32_t to);

/* A message, as it is added to a link. */
struct es__align_trip {
	uint32_t from; /* its sender, one of the hosts of the link */
	uint32_t bytes;
	int64_t sent, received; /* ns of the clocks of sender and receiver */
};

/* Adds a message to a link. */
paths_status es__align_add(struct es__align *align, struct es__align_link *link,
    const struct es__align_trip *trip) PATHS_CHECKED;

/* Aligns the hosts by a line for each. */
paths_status es__align_lines(struct es__align *align) PATHS_CHECKED;

/* Takes the jumps of a host, from the n-th on, out of a stamp from which the
   others are taken out. */
static inline double
es__align_plain(const struct es__align *align, uint32_t host, size_t n,
    double x)
{
	for (; n < align->jump_count; n++)
		if (align->jumps[n].host == host && x >= align->jumps[n].at)
			x -= align->jumps[n].ahead;
	return x;
}

/* Returns the time of the reference at a stamp of a host, relative to the
   origin of the reference; by its line alone, and with its correction. */
static inline double
es__align_line_time(const struct es__align_host *host, double x)
{
	return x + (host->offset + host->slope * x);
}

/* Returns how many windows begin before a time of the reference, with the share
   of the next one; negative before the first. */
static inline double
es__align_where(const struct es__align *align, double time)
{
	return (time - align->begin) * align->per_ns;
}

/* Returns the window of a time; that of es__align_where. */
static inline uint32_t
es__align_window_at(const struct es__align *align, double where)
{
	return where <= 0		     ? 0 :
	    where >= align->window_count - 1 ? align->window_count - 1 :
					       (uint32_t)where;
}

static inline double
es__align_correction(const struct es__align *align,
    const struct es__align_host *host, double time)
{
	double where = es__align_where(align, time);
	uint32_t n;

	if (host->corners == NULL)
		return 0;
	n = es__align_window_at(align, where);
	return host->corners[n] +
	    (host->corners[n + 1] - host->corners[n]) * (where - n);
}

static inline double
es__align_time(const struct es__align *align, const struct es__align_host *host,
    double x)
{
	double time = es__align_line_time(host, x);

	return time - es__align_correction(align, host, time);
}

#endif
