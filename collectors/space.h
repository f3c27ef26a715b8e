/* SPDX-License-Identifier: MIT */
/*
 * collectors/space.h - reads the event space of a process
 *
 * A process writes one file, RUN/PROCESS.space, through a shared memory
 * mapping.  The file can be read while the process runs, and the process never
 * waits for readers.  When the process is killed, the file has everything that
 * was recorded until then.  The file contains the path map, so it can be read
 * without any other file.
 *
 * The collectors of a space are numbered from 0 in the order of the map's
 * instances.  Collectors that were added while it was recorded follow.  The
 * tuples of a collector are numbered from 0 in the order in which they were
 * recorded; the oldest are discarded when its ring is full.
 *
 * Nothing in a file is trusted.  A file that was cut short is read up to its
 * end.  What does not have its checksum, and tuples without a checksum whose
 * values are impossible, are left out.  es_space_damage reports the missing
 * parts.
 */

#ifndef COLLECTORS_SPACE_H
#define COLLECTORS_SPACE_H

#include "collectors/tuple.h"

#include "libpaths/clock.h"

PATHS_BEGIN_DECLS

/* Modes of a collector, a set; 0 is off. */
#define ES_MODE_OFF 0u
#define ES_MODE_TRACE 1u   /* keep a tuple */
#define ES_MODE_PROFILE 2u /* count operations and their durations */
#define ES_MODE_MATRIX 4u  /* count messages and bytes; reads no clock */
#define ES_MODE_ALL 7u

/* Value of `process` in a space that was recorded without a path map. */
#define ES_SPACE_MAPLESS UINT32_MAX

/* The kinds of parts that are added to a space while it is recorded. */
enum es_space_part_kind {
	ES_PART_RING = 1, /* a collector */
	ES_PART_ROWS,	  /* rows of one size */
	ES_PART_LOG	  /* bytes: rows of size 1 */
};

/* The `what` of a log with the text of paths_map_kinds, which a program with
   stages of plugins adds. */
#define ES_SPACE_KINDS 64u

/* The kind of a file, and the state of the process when it was copied. */
enum es_space_copy {
	ES_COPY_NONE,	/* the file that the process writes */
	ES_COPY_LIVE,	/* recorded; the copy is updated while it is read */
	ES_COPY_KILLED, /* ended without closing its space */
	ES_COPY_CLOSED, /* ended the recording */
	ES_COPY_TAKEN	/* recorded; the copy is of that moment */
};

struct es_space;

/*
 * es_space_open - opens the event space of a process, running or ended
 *
 * file		its path
 * space	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT, PATHS_EIO	it cannot be opened or mapped
 *		PATHS_EDAMAGED	not an event space, or its definitions are cut
 *				short or changed
 *		PATHS_EABI	of an unknown format version, or of another byte
 *				order
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_space_close
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_open(const char *file, struct es_space **space)
    PATHS_CHECKED;

/*
 * es_space_open_to_switch - as es_space_open, so that modes can be changed
 *
 * Tuples are not checked.
 *
 * Returns	as es_space_open; PATHS_EIO when the file is not writable
 * Ownership	the caller calls es_space_close
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_open_to_switch(const char *file,
    struct es_space **space) PATHS_CHECKED;

/*
 * es_space_open_fd - as es_space_open, for a file that is open already
 *
 * Tuples are not checked if the file is open for writing.
 *
 * fd	open for reading, and for writing if modes are to be changed
 * name	name of the file in messages
 *
 * Returns	as es_space_open
 * Ownership	borrows fd for the call; the caller calls es_space_close
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_open_fd(int fd, const char *name,
    struct es_space **space) PATHS_CHECKED;

/*
 * es_space_bytes - the memory that a space is read from
 *
 * base		out: the mapped file
 *
 * Returns	its size
 * Ownership	the space's
 * Threads	any
 * Since	0.1
 */
