/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi_space.h - the rows and logs of the MPI interposer
 *
 * The space of an MPI process has the process ES_SPACE_MAPLESS and no
 * collectors of a map.  It grows by parts (space.h): for each thread that
 * called MPI a ring of tuples of the type "mpi" and rows of its own; for the
 * process one control row and a log of definitions.  All counts are exact and
 * cover the whole run, also when rings discard tuples; only bins may lag by one
 * call.
 *
 * Ranks are those of MPI_COMM_WORLD of the process.  Processes outside of that
 * world (spawned, connected, of another session) are numbered from the size of
 * the world on.  Each process numbers them in the order in which it met them.
 *
 * Source: wait-state profiling by the minimum method (profile rows); the
 * communication monitoring of Open MPI (matrix rows, categories, classes).
 */

#ifndef COLLECTORS_MPI_SPACE_H
#define COLLECTORS_MPI_SPACE_H

#include "collectors/space_format.h"

PATHS_BEGIN_DECLS

/* File of a run directory whose first line names the MPI job that records
   there, and its second line if the job has ranks on several hosts. */
#define ES_MPI_JOB_FILE "job"
#define ES_MPI_JOB_HOSTS "several hosts"

/*
 * Tuples.  A tuple with the seq of the tuple before it in its ring belongs to
 * the same call.  It has the start and stop of the call, and the peer, tag,
 * bytes and communicator of one request.  Its op is
 *
 *	ES_MPI_COMPLETED	for a request that the call completed, or with
 *				match 0 for the receive of a Sendrecv
 *	a function		for a request that a Start or Startall started:
 *				the function that made the request, such as
 *				MPI_Send_init
 *
 * Collectives are numbered from 1 on each communicator, in the order of their
 * calls; persistent ones (MPI_Barrier_init) are numbered when they are made.
 * Collectives on a file are numbered on the file.
 * The number is the `match` of a blocking call.  A nonblocking call has its
 * request in `match` and the number in `tag`, also in the tuple that completes
 * it.  Members may start persistent collectives in different orders: the tag of
 * a start counts the starts of this collective so far, and ES_MPI_ENTRY_PLAN
 * gives the number of the collective.
 *
 * Calls on windows have the communicator of the window, and as `tag` the number
 * of the window on it: windows are numbered from 1, in the order in which they
 * were made.  The `peer` is the target.  The `match` is
 *
 *	the number of the call on its window	in calls that make a window (1)
 *				or free it, and fences; members call them in the
 *				same order
 *	enum es_mpi_lock	in Win_lock and Win_lock_all
 *	1			in a Win_test that ended the exposure epoch
 *	the request		in Rput, Rget, Raccumulate and Rget_accumulate
 *
 * A receive has the peer and tag of the message.  Before it is complete, it has
 * those of its arguments: ES_MPI_PEER_NONE is any source, and a negative tag is
 * any tag.  Mprobe and Improbe give the matched message a request number; it is
 * the `match` of their tuple and of the tuple of Mrecv or Imrecv.
 *
 * If the process has the flag ES_MPI_SOURCES, a receive or probe of any source
 * has the bit ES_MPI_MATCH_ANY in its `match`.  It is a bit of its request
 * number, and of the number of a matched message.  Without such a number the
 * `match` is the bit alone.  A Sendrecv has the bit for its receive.
 *
 * A gap in seq shows that calls were not traced.  Calls that are passed on at
 * once, as most are while recording is off, leave no gap.
 */
#define ES_MPI_MATCH_ANY UINT32_C(0x80000000)
#define ES_MPI_PEER_NONE (-1)
#define ES_MPI_PEER_PROC_NULL (-2)
/* The request was cancelled, in the tuple that completes it. */
#define ES_MPI_PEER_CANCELLED (-3)
/*
 * Peers of this value and below are no ranks but ids, which es_mpi_peer_of_id
 * and es_mpi_id_of_peer convert.  ES_MPI_PEER_NONE in their place means that
 * the id was not recorded.  The tuples of these functions, also those that
 * start or end their requests, have
 *
 *	Alltoallv, Alltoallw, Reduce_scatter, Neighbor_...
 *				the set (struct es_mpi_rank_set) of the members
 *				that the caller receives bytes from, of kind
 *				ES_MPI_RANKS_SOURCES
 *	collectives on files	the number of the file, from 1, among those that
 *				were opened on its communicator.  MPI_File_open
 *				is the first collective on the file.
 *	Win_post, Win_start	the set of the group, of kind ES_MPI_RANKS_GROUP
 */
