/* SPDX-License-Identifier: MIT */
/*
 * scopes/model.h - cost models of point-to-point communication
 *
 * A model holds parameters of a machine: latency and bandwidth of messages for
 * each locality (a kind of pairs of ranks, such as "intra-socket") and range of
 * sizes, the cost of a search of message queues, and the cost of contention.
 * It is kept in a file of text, eventspace-model(5).  Seconds, bytes and bytes
 * per second throughout.
 *
 * Source: Bienz, Gropp, Olson: Improving Performance Models for Irregular
 * Point-to-Point Communication
 */

#ifndef SCOPES_MODEL_H
#define SCOPES_MODEL_H

#include "collectors/api.h"

#include "libpaths/status.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

PATHS_BEGIN_DECLS

/* The longest name of a locality or a protocol, and text of a model, with the
   closing 0. */
#define ES_MODEL_NAME_BYTES 32u
#define ES_MODEL_TEXT_BYTES 256u

/* Relative errors of a fit on the samples it was made from. */
struct es_model_error {
	uint64_t samples; /* 0: not known, the others are not set */
	double median, p90, rms;
};

/* A range of sizes with one protocol.  It ends where the next one begins. */
struct es_model_segment {
	uint64_t first_bytes; /* smallest message; 0 for the first segment */
	char protocol[ES_MODEL_NAME_BYTES]; /* one word; "": not known */
	double alpha_s;			    /* latency */
	double rate;	  /* bytes per second of a process, R_b; may be
			     INFINITY */
	double node_rate; /* of all processes of a node, R_N; INFINITY: not
			     limited */
	struct es_model_error error;
};

/* Methods to find segments. */
enum es_model_fit {
	ES_MODEL_PAPER,	   /* fixed cuts, plain least squares */
	ES_MODEL_SEGMENTS, /* cuts are found, relative least squares */
	ES_MODEL_FITS
};

/* The segments of a locality from one method, in order of sizes. */
struct es_model_segments {
	struct es_model_segment *list;
	size_t count, room; /* count 0: the method was not used */
	struct es_model_error error;
};

/* Time of an in-order stream of equal messages, divided by their number, on a
   grid of numbers and sizes. */
struct es_model_stream {
	uint64_t *counts, *sizes; /* ascending */
	size_t count_count, size_count;
	double *message_s; /* [count * size_count + size] */
};

/* Two hosts, or the same one twice. */
struct es_model_pair {
	char *hosts[2];
};

/* A kind of pairs of ranks or processes. */
struct es_model_locality {
	char name[ES_MODEL_NAME_BYTES]; /* one word */
	bool between_hosts;		/* else inside a host */
	/* Largest message that is sent without waiting for its receive; 0: not
	   known. */
	uint64_t eager_asked;  /* as the MPI library tells */
	uint64_t eager_probed; /* as was measured */
	struct es_model_segments fits[ES_MODEL_FITS];
	struct es_model_stream stream; /* counts NULL: not measured */
	/* Pairs of hosts for which it was measured; count 0: not known. */
	struct es_model_pair *pairs;
	size_t pair_count, pair_room;
};

/* The queues of messages that wait to be matched, in an MPI library. */
enum es_model_queue {
	ES_MODEL_QUEUE_UNKNOWN,
	ES_MODEL_QUEUE_ONE,  /* one queue for all senders */
	ES_MODEL_QUEUE_PEERS /* one queue for each sender */
};

/* A value of gamma at a number of messages. */
struct es_model_gamma {
	uint64_t messages;
	double gamma_s;
};

struct es_model {
	char
	    machine[ES_MODEL_TEXT_BYTES]; /* "": not known, as for the others */
	char mpi[ES_MODEL_TEXT_BYTES];	  /* version of the MPI library */
	char date[ES_MODEL_TEXT_BYTES];	  /* when it was measured */
	char host[ES_MODEL_TEXT_BYTES];	  /* names of hosts */
	char cpu[ES_MODEL_TEXT_BYTES];
	char note[ES_MODEL_TEXT_BYTES]; /* for people */
	/* From the closest pairs of ranks to the most distant ones. */
	struct es_model_locality *localities;
	size_t locality_count, locality_room;
	enum es_model_queue queue;
	double gamma_s;		       /* NAN: not known */
	struct es_model_gamma *gammas; /* ascending; count 0: only gamma_s */
	size_t gamma_count, gamma_room;
	double delta_s; /* of a byte of contention; NAN: not known */
	/* Relative change of a reference ping-pong while the machine was
	   measured, and the change above which the model is in doubt; NAN: not
	   known. */
	double drift, drift_limit;
	/* Links that a byte passes in the mean on its way through the network;
	   NAN: not known. */
	double hops;
};

