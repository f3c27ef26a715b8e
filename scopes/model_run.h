/* SPDX-License-Identifier: MIT */
/*
 * scopes/model_run.h - the point-to-point communication of a run under a model
 *
 * The messages of a rank form bursts: a burst begins with a send or a receive
 * while no other one is open, and ends when all are complete.  Blocking
 * receives that follow each other are one burst while their messages wait
 * already.  The time of a phase is the sum of the times of its bursts.
 *
 * In a burst, the cost is that of the messages sent, or of those received if it
 * is larger, because both overlap; blocking receives are added to it.  The
 * queue has the messages that the rank receives in the burst.
 */

#ifndef SCOPES_MODEL_RUN_H
#define SCOPES_MODEL_RUN_H

#include "scopes/analysis.h"
#include "scopes/model.h"
#include "scopes/mpi.h"

PATHS_BEGIN_DECLS

/* A rank in a phase. */
struct es_model_run_row {
	uint32_t phase; /* as in the view phase; PATHS_NONE: outside of loops */
	/* As in es_mpi_phase_name, and `phase` is PATHS_NONE; PATHS_NONE: the
	   program began none by MPI_Pcontrol. */
	uint32_t named;
	uint32_t rank; /* of the run */
	uint64_t bursts;
	uint64_t sent, received; /* messages */
	uint64_t sent_bytes, received_bytes;
	uint64_t largest_burst; /* messages received */
	double inversions; /* pairs of messages of a queue that were sent in
			      another order than their receives were posted */
	uint64_t calls;	   /* for these messages */
	double measured_s; /* in these calls */
	double late_s;	   /* thereof before the sender began to send */
	double late_receiver_s; /* then before a receive was posted that a send
				   waits for */
	struct es_model_cost costs[ES_MODEL_KINDS]; /* NAN: not known */
};

/* The ranks of a phase. */
struct es_model_run_phase {
	uint32_t phase, named;
	size_t row_first, row_count;
	size_t slowest;			  /* row with the longest time measured,
					    late times left out */
	size_t predicted[ES_MODEL_KINDS]; /* row with the largest cost */
};

/*
 * es_model_run_busy_s - the time of a rank in a phase without that before late
 * senders and receivers
 *
 * Returns	seconds
 * Threads	any
 * Since	0.1
 */
static inline double
es_model_run_busy_s(const struct es_model_run_row *row)
{
	return row->measured_s - row->late_s - row->late_receiver_s;
}

struct es_model_run {
	struct es_model_run_row *rows; /* by phase, then rank */
	size_t row_count;
	struct es_model_run_phase *phases;
	size_t phase_count;
	uint64_t messages; /* matched */
	/* Sums over all rows. */
	uint64_t calls;
	double measured_s, late_s, late_receiver_s;
	uint64_t unmatched;	/* receives */
	uint64_t discarded;	/* tuples of calls, which are left out */
	uint64_t between_hosts; /* messages */
	uint64_t *messages_of;	/* each locality of the model */
	size_t locality_count;
	uint32_t rank_count;
	/* Ranks whose processors are known; others are told apart by hosts
	   only. */
	uint32_t placed;
	/* Messages of a kind, inside of a host or between two, for which the
	   model has no locality: they cost as the last one. */
	uint64_t misplaced;
	double hops; /* NAN: not known, and contention is not either */
	const struct es_mpi *mpi; /* of the run, for names of phases */
};

/* The place of a rank.  Hosts are numbered from 0 on, groups of processors
   within their host. */
struct es_model_place {
	uint32_t host;
	uint32_t core, cache, numa, package; /* PATHS_NONE: not known */
};

