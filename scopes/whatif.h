/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif.h - predicts the length of a run with changes
 *
 * The program activity graph of the run is replayed: computations and
 * operations have their lengths, and threads wait where and as long as these
 * tell.  eventspace-whatif(1) describes changes and the model.
 */

#ifndef SCOPES_WHATIF_H
#define SCOPES_WHATIF_H

#include "scopes/analysis.h"

PATHS_BEGIN_DECLS

struct es_whatif;

/* Returns the name of a call site of the run, such as "main@halo.c:17"; NULL:
   it has none.  The name stays until es_whatif_close. */
typedef const char *es_whatif_place(void *from, uint32_t site);

/* A share of drift above which nothing is predicted. */
#define ES_WHATIF_DRIFT 0.03

/* A time of a thread, in ns. */
struct es_whatif_thread {
	uint32_t rank;	  /* of the run; of paths: the thread */
	uint32_t thread;  /* of the map */
	const char *name; /* there; NULL: not known */
	double end_ns;	  /* when it ends, since the start of the run */
	/* Inside the measured interval. */
	double computing_ns, waiting_ns, operating_ns;
};

/* Dependence of the length of the run on a parameter of messages. */
struct es_whatif_sense {
	const char *parameter; /* "latency" or "byte time" */
	const char *links;     /* "all", "inside" or "between" hosts */
	double slope; /* ns more for each ns of it; the count of latencies, or
			 bytes, on the critical path */
	double shares[3];    /* 0.01, 0.02, 0.05 */
	double tolerated[3]; /* ns that cost these; INFINITY: none does */
	double measured;     /* in ns; NAN: not known, or links differ */
};

#define ES_WHATIF_SENSES 6u

/*
 * Operations whose matches were free to go otherwise, and are kept as they
 * were: those that took a message of any source, or a tuple of an element that
 * several threads write or take tuples from in turns, and those whose answer
 * depends on which message comes first.
 */
struct es_whatif_choices {
	uint64_t any, first, either;
};

/* Such operations at one place, most of the critical path first. */
struct es_whatif_frozen {
	const char *name;		    /* "MPI_Recv at ring.c:40" */
	struct es_whatif_choices all, path; /* path: on the critical path */
};

struct es_whatif_account {
	double measured_ns, replayed_ns; /* length of the measured interval */
	/* Length that changes are compared with: as measured, or without lost
	   cores. */
	double unchanged_ns;
	bool leaves_out; /* replays leave out time without a core */
	/* Sums over all threads: the time that is omitted, and time without a
	   core that stays, because it is not known when it was. */
	double left_out_ns, undated_ns;
	double drift; /* share; the worst of length and threads */
	double thread_drift;
	uint32_t drift_rank;	/* of that thread */
	bool paths;		/* the run is of operations on paths */
	uint32_t ranks_missing; /* ranks that left no trace */
	uint64_t unknown; /* operations that may have waited for what is not
			     known */
	uint64_t operations, messages, collectives, contradictions, cycles;
	uint64_t epochs;	  /* parts between global synchronisations */
	bool epochs_agree;	  /* each rank has as many */
	uint64_t sources_unknown; /* receives and probes: an older version did
				       not record if their source was any */
	struct es_whatif_choices choices, path_choices;
	const struct es_whatif_frozen *frozen; /* by place */
	size_t frozen_count;
};

/* The answer for the changes that were added. */
struct es_whatif_answer {
	double before_ns, after_ns; /* length of the measured interval */
	const struct es_whatif_thread *before, *after;
	uint32_t thread_count;
	const double *alone_ns; /* length with each change alone */
	size_t change_count;
	/* The gain of all together, less that of each. */
	double interaction_ns;
};

/* A single change that would gain something. */
struct es_whatif_advice {
	const char *kind;     /* "balance", "rank", "network", "wait", "code" */
	const char *change;   /* as for es_whatif_change */
	const char *about;    /* a sentence */
	const char *evidence; /* view and rows */
	const char *sure;     /* how sure it is */
	double gain_ns, gain; /* gain: share of the run */
	double at_ns;	      /* a time to look at; NAN: none */
};

/*
 * es_whatif_open - prepare to predict a run
 *
 * place	gives names to call sites; NULL: they have none
 * from		is passed to place
 * whatif	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	the run has no operations in mode trace
 *		PATHS_ENOMEM
 *		a status of es_mpi_trace_open
 * Ownership	the caller calls es_whatif_close before es_analysis_close
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_whatif_open(struct es_analysis *analysis,
    es_whatif_place *place, void *from, struct es_whatif **whatif)
    PATHS_CHECKED;

/*
 * es_whatif_close - free what es_whatif_open made, and all that was lent
 *
 * whatif	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_whatif_close(struct es_whatif *whatif);

/*
 * es_whatif_change - add a change
 *
 * text		as the operand CHANGE of eventspace-whatif(1)
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	no such change, place or rank; paths_log_last
 *				gives the reason and the nearest name
 *		PATHS_ENOMEM
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_whatif_change(struct es_whatif *whatif, const char *text)
    PATHS_CHECKED;

/* Returns the time in ns by which a message between two ranks of the run takes
   longer than it did; negative: shorter. */
typedef double es_whatif_message(void *from, uint32_t source, uint32_t target,
    uint64_t bytes);

/*
 * es_whatif_messages - change the travel of messages one by one
 *
 * A send that waits for its receive gets an answer, a message of no bytes.
 *
 * message	called for each message in each later replay, also with the
 *		changes that were added; NULL: no more
 * from		is passed to message
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_whatif_messages(struct es_whatif *whatif,
    es_whatif_message *message, void *from);

/*
 * es_whatif_account - how far predictions can be trusted
 *
 * Returns	the account
 * Ownership	of *whatif
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_whatif_account *es_whatif_account(
    const struct es_whatif *whatif);

/*
 * es_whatif_predict - replay the run with all changes that were added
 *
 * answer	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the answer's arrays are of *whatif
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_whatif_predict(struct es_whatif *whatif,
    struct es_whatif_answer *answer) PATHS_CHECKED;

/*
 * es_whatif_senses - find how the run depends on the travel of messages, with
 * the changes that were added
 *
 * senses	out
 * count	out: 0 for paths
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_whatif_senses(struct es_whatif *whatif,
    struct es_whatif_sense senses[ES_WHATIF_SENSES], size_t *count)
    PATHS_CHECKED;

/*
 * es_whatif_advise - find the single changes that gain most
 *
 * Changes that gain less than 1 % of the run are left out.
 *
 * advice	out: at most ten, the largest gain first; those of kind "cores",
 *		then "code", come last
 * count	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	of *whatif
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_whatif_advise(struct es_whatif *whatif,
    const struct es_whatif_advice **advice, size_t *count) PATHS_CHECKED;

PATHS_END_DECLS

#endif