/*
 * es_model_create - make a model without localities and parameters
 *
 * model	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es_model_free
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_model_create(struct es_model **model) PATHS_CHECKED;

/*
 * es_model_free - free a model
 *
 * model	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
ES_API void es_model_free(struct es_model *model);

/*
 * es_model_add_locality - add a locality behind the others
 *
 * name		one word, unique in the model
 * locality	out: its number
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	no such name is possible, or it is taken
 *		PATHS_ENOMEM
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_model_add_locality(struct es_model *model,
    const char *name, uint32_t *locality) PATHS_CHECKED;

/*
 * es_model_find_locality - find a locality by its name
 *
 * Returns	its number; PATHS_NONE: there is none
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_model_find_locality(const struct es_model *model,
    const char *name);

/*
 * es_model_add_pair - name two hosts for which a locality was measured
 *
 * a, b		one word each; the same one twice inside of a host
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	no such name is possible
 *		PATHS_ENOMEM
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_model_add_pair(struct es_model *model, uint32_t locality,
    const char *a, const char *b) PATHS_CHECKED;

/*
 * es_model_find_pair - find the first locality that was measured for two hosts
 *
 * name		that it has, or begins with before a "-"; NULL: any
 *
 * Returns	its number; PATHS_NONE: there is none
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_model_find_pair(const struct es_model *model,
    const char *name, const char *a, const char *b);

/*
 * es_model_add_segment - add a segment behind the others
 *
 * segment	is copied
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	a value is out of range, or first_bytes does not
 *				follow the last segment
 *		PATHS_ENOMEM
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_model_add_segment(struct es_model_segments *segments,
    const struct es_model_segment *segment) PATHS_CHECKED;

/*
 * es_model_add_gamma - add a value of gamma behind the others
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	gamma_s is out of range, or messages does not
 *				follow the last value
 *		PATHS_ENOMEM
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_model_add_gamma(struct es_model *model,
    struct es_model_gamma gamma) PATHS_CHECKED;

/*
 * es_model_set_stream - set the stream costs of a locality
 *
 * grid		is copied; all its values are over 0
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	a value is out of range, or counts or sizes do
 *				not ascend
 *		PATHS_ENOMEM
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_model_set_stream(struct es_model *model,
    uint32_t locality, const struct es_model_stream *grid) PATHS_CHECKED;

/*
 * es_model_set_text - set a text of a model
 *
 * text		of the model
 * value	the first line is taken, without control characters, and cut to
 *		ES_MODEL_TEXT_BYTES
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_model_set_text(char text[ES_MODEL_TEXT_BYTES],
    const char *value);

/*
 * es_model_read - read a model from a file
 *
 * model	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	there is no such file
 *		PATHS_EIO	it cannot be read
 *		PATHS_ESYNTAX	it is no model, is of another version, or is
 *				damaged; paths_log_last gives file, line and
 *				reason
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_model_free
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_model_read(const char *file, struct es_model **model)
    PATHS_CHECKED;

/*
 * es_model_read_text - read a model from text in memory
 *
 * name		of the text, for errors
 * model	out
 *
 * Returns	as es_model_read
 * Ownership	the caller calls es_model_free
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_model_read_text(const char *name, const char *text,
    size_t bytes, struct es_model **model) PATHS_CHECKED;

/*
 * es_model_write - write a model to a file
 *
 * Writes a temporary file next to the file, and renames it.
 *
 * Returns	PATHS_OK
 *		PATHS_EIO	it cannot be written
 *		PATHS_ENOMEM
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_model_write(const struct es_model *model,
    const char *file) PATHS_CHECKED;

/*
 * es_model_text - write a model as text into memory
 *
 * text		out: ends with 0
 * bytes	out: without the 0
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller frees *text
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_model_text(const struct es_model *model, char **text,
    size_t *bytes) PATHS_CHECKED;

/* Models of the time of a phase.  Each has the parts of the one above it,
   except the stream model. */