/*
 * es_model_place_locality - the locality of messages between two places
 *
 * It has the name of the closest group of processors that the places share, or
 * of the next larger one that the model has.
 *
 * Returns	its number; PATHS_NONE: the model has no locality inside of
 *		hosts, or none between them
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_model_place_locality(const struct es_model *model,
    const struct es_model_place *a, const struct es_model_place *b);

struct es_model_run_options {
	enum es_model_fit fit;
	double hops; /* as in struct es_model_phase; NAN: that of the model */
	/* Links between two hosts of the map, [a * host_count + b], lent for
	   the call: without `hops`, the mean over the bytes of messages is
	   taken; 0: not known; NULL: none is known. */
	const uint32_t *links;
	/* The place of each rank of the run, lent for the call; NULL: the one
	   where it ran. */
	const struct es_model_place *places;
};

/* The parts of the time of a rank in a phase: they add up to measured_s. */
enum es_model_part {
	ES_MODEL_LATE,
	ES_MODEL_LATE_RECEIVER,
	ES_MODEL_LATENCY,
	ES_MODEL_BANDWIDTH,
	ES_MODEL_QUEUE,
	ES_MODEL_CONTENTION,
	ES_MODEL_UNEXPLAINED, /* negative: the model predicts more */
	ES_MODEL_PARTS
};

/*
 * es_model_part_name - the name of a part of a time
 *
 * Returns	"late" and the like; NULL: there is no such part
 * Ownership	a constant
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_model_part_name(enum es_model_part part);

/*
 * es_model_run_parts - the parts of the time of a rank in a phase
 *
 * parts	out: in seconds; NAN where the model has no times
 *
 * Returns	the largest part that the model predicts
 * Threads	any
 * Since	0.1
 */
ES_API enum es_model_part es_model_run_parts(const struct es_model_run_row *row,
    enum es_model_kind kind, double parts[ES_MODEL_PARTS]);

/*
 * es_model_run_open - compare the messages of a run with a model
 *
 * run		out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	the run is not one of MPI processes
 *		PATHS_EINVAL	the model has no locality
 *		PATHS_ENOMEM
 *		a status of es_mpi_trace_open
 * Ownership	the caller calls es_model_run_close; names of phases are those
 *		of the run of the analysis, as long as that is open
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_model_run_open(struct es_analysis *analysis,
    const struct es_model *model, const struct es_model_run_options *options,
    struct es_model_run **run) PATHS_CHECKED;

/*
 * es_model_run_close - free what es_model_run_open made
 *
 * run		NULL: nothing happens
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
ES_API void es_model_run_close(struct es_model_run *run);

/*
 * es_model_run_kind - the kind of model that is taken unless one is asked for
 *
 * Returns	ES_MODEL_STREAMED if the model has the times of streams for all
 *		messages, else ES_MODEL_QUEUED
 * Threads	any
 * Since	0.1
 */
ES_API enum es_model_kind es_model_run_kind(const struct es_model_run *run);

/*
 * es_model_run_knows - find out if a kind of model has times for a run
 *
 * Returns	false for ES_MODEL_CONTENDED if hops are not known
 * Threads	any
 * Since	0.1
 */
ES_API bool es_model_run_knows(const struct es_model_run *run,
    enum es_model_kind kind);

/* The longest text of es_model_run_text, its closing 0 included. */
#define ES_MODEL_RUN_BYTES 1536

/*
 * es_model_run_text - tell in sentences which messages are compared
 *
 * model	as for es_model_run_open
 *
 * Returns	text
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_model_run_text(const struct es_model_run *run,
    const struct es_model *model, char text[ES_MODEL_RUN_BYTES]);

/* The longest text of es_model_phase_text, its closing 0 included. */
#define ES_MODEL_PHASE_BYTES 288

/*
 * es_model_phase_text - describe a phase in words
 *
 * Returns	"loop 3", "phase NAME", or "" outside of both
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_model_phase_text(const struct es_model_run *run,
    uint32_t phase, uint32_t named, char text[ES_MODEL_PHASE_BYTES]);

struct es_model_pairs;

/*
 * es_model_pairs_open - prepare to ask for single messages of a run
 *
 * All ranks of a host communicate at once.
 *
 * run		of MPI processes
 * options	hops are not used
 * kind		of model
 * pairs	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	the model has no locality
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_model_pairs_close; keeps the model
 * Threads	that of the run
 * Since	0.1
 */