#define ES_MPI_PEER_ID (-16)

/*
 * es_mpi_match_request - the request number of a receive or probe, by its match
 *
 * Returns	the number, which has ES_MPI_MATCH_ANY if the source was any; 0:
 *		there is none
 * Threads	any; no shared state
 * Since	0.1
 */
static inline uint32_t
es_mpi_match_request(uint32_t match)
{
	return match == ES_MPI_MATCH_ANY ? 0 : match;
}

/* Types of the locks of windows, the `match` of the call that locks. */
enum es_mpi_lock { ES_MPI_LOCK_EXCLUSIVE = 1, ES_MPI_LOCK_SHARED = 2 };

/* `what` of the parts. */
enum es_mpi_part {
	ES_MPI_CONTROL = 1, /* one struct es_mpi_control */
	ES_MPI_THREAD,	    /* one struct es_mpi_thread of each thread */
	ES_MPI_PROFILE,	    /* struct es_mpi_profile */
	ES_MPI_MATRIX,	    /* struct es_mpi_matrix */
	ES_MPI_COLLECTIVE,  /* struct es_mpi_collective */
	ES_MPI_LOG	    /* a log: struct es_mpi_entry and what follows it */
};

/*
 * The process.  The program, MPI_Pcontrol or another process (eventspace mpi
 * --control) writes mode, epoch and phase; every call reads them.
 */
struct es_mpi_control {
	paths_atomic_u32 mode;	/* a set of ES_MODE_ */
	paths_atomic_u32 epoch; /* a row whose epoch is not twice this number
				   counts as empty */
	paths_atomic_u32 phase; /* of ES_MPI_ENTRY_PHASE; 0: none */
	int32_t rank;		/* in its world; -1: not known */
	int32_t world_size;
	uint32_t thread_level;		     /* 0 SINGLE .. 3 MULTIPLE */
	uint32_t abi;			     /* enum mpi_abi_row */
	uint32_t flags;			     /* a set of ES_MPI_ flags */
	paths_atomic_u32 state;		     /* enum es_mpi_state */
	paths_atomic_u32 unrecorded_threads; /* without room for row or ring */
	paths_atomic_u64 lost; /* rows and entries without room on the disk */
	paths_atomic_u64 requests_unknown; /* completed, not in the table */
	uint32_t asked; /* modes of eventspace mpi --mode, a set of ES_MODE_ */
	paths_atomic_u32 signal; /* that ended the process; 0: none, or not
				    known, as SIGKILL */
};

/* Flags. */
#define ES_MPI_SPAWNED 1u
#define ES_MPI_PHASES 2u  /* calls outside of chosen phases are not traced */
#define ES_MPI_SOURCES 4u /* tuples tell if the source of a receive was any */

enum es_mpi_state {
	ES_MPI_RUNNING,
	ES_MPI_FINALIZED,
	ES_MPI_ABORTED, /* it called MPI_Abort */
	ES_MPI_FAILED	/* MPI handles an error of one of its calls */
};

/*
 * A thread that called MPI.  Inside a call, `inside` is 1 + the function, and
 * the words after it are those of the call; otherwise `inside` is 0.  A call
 * that waits for several requests has the count of these requests in `tag`.
 * The receive of a Sendrecv has words of its own.
 */
struct es_mpi_thread {
	uint64_t tid;		 /* of the kernel */
	paths_atomic_u64 calls;	 /* outermost ones, in any mode but off */
	paths_atomic_u64 nested; /* calls inside of others, by callbacks */
	paths_atomic_u32 inside;
	paths_atomic_u32 comm;
	paths_atomic_i32 peer;
	paths_atomic_i32 tag;
	paths_atomic_u32 site;
	paths_atomic_u32 match; /* as in the tuple */
	paths_atomic_u64 since; /* start in ticks; 0: not read in this mode */
	paths_atomic_u64 requests;   /* in the table that it opened, at present;
				       below MPI_THREAD_MULTIPLE one thread
				       opens the table of the process */
	paths_atomic_i32 source;     /* peer of the receive of a Sendrecv */
	paths_atomic_i32 source_tag; /* its tag */
	uint8_t pad[56];
};