enum es_model_kind {
	ES_MODEL_POSTAL,     /* alpha + s/R_b, all messages as in the last
				locality */
	ES_MODEL_MAX_RATE,   /* with the limit R_N of the node */
	ES_MODEL_NODE_AWARE, /* with parameters of each locality */
	ES_MODEL_QUEUED,     /* with gamma*n^2 */
	ES_MODEL_CONTENDED,  /* with delta*l */
	ES_MODEL_STREAMED,   /* overlapping messages and steps in the queue */
	ES_MODEL_KINDS
};

/*
 * es_model_kind_name - the name of a kind of model
 *
 * Returns	"max-rate" and the like; NULL: there is no such kind
 * Ownership	a constant
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_model_kind_name(enum es_model_kind kind);

/* Time of a message, of a process or of a phase. */
struct es_model_cost {
	double latency_s, bandwidth_s, queue_s, contention_s;
};

/*
 * es_model_total - the sum of the parts of a time
 *
 * Returns	seconds
 * Threads	any
 * Since	0.1
 */
static inline double
es_model_total(struct es_model_cost cost)
{
	return cost.latency_s + cost.bandwidth_s + cost.queue_s +
	    cost.contention_s;
}

/*
 * es_model_ns - a time in ns, without the digits that sums have lost
 *
 * Returns	seconds in ns, rounded to a ps; NAN stays
 * Threads	any
 * Since	0.1
 */
static inline double
es_model_ns(double seconds)
{
	return round(seconds * 1e12) / 1e3;
}

/* A message. */
struct es_model_question {
	enum es_model_fit fit;	 /* where it was not used, the other one is */
	enum es_model_kind kind; /* from ES_MODEL_QUEUED on as
				    ES_MODEL_NODE_AWARE */
	uint32_t locality;
	uint64_t bytes;
	uint32_t ppn; /* processes of the node that communicate at once, over
			 0 */
};

/*
 * es_model_message - the time of one message
 *
 * Returns	latency and bandwidth; NAN: the locality has no segments
 * Threads	any
 * Since	0.1
 */
ES_API struct es_model_cost es_model_message(const struct es_model *model,
    struct es_model_question question);

/* Messages of a process. */
struct es_model_messages {
	uint32_t locality;
	uint64_t bytes; /* of one; chooses the segment */
	uint64_t count; /* latencies */
	uint64_t total_bytes;
};

/* Communication of a process in a phase. */
struct es_model_process {
	const struct es_model_messages *messages;
	size_t message_count;
	uint32_t ppn; /* processes of the node that communicate at once */
	/* Messages received, by sender. */
	const uint64_t *received;
	size_t sender_count;
	/* Pairs of messages of a queue that arrived in another order than their
	   receives were posted; for the stream model. */
	double inversions;
};

struct es_model_phase {
	const struct es_model_process *processes;
	size_t process_count;
	/* Links that a byte passes in the mean on its way through the network,
	   h, and bytes that a process sends there in the mean, b.  The bytes in
	   contention are 2*h^3*b*ppn. */
	double hops; /* NAN: not known, and contention is 0 */
	double mean_bytes;
	double ppn; /* in the mean */
};

/*
 * es_model_contention - the time of contention in a phase
 *
 * Takes the network as a cube of torus nodes with two nodes a router.
 *
 * Returns	seconds; 0: delta or hops is not known
 * Threads	any
 * Since	0.1
 */
ES_API double es_model_contention(const struct es_model *model,
    const struct es_model_phase *phase);

/*
 * es_model_queue_s - the time of searching a queue, in the worst order
 *
 * messages	in the queue
 *
 * Returns	seconds: gamma*n^2; 0: gamma is not known
 * Threads	any
 * Since	0.1
 */
ES_API double es_model_queue_s(const struct es_model *model, double messages);

/*
 * es_model_gamma_at - gamma for a number of messages
 *
 * Interpolates in the logarithm of messages.  Above the values that were
 * measured, gamma is that of the largest; below half of the least number it is
 * 0, because no cost was seen there.
 *
 * Returns	seconds; 0: not known
 * Threads	any
 * Since	0.1
 */
ES_API double es_model_gamma_at(const struct es_model *model, double messages);

/*
 * es_model_stream_s - the time of a message in a stream of equal ones
 *
 * Interpolates the logarithm of time in the logarithms of both.
 *
 * Returns	seconds; NAN: streams were not measured
 * Threads	any
 * Since	0.1
 */
ES_API double es_model_stream_s(const struct es_model_stream *stream,
    double messages, double bytes);