ES_API paths_status es_model_pairs_open(const struct es_run *run,
    const struct es_model *model, const struct es_model_run_options *options,
    enum es_model_kind kind, struct es_model_pairs **pairs) PATHS_CHECKED;

/*
 * es_model_pairs_close - free what es_model_pairs_open made
 *
 * pairs	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
ES_API void es_model_pairs_close(struct es_model_pairs *pairs);

/*
 * es_model_pairs_s - the time of a message between two ranks of a run
 *
 * Returns	seconds; NAN: not known, or there is no such rank
 * Threads	any
 * Since	0.1
 */
ES_API double es_model_pairs_s(const struct es_model_pairs *pairs,
    uint32_t source, uint32_t target, uint64_t bytes);

/* Operations of a path, or of a join, through a proxy.  An operation is two
   messages: a write has its tuple in the first one, a read in the second one,
   an exchange in both. */
struct es_model_proxy {
	uint32_t stage;	   /* of the map: the proxy, an instance */
	uint32_t path;	   /* of the map; PATHS_NONE: on the chain of a join */
	uint32_t from, to; /* processes */
	uint32_t locality; /* of the model */
	bool placed;	   /* it has one for these hosts and this means */
	uint64_t operations;
	uint64_t bytes;	   /* of tuples, one or both ways */
	double measured_s; /* in the proxy, without the stages behind it */
	struct es_model_cost cost;
};

struct es_model_proxies {
	struct es_model_proxy *list; /* in the order of collectors */
	size_t count;
	/* Proxies whose time is not known: they have no collector on both
	   sides, or another stage is between these. */
	uint64_t hidden;
};

/*
 * es_model_proxies_open - compare the operations of a run through proxies with
 * a model
 *
 * The time of an operation in a proxy is that between the collector before it
 * and the one behind it, in another process.  The model predicts latency and
 * bandwidth of both messages; the queue is the time of the bytes of other
 * operations between the same two processes, by the same means, that were under
 * way before it.
 *
 * proxies	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	the model has no locality
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_model_proxies_close
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_model_proxies_open(struct es_analysis *analysis,
    const struct es_model *model, enum es_model_fit fit,
    struct es_model_proxies **proxies) PATHS_CHECKED;

/*
 * es_model_proxies_close - free what es_model_proxies_open made
 *
 * proxies	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
ES_API void es_model_proxies_close(struct es_model_proxies *proxies);

/*
 * es_model_proxy_parts - the parts of the time of operations through a proxy
 *
 * parts	out: in seconds; they add up to measured_s, and those of late
 *		ranks and ES_MODEL_CONTENTION are 0
 *
 * Returns	the largest part that the model predicts
 * Threads	any
 * Since	0.1
 */
ES_API enum es_model_part
es_model_proxy_parts(const struct es_model_proxy *proxy,
    double parts[ES_MODEL_PARTS]);

/* Takes a sentence without a full stop, which is lent for the call. */
typedef void es_model_doubt(void *to, const char *text);

/*
 * es_model_run_doubts - find out why a model may not be that of a run
 *
 * take		called for each reason: the model was measured on other hosts,
 *		with another MPI library, or on a machine that changed
 *
 * Returns	nothing
 * Threads	that of the run
 * Since	0.1
 */
ES_API void es_model_run_doubts(const struct es_run *run,
    const struct es_model *model, es_model_doubt *take, void *to);

/* Name of the file in the directory of a run with the model that the view
   cost_model compares it with. */
#define ES_MODEL_KEPT "cost.model"

/*
 * es_model_keep - keep a model with a run
 *
 * Writes ES_MODEL_KEPT unless it is there with the same text: its time then
 * stays, so that views of the run stay, too.
 *
 * dir		the directory of the run
 *
 * Returns	PATHS_OK
 *		PATHS_EIO	it cannot be written
 *		PATHS_ENOMEM
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_model_keep(const struct es_model *model, const char *dir)
    PATHS_CHECKED;

PATHS_END_DECLS

#endif