static_assert(sizeof(struct es_mpi_thread) == ES_SPACE_ALIGN, "own lines");

/* Four bins for each octave, from 2^ES_MPI_BIN_FIRST ticks: see es_mpi_bin. */
#define ES_MPI_BINS 128u
#define ES_MPI_BIN_FIRST 5u

/* Flags of a profile row, besides function, site and size. */
enum es_mpi_profile_flag {
	ES_MPI_ROOT = 1,  /* the caller is the root of the collective */
	ES_MPI_READY = 2, /* the data was there before the call, as a probe or
			     test by the same thread had found */
	ES_MPI_MANY = 4,  /* a Wait or Test that completed zero or several
			     requests: its estimate of waiting is unreliable */
	ES_MPI_SENT = 8,  /* the call completed sends: it waits for receivers */
	ES_MPI_ELSE = 16  /* the call completed requests that are neither sends
			     nor receives: of collectives, windows, files */
};

/*
 * Calls of one function from one site with one size class.
 *
 * Without a trace, a row of function ES_MPI_COMPLETED has the overlap of the
 * Wait calls with its site, size class and flags: the ticks from the end of the
 * call that made the first of the completed requests to the begin of the Wait.
 * Persistent requests do not count.  Its calls are those of the Wait function;
 * its bytes, min_ticks, max_ticks and bins are 0.
 */
struct es_mpi_profile {
	uint32_t site;
	uint16_t function;
	uint8_t size_class; /* es_space_size_class of the bytes received, or
			       if none were, of those sent */
	uint8_t flags;	    /* a set of enum es_mpi_profile_flag */
	uint32_t phase;
	uint32_t comm; /* of a collective; 0 otherwise */
	paths_atomic_u64 epoch;
	paths_atomic_u64 calls;
	paths_atomic_u64 bytes;
	paths_atomic_u64 sum_ticks;
	paths_atomic_u64 min_ticks;
	paths_atomic_u64 max_ticks;
	/* Calls by duration.  The last call of a thread is counted with the
	   next one, or when the thread or MPI ends: in a killed process each
	   thread may lack one. */
	paths_atomic_u32 bins[ES_MPI_BINS];
};

/* Categories of traffic between two ranks. */
enum es_mpi_category {
	ES_MPI_CATEGORY_P2P,
	ES_MPI_CATEGORY_PERSISTENT, /* persistent sends, partitioned too */
	ES_MPI_CATEGORY_PUT,	    /* from here; accumulate too */
	ES_MPI_CATEGORY_GET,	    /* to here */
	ES_MPI_CATEGORY_COLLECTIVE, /* calls with counts per peer */
	ES_MPI_CATEGORY_RECEIVED,   /* point-to-point, counted by the receiver;
				       not in matrix mode alone */
	ES_MPI_CATEGORIES
};

/*
 * Messages between this process and a peer.  A send counts when it is called or
 * started, also if it is cancelled later.  A receive counts when it is
 * complete.  The bytes of a partitioned message count when its partitions are
 * ready; its size class is that of the whole message.
 */
struct es_mpi_matrix {
	int32_t peer; /* number of the process; never negative */
	uint32_t category;
	uint32_t phase;
	uint32_t reserved;
	paths_atomic_u64 epoch;
	paths_atomic_u64 messages;
	paths_atomic_u64 bytes;
	paths_atomic_u64 classes[ES_SIZE_CLASSES];
};

/*
 * Collectives as they were called.  `bytes` is the sum over the calls of the
 * bytes of one pair, from one process to another; mpi_pairs.h lists the pairs.
 * Calls with counts per peer (the v and w forms) and neighbourhood collectives
 * have their pairs in matrix rows, and `bytes` is the sum that the process sent
 * to all others.
 */
struct es_mpi_collective {
	uint32_t comm;
	uint16_t function;
	uint16_t reserved;
	int32_t root; /* its rank there; negative: ES_MPI_ROOT_NONE, ... */
	uint32_t phase;
	paths_atomic_u64 epoch;
	paths_atomic_u64 calls;
	paths_atomic_u64 bytes;
	paths_atomic_u64 classes[ES_SIZE_CLASSES]; /* calls of each class */
};