/*
 * es_model_phase - the time of a phase, by process
 *
 * The phase takes as long as the process with the largest total.
 *
 * fit		as for es_model_message
 * costs	out: of each process
 *
 * Returns	the process with the largest total; process_count: there is none
 * Threads	any
 * Since	0.1
 */
ES_API size_t es_model_phase(const struct es_model *model,
    enum es_model_fit fit, enum es_model_kind kind,
    const struct es_model_phase *phase, struct es_model_cost *costs);

/* A measured time of a message, one way. */
struct es_model_sample {
	uint64_t bytes;
	uint32_t ppn; /* pairs of processes that were active on the node */
	double seconds;
};

/* The sizes at which the paper's method changes its segment. */
#define ES_MODEL_PAPER_EAGER 500u
#define ES_MODEL_PAPER_RENDEZVOUS 8000u
/* Active processes from which the node limits the rate, in that method. */
#define ES_MODEL_PAPER_LIMITED 4u

/*
 * es_model_fit_paper - fit segments as the paper does
 *
 * Three segments with fixed cuts; plain least squares of time on 1 and s.  If
 * the node limits the rate of the last segment, its line is fitted jointly for
 * samples below and above ES_MODEL_PAPER_LIMITED processes.
 *
 * limited	the node may limit the rate
 * segments	out: empty before; segments without samples are left out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	there are too few samples, or one is not over 0
 *		PATHS_ENOMEM
 * Ownership	the caller frees segments->list, or es_model_free does
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_model_fit_paper(const struct es_model_sample *samples,
    size_t count, bool limited, struct es_model_segments *segments)
    PATHS_CHECKED;

/*
 * es_model_fit_segments - fit segments whose cuts are found
 *
 * Takes the median time of each size.  For each range of sizes a line is fitted
 * with weights 1/t^2 and without negative parts; dynamic programming finds the
 * cuts, and the Bayesian information criterion their number.
 *
 * most		segments, at most; 0: as many as the criterion takes
 * limited	the node may limit the rate: only the samples of the lowest ppn
 *		are taken, and the rate of the node is fitted to the others
 * segments	out: empty before
 *
 * Returns	as es_model_fit_paper
 * Ownership	as es_model_fit_paper
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_model_fit_segments(const struct es_model_sample *samples,
    size_t count, size_t most, bool limited, struct es_model_segments *segments)
    PATHS_CHECKED;

/* A measured exchange of many messages. */
struct es_model_burst {
	uint64_t messages;
	uint64_t total_bytes;
	double seconds; /* one way */
};

/*
 * es_model_fit_gamma - fit gamma to bursts that were received in the worst
 * order
 *
 * Regression through the origin of the time that segments do not explain, on
 * the square of messages.
 *
 * segments	of the locality
 * gamma_s	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	there are no bursts or segments
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_model_fit_gamma(const struct es_model_segments *segments,
    const struct es_model_burst *bursts, size_t count, double *gamma_s)
    PATHS_CHECKED;

/*
 * es_model_fit_gammas - fit gamma to each number of messages
 *
 * Takes the median of the time that segments do not explain, divided by the
 * square of messages, for each number of messages from `least` on.  Numbers
 * with a negative median are left out.
 *
 * model	out: its values of gamma are replaced
 *
 * Returns	as es_model_fit_gamma; PATHS_ENOMEM
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_model_fit_gammas(struct es_model *model,
    const struct es_model_segments *segments, uint64_t least,
    const struct es_model_burst *bursts, size_t count) PATHS_CHECKED;

/* Messages of a burst above which delta is not fitted. */
#define ES_MODEL_DELTA_MOST 16u

/* Bursts that many processes exchange at once. */
struct es_model_crowd {
	const struct es_model_burst *bursts;
	size_t count;
	uint64_t processes; /* that exchange */
	double gamma_s;	    /* of the queue; 0: none */
};

/*
 * es_model_fit_delta - fit delta to bursts in a crowd
 *
 * Regression through the origin of the time that segments and gamma do not
 * explain, on the bytes in contention of a line of processes, of bursts up to
 * ES_MODEL_DELTA_MOST messages.
 *
 * segments	of the locality
 * delta_s	out
 *
 * Returns	as es_model_fit_gamma
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_model_fit_delta(const struct es_model_segments *segments,
    const struct es_model_crowd *crowds, size_t crowd_count, double *delta_s)
    PATHS_CHECKED;

PATHS_END_DECLS

#endif