ES_API size_t es_space_bytes(const struct es_space *space, const void **base);

/*
 * es_space_findings - what checking a space has found
 *
 * data		out: bytes for es_space_open_checked of another process
 * bytes	out: their number
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls free(3)
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_findings(const struct es_space *space, void **data,
    size_t *bytes) PATHS_CHECKED;

/* A space in memory, and what another process has found in it. */
struct es_space_memory {
	const void *base; /* the bytes of the file */
	size_t bytes;
	const void *findings; /* of es_space_findings */
	size_t findings_bytes;
};

/*
 * es_space_open_checked - opens a space that another process has checked
 *
 * The tuples are not read, so their memory may be one that is filled when it
 * is read.
 *
 * memory	its base stays as it is until es_space_close
 * name		name of the file in messages
 *
 * Returns	as es_space_open; PATHS_EDAMAGED: the findings are of another
 *		space
 * Ownership	borrows base until es_space_close, and the findings for the
 *		call; the caller calls es_space_close
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_open_checked(const struct es_space_memory *memory,
    const char *name, struct es_space **space) PATHS_CHECKED;

/*
 * es_space_close - closes a space; what it lent is no longer valid
 *
 * space	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one, after all others have stopped using the space
 * Since	0.1
 */
ES_API void es_space_close(struct es_space *space);

/* The process that wrote a space. */
struct es_space_info {
	const char *process_name;
	const char *host_name;	  /* by gethostname */
	const char *clock_domain; /* see paths_clock_domain */
	const char *map_text;	  /* the path map; ends with 0 */
	size_t map_bytes;	  /* without that 0 */
	uint32_t process;	  /* its index in the map; ES_SPACE_MAPLESS */
	uint32_t collector_count;
	uint64_t pid;
	uint64_t hz;			/* ticks per second, approximately */
	uint64_t resolution;		/* ticks */
	uint64_t file_bytes;		/* of the undamaged file, without the
					   parts that were added */
	struct paths_clock_pair start;	/* at the creation of the space */
	struct paths_clock_pair latest; /* at the end, or at most about a
					   second before the last stop */
	uint32_t version;    /* of the file's format; 2 has no checksums */
	uint64_t tuples;     /* number of tuples when the file was opened */
	uint64_t unchecked;  /* number of these without a checksum */
	bool closed;	     /* the process ended the recording */
	int32_t exit_status; /* of the process; -1: unknown */
	enum es_space_copy copy;
	bool kept;	   /* a copy that is the space of the process, which has
			      no other */
	uint64_t heard_ns; /* wall clock at the last update of a copy; 0: it is
			      damaged */
	uint64_t left_out; /* tuples that were not copied, by intention */
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
 * The state of a collector at one moment.  Tuples [first, count) can be read.
 * Since the last reset, (count - reset) tuples were recorded; (first - reset)
 * of these were discarded or left out.  When tuples are left out, those before
 * them get the numbers that follow, so that the numbers have no gap.
 */
struct es_space_collector {
	const struct es_tuple_type *type; /* the space's */
	uint32_t instance;		  /* in the map */
	uint32_t owner;	     /* number of its thread, if it was added */
	uint32_t mode;	     /* ES_MODE_... */
	uint32_t mode_first; /* at the beginning; ES_MODE_OFF also if it was
				not recorded */
	uint64_t capacity;   /* tuples that the ring holds */
	uint64_t count;	     /* number of the last tuple, plus 1; less than were
			      recorded if the file is cut short */
	uint64_t reset;	    /* number of the first tuple after the last reset */
	uint64_t first;	    /* number of the first tuple that is retained */
	uint64_t discarded; /* overwritten, or cut off */
	uint64_t left_out;  /* damaged; first - reset is the sum of both */
	bool inside;	    /* the last operation has not returned */
	uint32_t profile_ops; /* rows of the profile: ops x classes */
	uint32_t profile_classes;
	uint32_t matrix_peers; /* rows of the matrix: peers x categories */
	uint32_t matrix_categories;
};

/*
 * es_space_collector - gets the current state of a collector
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
	uint32_t what;	    /* kind of the rows, as es_record_part.what */
	uint32_t owner;	    /* number of the thread that writes them */
	uint32_t row_bytes; /* 1 in a log */
	uint64_t count;	    /* current number of rows */
	const void *rows;   /* 8-byte aligned; a live process changes them */
};

