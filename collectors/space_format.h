/* SPDX-License-Identifier: MIT */
/*
 * collectors/space_format.h - the bytes of an event-space file
 *
 * Used by the code that writes and reads these files; other code uses space.h.
 * The file has these parts, in this order:
 *
 *	head		one page: struct es_space_head
 *	definitions	types, fields, collectors, the text of the path map
 *	live		from a page boundary: struct es_space_live, then one
 *			struct es_space_hot for each collector
 *	summaries	profile and matrix rows of each collector
 *	chunks		a table for each collector: struct es_space_chunk
 *	rings		the tuples of each collector
 *	parts		added during the recording, each from a page boundary:
 *			struct es_space_part, then its rows, or its ring and
 *			table of chunks
 *
 * Head and definitions never change after the magic was written.  A part keeps
 * its position and size after its magic was written.  All numbers are in the
 * byte order of the machine that wrote them.  All offsets count from the
 * beginning of the file.
 *
 * Every checksum is a CRC-32C.  Definitions and headers of parts have one from
 * the beginning.  A thread of the recording process, which is not one of those
 * that record, adds those of tuples and logs while the process runs.  Those of
 * counts, rows and the live part are added when the recording ends.
 *
 * A copy (copy.h) has the same format and another magic.
 *
 * The file is sparse: a ring that can grow has disk space and memory for its
 * first slots only, until its writer needs more.
 *
 * Format 2 had a CRC-32 of IEEE 802.3 for the definitions and no other
 * checksum: the members of the structs below that begin with version 3 were
 * absent or zero.  In format 3 rings did not grow: the members that begin with
 * version 4 were zero.
 */

#ifndef COLLECTORS_SPACE_FORMAT_H
#define COLLECTORS_SPACE_FORMAT_H

#include "collectors/space.h"

#include "libpaths/clock.h"
#include "libpaths/program.h"

#include <stddef.h>
#include <stdint.h>

PATHS_BEGIN_DECLS

#define ES_SPACE_MAGIC "\211ESPACE\n"
#define ES_SPACE_COPY_MAGIC PATHS_RUN_COPY /* of a copy: copy.h */
#define ES_SPACE_KEPT_MAGIC "\211ESKEPT\n" /* of one that a server keeps */
#define ES_SPACE_BUFFER ".buffer" /* in place of ".space": see record.h */
#define ES_SPACE_PART_MAGIC "\211ESPART\n"
#define ES_SPACE_VERSION 4u
#define ES_SPACE_VERSION_OLDEST 2u /* that can be read */
#define ES_SPACE_BYTE_ORDER 0x01020304u
#define ES_SPACE_PAGE 4096u
#define ES_SPACE_TEXT_BYTES 256u
/* Two writers never share a pair of cache lines. */
#define ES_SPACE_ALIGN 128u
/* Largest size of a chunk, unless one tuple is larger. */
#define ES_SPACE_CHUNK_BYTES 16384u
/* es_space_live.sealed when the recording has ended. */
#define ES_SPACE_SEALED 0x5ea1ed03u

struct es_space_head {
	char magic[8]; /* written last */
	uint32_t version;
	uint32_t byte_order; /* ES_SPACE_BYTE_ORDER of the writer */
	uint32_t checksum;   /* from head_bytes to the definitions' end */
	uint32_t head_bytes; /* ES_SPACE_PAGE */
	uint64_t file_bytes; /* without added parts */
	uint64_t definitions_bytes; /* head and definitions */
	uint64_t live_offset;
	uint64_t types_offset;	    /* struct es_space_type */
	uint64_t fields_offset;	    /* struct es_space_field */
	uint64_t collectors_offset; /* struct es_space_ring */
	uint64_t map_offset;
	uint64_t map_bytes;
	uint32_t type_count;
	uint32_t field_count;
	uint32_t collector_count;
	uint32_t process; /* its index in the map; ES_SPACE_MAPLESS */
	uint64_t pid;
	uint64_t hz;		       /* ticks per second, approximately */
	uint64_t resolution;	       /* ticks */
	struct paths_clock_pair start; /* at the creation of the space */
	char process_name[ES_SPACE_TEXT_BYTES];
	char host_name[ES_SPACE_TEXT_BYTES]; /* by gethostname */
	char clock_domain[ES_SPACE_TEXT_BYTES];
};

struct es_space_type {
	char name[32];
	char about[64];
	uint32_t bytes;
	uint32_t field_first; /* its fields are consecutive */
	uint32_t field_count;
	uint32_t reserved;
};

