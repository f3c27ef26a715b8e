/* SPDX-License-Identifier: MIT */
/*
 * collectors/space.h - read the event space of a process
 *
 * One process writes one file, RUN/PROCESS.space, mapped shared: it can be
 * read while the process runs, without the process noticing, and holds
 * everything that was recorded when the process was killed.  It carries the
 * path map, so one file alone can be understood.
 *
 * The collectors of a space are numbered from 0 in the order of the map's
 * instances, then those that were added while it was recorded.  The tuples of
 * a collector are numbered from 0 in the order they were recorded; the oldest
 * are discarded when its ring is full.
 *
 * Nothing in a file is trusted.  One that was cut short is read up to where
 * it ends, and es_space_damage says what is missing.
 */

#ifndef COLLECTORS_SPACE_H
#define COLLECTORS_SPACE_H

#include "collectors/tuple.h"

#include "libpaths/clock.h"

/* Modes of a collector, a set; 0 is off. */
#define ES_MODE_OFF 0u
#define ES_MODE_TRACE 1u   /* keep a tuple */
#define ES_MODE_PROFILE 2u /* count, add up and sort by duration */
#define ES_MODE_MATRIX 4u  /* count messages and bytes; takes no stamps */
#define ES_MODE_ALL 7u

/* The `process` of a space whose process no map tells of. */
#define ES_SPACE_ALONE UINT32_MAX

/* The kinds of parts that are added to a space while it is recorded. */
enum es_space_part_kind {
	ES_PART_RING = 1, /* a collector */
	ES_PART_ROWS,	  /* rows of one size */
	ES_PART_LOG	  /* bytes: rows of size 1 */
};

struct es_space;

/*
 * es_space_open - open the event space of a process, running or ended
 *
 * file		its path
 * space	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT, PATHS_EIO	it cannot be opened or mapped
 *		PATHS_EDAMAGED	not an event space, or its definitions are cut
 *				short or changed
 *		PATHS_EABI	of another format version or byte order
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_space_close
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_open(const char *file, struct es_space **space)
    PATHS_CHECKED;

/*
 * es_space_open_to_switch - as es_space_open, and modes can be changed
 *
 * Returns	as es_space_open; PATHS_EIO where the file may not be written
 * Ownership	the caller calls es_space_close
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_open_to_switch(const char *file,
    struct es_space **space) PATHS_CHECKED;

/*
 * es_space_open_fd - as es_space_open, of a file that is open already
 *
 * fd	readable, and writable where modes shall be changed
 * name	how messages name it
 *
 * Returns	as es_space_open
 * Ownership	borrows fd for the call; the caller calls es_space_close
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_open_fd(int fd, const char *name,
    struct es_space **space) PATHS_CHECKED;

/*
 * es_space_close - end the use of a space and of all it lent
 *
 * space	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one, when no other uses the space any more
 * Since	0.1
 */
ES_API void es_space_close(struct es_space *space);

/* The process that wrote a space. */
struct es_space_info {
	const char *process_name;
	const char *host_name;	  /* as the machine calls itself */
	const char *clock_domain; /* see paths_clock_domain */
	const char *map_text;	  /* the path map; ends with 0 */
	size_t map_bytes;	  /* without that 0 */
	uint32_t process;	  /* its index in the map; ES_SPACE_ALONE */
	uint32_t collector_count;
	uint64_t pid;
	uint64_t hz;			/* ticks per second, about */
	uint64_t resolution;		/* ticks */
	uint64_t file_bytes;		/* as they should be */
	struct paths_clock_pair start;	/* when the space was made */
	struct paths_clock_pair latest; /* at the end, or at most about a
					   second before the last stop */
	bool closed;			/* the process ended the recording */
	int32_t exit_status;		/* of the process; -1: not known */
};

/*
 * es_space_info - gets the current state of the process
 *
 * space	the space
 * info		out
 *
 * Returns	nothing
 * Ownership	texts are the space's
 * Threads	any
 * Since	0.1
 */
ES_API void es_space_info(const struct es_space *space,
    struct es_space_info *info);

/*
 * es_space_damage - gets a warning about damage to this space
 *
 * n	from 0
 *
 * Returns	a line of text; NULL past the last
 * Ownership	the space's
 * Threads	any; no shared state
 * Since	0.1
 */
ES_API const char *es_space_damage(const struct es_space *space, uint32_t n);

/*
 * One collector at one moment.  Tuples [first, count) can be read; count -
 * reset were recorded since the last reset, first - reset of them discarded.
 */
struct es_space_collector {
	const struct es_tuple_type *type; /* the space's */
	uint32_t instance;		  /* in the map */
	uint32_t owner;	   /* of one that was added: number of its thread */
	uint32_t mode;	   /* ES_MODE_... */
	uint64_t capacity; /* tuples that the ring holds */
	uint64_t count;	   /* tuples recorded since the beginning; of a file cut
			      short: one past the last that is there */
	uint64_t reset;	   /* number of the first that counts */
	uint64_t first;	   /* number of the first that is still there */
	uint64_t discarded;   /* first - reset: overwritten, or cut off */
	bool inside;	      /* the last one has not come back yet */
	uint32_t profile_ops; /* rows of the profile: ops x classes */
	uint32_t profile_classes;
	uint32_t matrix_peers; /* rows of the matrix: peers x categories */
	uint32_t matrix_categories;
};