/*
 * es_space_rows - gets the n-th part that holds rows or a log
 *
 * Parts that were added after the space was opened are left out.
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

/* A range of tuples. */
struct es_space_run {
	uint64_t first; /* number of the first tuple; in: wanted, out: copied */
	uint64_t count; /* number of tuples; in: at most, out: copied */
	bool inside;	/* out: the operation of the last tuple has not
			   returned, its stop is 0, and it can be read again */
};

/*
 * es_space_read - copies tuples while their process may be recording
 *
 * The copied tuples are consistent.  Tuples that were overwritten meanwhile are
 * left out, so run->first may become larger; the difference was discarded.
 *
 * n		the collector
 * run		in and out
 * tuples	out: run->count tuples; has room for the number that was wanted
 *
 * Returns	PATHS_OK; run->count is 0 when there is none (yet)
 *		PATHS_ENOENT	there is no such collector
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_read(const struct es_space *space, uint32_t n,
    struct es_space_run *run, void *tuples) PATHS_CHECKED;

/* Consecutive tuples in the mapping. */
struct es_space_span {
	const void *tuples; /* 4-byte aligned */
	uint64_t first;	    /* number of the first */
	uint64_t count;
};

/*
 * es_space_span - gets all tuples of a collector without copying them
 *
 * Used for spaces whose process has ended, because a running process overwrites
 * the tuples.
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

/* Operations of one kind and class that have returned. */
struct es_profile {
	uint64_t count;
	uint64_t ok; /* operations with PATHS_OK */
	uint64_t sum_ticks;
	uint64_t min_ticks; /* 0 if count is 0 */
	uint64_t max_ticks;
	uint64_t bins[64]; /* bin n: 2^n to 2^(n+1) - 1 ticks; bin 0 also 0 */
};

/*
 * es_space_profile - gets a row of a collector's profile since the last reset
 *
 * Each number is exact at the moment when it is read.  Operations that return
 * meanwhile may be included in some of the numbers only.
 *
 * n	the collector
 * row	op * profile_classes + class; a collector of the stage `collector` has
 *	the enum paths_kind as op and one class
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	there is no such collector or row, or the row is
 *				cut off
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
 * es_space_matrix - gets a row of a collector's matrix since the last reset
 *
 * n	the collector
 * row	peer * matrix_categories + category; a collector of the stage
 *	`collector` has one peer, the element, and the enum paths_kind as
 *	category
 *
 * Returns	as es_space_profile
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_space_matrix(const struct es_space *space, uint32_t n,
    uint32_t row, struct es_matrix *matrix) PATHS_CHECKED;

/*
 * es_space_size_class - returns the size class of a number of bytes
 *
 * Returns	0 for 0 bytes; n + 1 for 2^n to 2^(n+1) - 1 bytes
 * Threads	any; no shared state
 * Since	0.1
 */
static inline uint32_t
es_space_size_class(uint64_t bytes)
{
	return bytes ? 64u - (uint32_t)__builtin_clzll(bytes) : 0;
}

/*
 * es_space_switch - sets the mode of a collector
 *
 * The mode applies to operations that begin after the call has returned.  It
 * may apply to those that begin during the call.  Every operation ends in the
 * mode in which it began.
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
 * es_space_reset - discards what a collector has recorded so far
 *
 * An operation under way that returns later is counted in the new profile and
 * matrix, but its tuple is discarded.
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

PATHS_END_DECLS

#endif