struct es_space_field {
	char name[32];
	char unit[16];
	char about[64];
	uint32_t kind; /* enum paths_type_kind */
	uint32_t offset;
	uint32_t bytes;
	uint32_t reserved;
};

/* The positions and sizes of the parts of a collector. */
struct es_space_ring {
	uint32_t instance; /* in the map */
	uint32_t type;
	uint32_t tuple_bytes;
	uint32_t mode; /* at the beginning, ES_MODE_...; 0 also if unknown */
	uint64_t hot_offset;
	uint64_t ring_offset;
	uint64_t capacity; /* tuples, when it has grown as far as it can */
	uint64_t profile_offset;
	uint64_t matrix_offset;
	uint32_t profile_ops;
	uint32_t profile_classes;
	uint32_t matrix_peers;
	uint32_t matrix_categories;
	/* From version 3 on. */
	uint64_t chunks_offset; /* struct es_space_chunk */
	uint32_t chunk_tuples;	/* of a chunk; the last one may have fewer */
	uint32_t reserved_2;
};

/* Size of struct es_space_ring in version 2. */
#define ES_SPACE_RING_BYTES_2 offsetof(struct es_space_ring, chunks_offset)

/*
 * The checksum of consecutive tuples of a ring.  The ring is divided into
 * chunks of chunk_tuples slots; entry n of the table is for chunk n, and holds
 * from its first slot on the newest tuples that had all returned.  One more
 * entry follows: at the end of the recording it has the tuples of the oldest
 * chunk that are left when the newest tuples have overwritten its beginning.
 *
 * An entry whose tuples are overwritten is not changed before the chunk is
 * complete again; readers know from the counts that it is no longer valid.
 */
struct es_space_chunk {
	paths_atomic_u64 number; /* of the first tuple, plus 1; 0: no checksum;
				    written last */
	uint32_t count;		 /* tuples */
	uint32_t checksum;	 /* of number, count and the tuples */
};

/*
 * A part added to a file while it was recorded.  Rows, and bytes of a log, are
 * only appended; the first `used` of them exist.  A part with a ring has a
 * struct es_space_ring after this header, a struct es_space_hot at
 * ES_SPACE_PART_RING, the tuples at ES_SPACE_PART_TUPLES, and behind them the
 * table of chunks.
 */
struct es_space_part {
	char magic[8];	/* written last */
	uint32_t kind;	/* enum es_space_part_kind */
	uint32_t what;	/* kind of its rows, a number for readers */
	uint32_t owner; /* number of the thread that writes it */
	uint32_t row_bytes;
	uint64_t bytes; /* of the part with this header: whole pages */
	uint64_t room;	/* capacity in rows */
	paths_atomic_u64 used;
	/* From version 3 on. */
	paths_atomic_u64 sealed; /* number of rows << 32 | their checksum */
	uint32_t checksum; /* from kind to room, and of the es_space_ring */
	uint8_t pad[ES_SPACE_ALIGN - 60];
};

#define ES_SPACE_PART_RING ((uint64_t)2 * ES_SPACE_ALIGN)
#define ES_SPACE_PART_TUPLES ((uint64_t)3 * ES_SPACE_ALIGN)

/*
 * Written by the recording process.  pair[sequence & 1] is the latest
 * calibration; the other one may be half written.  From version 3 on the upper
 * half of exited is the complement of its lower half, unless it is 0.
 */
struct es_space_live {
	paths_atomic_u64 sequence;
	struct paths_clock_pair pair[2];
	paths_atomic_u32 closed; /* 1: the process has ended the recording */
	paths_atomic_u32 exited; /* 1 + its exit status; 0: unknown */
	/* From version 3 on. */
	paths_atomic_u32 parts;	   /* number of parts that were added */
	paths_atomic_u32 sealed;   /* ES_SPACE_SEALED: all checksums are there;
				      else 0 */
	paths_atomic_u32 checksum; /* of the members before, without exited */
	paths_atomic_u32 switches; /* number of changes of modes; incremented
				      by the thread that changed a mode */
	/* Members of a copy, which the process that copies writes. */
	paths_atomic_u32 copy;		/* enum es_space_copy */
	paths_atomic_u32 copy_checksum; /* of the members around it */
	paths_atomic_u64 heard_ns; /* wall clock, when the process was heard of
				      last */
	paths_atomic_u64 left_out; /* tuples that were not copied */
};