/* Entries of the log; each is aligned to 8 bytes. */
enum es_mpi_entry_kind {
	ES_MPI_ENTRY_PROCESS = 1, /* struct es_mpi_process, texts */
	ES_MPI_ENTRY_COMM,	  /* struct es_mpi_comm, ranks, name */
	ES_MPI_ENTRY_COMM_NAME,	  /* struct es_mpi_name, name */
	ES_MPI_ENTRY_MODULE,	  /* struct es_mpi_module, build id, path */
	ES_MPI_ENTRY_SITE,	  /* struct es_mpi_site, frames */
	ES_MPI_ENTRY_PHASE,	  /* struct es_mpi_name, name */
	ES_MPI_ENTRY_NOTE,	  /* text: a warning */
	ES_MPI_ENTRY_PLAN,	  /* struct es_mpi_plan */
	ES_MPI_ENTRY_RANK_SET,	  /* struct es_mpi_rank_set, its runs */
	ES_MPI_ENTRY_LIFE,	  /* struct es_mpi_life */
	ES_MPI_ENTRY_SOURCE,	  /* struct es_mpi_source, function, file */
	ES_MPI_ENTRY_BINDING	  /* struct es_mpi_binding, its words */
};

struct es_mpi_entry {
	uint32_t kind;
	uint32_t bytes; /* of what follows, a multiple of 8 */
};

/* Followed by three texts, each ending with 0: the first line of the version
   text of the library; the command line, words separated by blanks; and the
   name that the launcher gives the world of the process, which no other world
   of the job has, or "". */
struct es_mpi_process {
	uint64_t library_bytes; /* with its 0 */
	uint64_t command_bytes; /* with its 0 */
	uint64_t world_bytes;	/* with its 0 */
};

/* A number `count` of ranks: first, first + stride, ... */
struct es_mpi_ranks {
	int32_t first;
	int32_t stride;
	uint32_t count;
};

#define ES_MPI_COMM_INTER 1u
#define ES_MPI_COMM_SPAWNED 2u /* of MPI_Comm_spawn, at the parent */
#define ES_MPI_COMM_PARENT 4u  /* of MPI_Comm_get_parent, at the child */

/* id 0 is MPI_COMM_NULL, 1 MPI_COMM_WORLD, 2 MPI_COMM_SELF. */
#define ES_MPI_COMM_NULL 0u
#define ES_MPI_COMM_WORLD 1u
#define ES_MPI_COMM_SELF 2u
/* All communicators after 65,534 others. */
#define ES_MPI_COMM_MORE 65535u

/*
 * A communicator.  The same identity in several processes of one world means
 * the same communicator.  It is computed from the identity of the parent, the
 * members (on an intercommunicator those of both groups, in an order that both
 * sides agree on), and the number of communicators with these members that were
 * made of this parent before.  Each world numbers the processes outside of it
 * in its own way, so the identity takes these as equal.
 *
 * Followed by `runs` struct es_mpi_ranks, the members in the order of their
 * ranks (on an intercommunicator those of the local group and then those of the
 * remote one), and by the name, which ends with 0.
 */
struct es_mpi_comm {
	uint32_t id;
	uint32_t parent; /* id */
	uint64_t identity;
	uint32_t flags;
	int32_t rank; /* of the process in it */
	uint32_t size;
	uint32_t remote_size; /* 0: an intracommunicator */
	uint32_t runs;	      /* of both groups */
	uint32_t local_runs;  /* of the local group */
};

struct es_mpi_name {
	uint32_t id;	/* of a communicator or a phase */
	uint32_t bytes; /* with its 0 */
};

struct es_mpi_module {
	uint32_t id;
	uint32_t build_id_bytes; /* 0: it has none */
	uint64_t file_bytes;	 /* size of a file without build id */
	uint64_t file_seconds;	 /* modification time of such a file */
	uint64_t path_bytes;	 /* with its 0 */
};

/* A call path, innermost frame first.  Site 0 means that none was recorded. */
struct es_mpi_site {
	uint32_t id;
	uint32_t frames; /* struct es_mpi_frame */
};

/* A persistent collective, logged when a start of it is first traced: the
   number of its request, as in `match`, and its own number on its communicator.
   */