/*
 * es_space_collector - one collector, as of now
 *
 * n	from 0
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	there is no such collector
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_collector(const struct es_space *space, uint32_t n,
    struct es_space_collector *collector) PATHS_CHECKED;

/* Rows, or the bytes of a log, that were added while a space was recorded. */
struct es_space_rows {
	enum es_space_part_kind kind; /* ES_PART_ROWS or ES_PART_LOG */
	uint32_t what;	    /* what the rows are, for whoever knows them */
	uint32_t owner;	    /* number of the thread that writes them */
	uint32_t row_bytes; /* 1 in a log */
	uint64_t count;	    /* rows that are there, as of now */
	const void *rows;   /* 8-byte aligned; a live process changes them */
};

/*
 * es_space_rows - the n-th of the parts that hold rows or a log
 *
 * Parts that came after the space was opened are not seen.
 *
 * n	from 0
 * rows	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	past the last
 * Ownership	the space's
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_rows(const struct es_space *space, uint32_t n,
    struct es_space_rows *rows) PATHS_CHECKED;

/* A run of tuples: asked for, and got. */
struct es_space_run {
	uint64_t first; /* in: number of the first wanted; out: got */
	uint64_t count; /* in: at most; out: got */
	bool inside;	/* out: the last one got has not come back yet: ask for
			   it again, its stop is 0 */
};

/*
 * es_space_read - copy tuples while their process may be recording
 *
 * What is copied is consistent: tuples that were overwritten meanwhile are
 * left out, so run->first may be larger than asked for; the difference was
 * discarded.
 *
 * n		the collector
 * run		in and out
 * tuples	out: run->count tuples; has room for as many as were wanted
 *
 * Returns	PATHS_OK; run->count is 0 when there is none (yet)
 *		PATHS_ENOENT	there is no such collector
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_read(const struct es_space *space, uint32_t n,
    struct es_space_run *run, void *tuples) PATHS_CHECKED;

/* Tuples that lie side by side in the mapping. */
struct es_space_span {
	const void *tuples; /* 4-byte aligned */
	uint64_t first;	    /* number of the first */
	uint64_t count;
};

/*
 * es_space_span - all tuples of a collector in place, without copying
 *
 * For spaces whose process has ended: a running one overwrites what the spans
 * show.
 *
 * n	the collector
 * spans	out: the older tuples, then the newer; each may be empty
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	there is no such collector
 * Ownership	the space's, until it is closed
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_span(const struct es_space *space, uint32_t n,
    struct es_space_span spans[2]) PATHS_CHECKED;

/* Operations of one kind and size class that have come back. */
struct es_profile {
	uint64_t count;
	uint64_t ok; /* of them, with PATHS_OK */
	uint64_t sum_ticks;
	uint64_t min_ticks; /* 0 where count is 0 */
	uint64_t max_ticks;
	uint64_t bins[64]; /* that took [2^n, 2^n+1) ticks; bin 0 also 0 */
};

/*
 * es_space_profile - one row of a collector's profile, since the last reset
 *
 * Each number is exact, as of the moment it is read; operations that come back
 * meanwhile may be in some of the numbers only.
 *
 * n	the collector
 * row	op * profile_classes + class; the collector `collector` has the enum
 *	paths_kind as op and one class
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	there is no such collector or row, or it is cut
 *				off
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_profile(const struct es_space *space, uint32_t n,
    uint32_t row, struct es_profile *profile) PATHS_CHECKED;

/* Messages to one peer in one category. */
struct es_matrix {
	uint64_t messages;
	uint64_t bytes;
	uint64_t classes[65]; /* messages of each es_space_size_class */
};

/*
 * es_space_matrix - one row of a collector's matrix, since the last reset
 *
 * n	the collector
 * row	peer * matrix_categories + category; the collector `collector` has one
 *	peer, the element, and the enum paths_kind as category
 *
 * Returns	as es_space_profile
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_matrix(const struct es_space *space, uint32_t n,
    uint32_t row, struct es_matrix *matrix) PATHS_CHECKED;

/*
 * es_space_size_class - the size class of a number of bytes
 *
 * Returns	0 for 0; else n + 1 for [2^n, 2^n+1) bytes
 * Threads	any; no shared state
 * Since	0.1
 */
static inline uint32_t
es_space_size_class(uint64_t bytes)
{
	return bytes ? 64u - (uint32_t)__builtin_clzll(bytes) : 0;
}

/*
 * es_space_switch - say what a collector shall do from now on
 *
 * An operation that is inside the collector ends as it began.
 *
 * n	the collector
 * mode	a set of ES_MODE_
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	not opened to switch, or an unknown mode
 *		PATHS_ENOENT	there is no such collector
 * Threads	any, of any process
 * Since	0.1
 */
ES_API paths_status es_space_switch(struct es_space *space, uint32_t n,
    uint32_t mode) PATHS_CHECKED;

/*
 * es_space_reset - let a collector begin anew
 *
 * Tuples recorded so far are no longer shown; profile and matrix are empty.
 * An operation inside belongs to the old tuples, and to the new profile and
 * matrix.
 *
 * n	the collector
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	not opened to switch
 *		PATHS_ENOENT	there is no such collector
 * Threads	any, of any process
 * Since	0.1
 */
ES_API paths_status es_space_reset(struct es_space *space, uint32_t n)
    PATHS_CHECKED;

#endif