/*
 * The words of a collector that change.  Tuple number n is in slot n modulo the
 * number of slots in use, which is limit / tuple_bytes.  The writer sets
 * reserved to n + 1 before it overwrites the slot, filled to n + 1 when the
 * tuple is written with stop 0, and completed to n + 1 when the operation has
 * returned.  The writer is the thread that runs the operation; but mode, epoch
 * and reset are written by the monitor or by another process.
 *
 * A ring begins with a part of its slots.  Another thread makes the memory of
 * more slots available, and stores `ready`.  The writer doubles the number of
 * slots in use when it is behind the last slot in a lap with an odd number,
 * before it completes the tuple there.  At this moment, and only then, each
 * tuple in the ring is in the slot that it has for both sizes, so no tuple
 * moves.
 */
struct es_space_hot {
	paths_atomic_u64 reserved;
	paths_atomic_u64 filled;
	paths_atomic_u64 completed;
	uint64_t next;		/* offset of the next slot in the ring */
	uint64_t clock_due;	/* time of the next calibration, in ticks; 0:
				   behind the last slot */
	paths_atomic_u64 reset; /* number of the first valid tuple */
	paths_atomic_u32 mode;	/* ES_MODE_... */
	paths_atomic_u32 epoch; /* a row whose epoch is not twice this number
				   is empty */
	/* From version 3 on, at the end of the recording. */
	paths_atomic_u64 sealed;	/* reserved + completed; if they have
				    increased, the checksums are no longer
				    valid.  In version 3: filled; if completed
				    is larger */
	paths_atomic_u32 checksum;	/* of the members above */
	paths_atomic_u32 rows_checksum; /* of profile and matrix */
	/* From version 4 on. */
	paths_atomic_u64 limit; /* bytes of the slots in use; 0: all slots */
	paths_atomic_u64 base;	/* number of the oldest tuple in the ring when
				   limit was raised last */
	paths_atomic_u64 ready; /* bytes of the slots that have memory; written
				   by the thread that provides it */
	uint64_t wrap;		/* limit, for the writer alone */
	uint8_t pad[ES_SPACE_ALIGN - 104];
};

static_assert(sizeof(struct es_space_head) <= ES_SPACE_PAGE, "one page");
static_assert(sizeof(struct es_space_live) <= ES_SPACE_ALIGN, "own lines");
static_assert(sizeof(struct es_space_hot) == ES_SPACE_ALIGN, "own lines");
static_assert(sizeof(struct es_space_part) == ES_SPACE_ALIGN, "own lines");
static_assert(sizeof(struct es_space_ring) <= ES_SPACE_ALIGN, "own lines");

/* The checksum covers the file from here to definitions_bytes. */
#define ES_SPACE_CHECKED offsetof(struct es_space_head, head_bytes)

#define ES_PROFILE_BINS 64u
#define ES_SIZE_CLASSES 65u

/*
 * Operations of one kind and class: row op * profile_classes + class.
 * epoch is 2 * (epoch of the collector), plus 1 while the row is being cleared.
 */
struct es_space_profile_row {
	paths_atomic_u64 epoch;
	paths_atomic_u64 count;
	paths_atomic_u64 ok;
	paths_atomic_u64 sum_ticks;
	paths_atomic_u64 min_ticks;
	paths_atomic_u64 max_ticks;
	paths_atomic_u64 bins[ES_PROFILE_BINS];
};

/* Messages to one peer: row peer * matrix_categories + category. */
struct es_space_matrix_row {
	paths_atomic_u64 epoch;
	paths_atomic_u64 messages;
	paths_atomic_u64 bytes;
	paths_atomic_u64 classes[ES_SIZE_CLASSES];
};

/*
 * es_space_chunk_count - returns the number of entries of a table of chunks
 *
 * chunk_tuples	not 0
 *
 * Returns	the number of chunks, plus 1
 * Threads	any; no shared state
 * Since	0.1
 */
static inline uint64_t
es_space_chunk_count(uint64_t capacity, uint32_t chunk_tuples)
{
	return capacity / chunk_tuples + (capacity % chunk_tuples != 0) + 1;
}

/*
 * es_space_fence - orders a writer's words for a reader that takes no lock
 *
 * The writer calls it between the word that announces a change and the change.
 * The reader calls it between its copy and the second read of that word.
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
static inline void
es_space_fence(memory_order order)
{
/* gcc warns that its thread sanitizer does not support fences.  No support is
   needed here: reader and writer use different mappings of the file. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"
#endif
	atomic_thread_fence(order);
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
}

PATHS_END_DECLS

#endif