struct es_mpi_plan {
	uint32_t request;
	uint32_t number;
};

/* The meaning of the ranks of a set. */
enum es_mpi_ranks_kind {
	ES_MPI_RANKS_SOURCES = 1, /* ranks of the communicator of the call; of
				     an intercommunicator those of the remote
				     group */
	ES_MPI_RANKS_GROUP	  /* peers, as in tuples */
};

/* A set of ranks that tuples refer to, logged when it first occurs.  Followed
   by `runs` struct es_mpi_ranks, in no order; a rank may occur twice. */
struct es_mpi_rank_set {
	uint32_t id;   /* from 1 */
	uint32_t kind; /* enum es_mpi_ranks_kind */
	uint32_t runs;
	uint32_t reserved;
};

/*
 * es_mpi_peer_of_id - the peer that stands for an id
 *
 * id	0: none
 *
 * Returns	the peer; ES_MPI_PEER_NONE for 0 and ids above INT32_MAX / 2
 * Threads	any; no shared state
 * Since	0.1
 */
static inline int32_t
es_mpi_peer_of_id(uint32_t id)
{
	return id == 0 || id > INT32_MAX / 2 ? ES_MPI_PEER_NONE :
					       ES_MPI_PEER_ID + 1 - (int32_t)id;
}

/*
 * es_mpi_id_of_peer - the id that a peer stands for
 *
 * Returns	the id; 0: the peer stands for none
 * Threads	any; no shared state
 * Since	0.1
 */
static inline uint32_t
es_mpi_id_of_peer(int32_t peer)
{
	return peer > ES_MPI_PEER_ID ?
	    0 :
	    (uint32_t)(ES_MPI_PEER_ID + 1) - (uint32_t)peer;
}

/* An event in the life of the process, which has its time in every mode. */
enum es_mpi_life_event {
	ES_MPI_LIFE_INITIALIZED = 1, /* MPI_Init returned to the program */
	ES_MPI_LIFE_FINALIZING	     /* MPI_Finalize was called */
};

struct es_mpi_life {
	uint32_t event; /* enum es_mpi_life_event */
	uint32_t reserved;
	uint64_t ticks;
};

/* The most words of a binding: 8192 processors. */
#define ES_MPI_BINDING_WORDS 128u

/*
 * The processors that a thread was allowed to run on when it first called MPI.
 * Followed by `words` uint64_t: bit n of word m stands for the processor that
 * the operating system numbers 64 m + n.  A later thread that takes the number
 * of one that ended has no entry of its own.
 */
struct es_mpi_binding {
	uint32_t thread; /* as the owner of its parts */
	uint32_t words;
};

/* A place in code that an interpreter runs.  Followed by two texts, each ending
   with 0. */
struct es_mpi_source {
	uint32_t id;		 /* from 1 */
	uint32_t line;		 /* 0: not known */
	uint32_t function_bytes; /* with its 0 */
	uint32_t file_bytes;	 /* with its 0 */
};

/* A return address in an extension module of an interpreter. */
#define ES_MPI_FRAME_EXTENSION UINT32_MAX

/* A return address, minus the address at which its module is loaded; or a place
   in a source. */
struct es_mpi_frame {
	uint32_t module; /* UINT32_MAX: in no file, offset is the address */
	uint32_t source; /* of struct es_mpi_source, and offset is a hash of it;
			    0, or ES_MPI_FRAME_EXTENSION: a return address */
	uint64_t offset;
};

/*
 * es_mpi_bin - finds the bin of a duration
 *
 * Returns	the bin, of 4 for each octave; durations below and above are in
 *		the first and the last bin
 * Threads	any; no shared state
 * Since	0.1
 */
static inline uint32_t
es_mpi_bin(uint64_t ticks)
{
	uint32_t octave;

	if (ticks < (UINT64_C(1) << ES_MPI_BIN_FIRST))
		return 0;
	octave = 63u ^ (uint32_t)__builtin_clzll(ticks);
	if (octave >= ES_MPI_BIN_FIRST + ES_MPI_BINS / 4)
		return ES_MPI_BINS - 1;
	return (octave - ES_MPI_BIN_FIRST) * 4 +
	    (uint32_t)((ticks >> (octave - 2)) & 3);
}

PATHS_END_DECLS

#endif
