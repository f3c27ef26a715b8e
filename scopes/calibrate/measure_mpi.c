/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/measure_mpi.c - measurements for calibration, by MPI
 *
 * Compiled once for each MPI that configure finds, into the plugin of
 * scopes/job/exchange_mpi.c.  Errors of MPI end the job, as they do by default,
 * with the text that MPI prints.
 */

#include "scopes/calibrate/measure_private.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Tags of other messages than those of a phase, which begin at 0. */
#define TAG_CONTROL 30000
#define TAG_BALL 30001
#define TAG_TRIAL 30002

/* Sleep of a rank that waits for others, between two looks. */
#define SLEEP_NS 50000

/* Looks for messages between two answers of a receiver, which are fewer after a
   time, and the least number of answers, before a message counts as one that
   needs its receive. */
#define PROGRESS_LOOKS 1000
#define PROGRESS_LOOKS_LEAST 50
#define PROGRESS_SECONDS 0.02
#define PROGRESS_ANSWERS 3

/* Time after which a rank that goes on is watched anew. */
#define WATCH_SECONDS 0.5

/* A communicator of its own keeps messages apart from those of other code. */
static MPI_Comm comm = MPI_COMM_NULL;

static MPI_Request *requests;
static uint32_t request_room;

/* MPI_STATUSES_IGNORE: as a constant it makes gcc warn about MPICH's header. */
static MPI_Status *no_statuses;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Watches the peer anew, because it goes on.  Not in each turn, which a system
   call would make longer.

   watched	time of the last call that had an effect */
static void
watch(const struct es__measure_side *side, double time, double *watched)
{
	if (time - *watched < WATCH_SECONDS)
		return;
	*watched = time;
	(void)alarm(side->silence_s);
}

/* Makes room for the requests of both directions. */
static void
room(uint32_t count)
{
	if (request_room >= count)
		return;
	free(requests);
	requests = calloc(count, sizeof(*requests));
	if (requests == NULL)
		MPI_Abort(MPI_COMM_WORLD, 1);
	request_room = count;
}

static void
measure_begin(void)
{
	no_statuses = MPI_STATUSES_IGNORE;
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
}

static void
measure_end(void)
{
	free(requests);
	requests = NULL;
	request_room = 0;
	MPI_Comm_free(&comm);
}

static void
measure_version(char *text, size_t bytes)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING];
	int length;

	MPI_Get_library_version(version, &length);
	/* MPICH's text has several lines, and a tab in the first one. */
	version[strcspn(version, "\n")] = '\0';
	for (char *c = version; *c != '\0'; c++)
		if (*c == '\t')
			*c = ' ';
	snprintf(text, bytes, "%s", version);
}

/* Reads a variable that has a number. */
static bool
asked_read(int index, MPI_Datatype type, uint64_t *value)
{
	union {
		int number;
		unsigned plain;
		unsigned long wide;
		unsigned long long widest;
	} read = { 0 };
	MPI_T_cvar_handle handle;
	int count, size = 0;
	bool known = true;

	MPI_Type_size(type, &size);
	if (size > (int)sizeof(read) ||
	    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) !=
		MPI_SUCCESS)
		return false;
	known = count == 1 && MPI_T_cvar_read(handle, &read) == MPI_SUCCESS;
	MPI_T_cvar_handle_free(&handle);
	if (known && type == MPI_INT && read.number >= 0)
		*value = (uint64_t)read.number;
	else if (known && type == MPI_UNSIGNED)
		*value = read.plain;
	else if (known && type == MPI_UNSIGNED_LONG)
		*value = read.wide;
	else if (known && type == MPI_UNSIGNED_LONG_LONG)
		*value = read.widest;
	else
		known = false;
	return known;
}

static bool
measure_asked(const char *name, uint64_t *value)
{
	int provided, index, length = 0, verbosity, binding, scope;
	MPI_Datatype type = MPI_DATATYPE_NULL;
	bool known = false;

	if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS)
		return false;
	if (MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS &&
	    MPI_T_cvar_get_info(index, NULL, &length, &verbosity, &type, NULL,
		NULL, &length, &binding, &scope) == MPI_SUCCESS &&
	    binding == MPI_T_BIND_NO_OBJECT && type != MPI_CHAR)
		known = asked_read(index, type, value);
	MPI_T_finalize();
	return known;
}

/* Waits for a request of all ranks.  They sleep, because one that spins takes
   the core of a rank that measures. */
static void
wait_asleep(MPI_Request *request)
{
	const struct timespec pause = { .tv_nsec = SLEEP_NS };
	int done = 0;

	for (;;) {
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
		if (done != 0)
			return;
		nanosleep(&pause, NULL);
	}
}

static void
measure_share(void *data, size_t bytes, uint32_t from)
{
	MPI_Request request;

	MPI_Ibcast(data, (int)bytes, MPI_BYTE, (int)from, comm, &request);
	wait_asleep(&request);
}

static uint32_t
measure_agree(uint32_t value)
{
	MPI_Request request;
	uint32_t largest = value;

	MPI_Iallreduce(&value, &largest, 1, MPI_UINT32_T, MPI_MAX, comm,
	    &request);
	wait_asleep(&request);
	return largest;
}

static void
measure_line_up(const uint32_t *ranks, uint32_t count)
{
	char word = 0;
	int rank;

	MPI_Comm_rank(comm, &rank);
	for (uint32_t r = 1; r < count; r++)
		if (rank == (int)ranks[0])
			MPI_Recv(&word, 1, MPI_BYTE, (int)ranks[r], TAG_CONTROL,
			    comm, MPI_STATUS_IGNORE);
		else if (rank == (int)ranks[r])
			MPI_Send(&word, 1, MPI_BYTE, (int)ranks[0], TAG_CONTROL,
			    comm);
	for (uint32_t r = 1; r < count; r++)
		if (rank == (int)ranks[0])
			MPI_Send(&word, 1, MPI_BYTE, (int)ranks[r], TAG_CONTROL,
			    comm);
		else if (rank == (int)ranks[r])
			MPI_Recv(&word, 1, MPI_BYTE, (int)ranks[0], TAG_CONTROL,
			    comm, MPI_STATUS_IGNORE);
}

static void
measure_ping(struct es__measure_side side, struct es__measure_memory memory,
    uint32_t bytes, uint32_t turns, double *seconds)
{
	double last = now(), next, watched = last;
	int peer = (int)side.peer, size = (int)bytes;

	for (uint32_t t = 0; t < turns; t++) {
		if (side.first)
			MPI_Send(memory.out, size, MPI_BYTE, peer, TAG_BALL,
			    comm);
		MPI_Recv(memory.in, size, MPI_BYTE, peer, TAG_BALL, comm,
		    MPI_STATUS_IGNORE);
		if (!side.first)
			MPI_Send(memory.out, size, MPI_BYTE, peer, TAG_BALL,
			    comm);
		next = now();
		seconds[t] = (next - last) / 2;
		last = next;
		watch(&side, next, &watched);
	}
}

static void
phase_send(int peer, const char *out, const struct es__measure_phase *phase)
{
	for (uint32_t m = 0; m < phase->count; m++)
		MPI_Isend(out + phase->at[m], (int)phase->bytes[m], MPI_BYTE,
		    peer, (int)m, comm, &requests[m]);
	MPI_Waitall((int)phase->count, requests, no_statuses);
}

static void
phase_receive(int peer, char *in, const struct es__measure_phase *phase)
{
	for (uint32_t m = 0; m < phase->count; m++) {
		uint32_t tag = phase->order[m];

		MPI_Irecv(in + phase->at[tag], (int)phase->bytes[tag], MPI_BYTE,
		    peer, (int)tag, comm, &requests[m]);
	}
	MPI_Waitall((int)phase->count, requests, no_statuses);
}

static void
measure_phase(struct es__measure_side side, struct es__measure_memory memory,
    const struct es__measure_phase *phase, double *seconds)
{
	int peer = (int)side.peer;
	double begin, watched = 0;

	room(phase->count);
	for (uint32_t r = 0; r <= phase->repeats; r++) {
		begin = now();
		watch(&side, begin, &watched);
		if (side.first)
			phase_send(peer, memory.out, phase);
		phase_receive(peer, memory.in, phase);
		if (!side.first)
			phase_send(peer, memory.out, phase);
		if (r > 0)
			seconds[r - 1] = (now() - begin) / 2;
	}
}

/* Makes progress, without a receive for the trial, until it is to be received.
 */
static void
eager_receive(int peer, char *in, uint32_t bytes)
{
	char word = 0;
	int found = 0;

	for (;;) {
		double end = now() + PROGRESS_SECONDS;

		/* A look of a rank that shares its core may give the core away,
		   for a long time on a busy machine. */
		for (int look = 0; look < PROGRESS_LOOKS &&
		     (look < PROGRESS_LOOKS_LEAST || now() < end);
		     look++)
			MPI_Iprobe(peer, TAG_CONTROL, comm, &found,
			    MPI_STATUS_IGNORE);
		if (found == 0)
			continue;
		MPI_Recv(&word, 1, MPI_BYTE, peer, TAG_CONTROL, comm,
		    MPI_STATUS_IGNORE);
		if (word == 0)
			break;
		MPI_Send(&word, 1, MPI_BYTE, peer, TAG_CONTROL, comm);
	}
	MPI_Recv(in, (int)bytes, MPI_BYTE, peer, TAG_TRIAL, comm,
	    MPI_STATUS_IGNORE);
}

/* Sends the trial.  A receiver that was not on a core meanwhile has made no
   progress, so it must answer before the verdict. */
static bool
eager_send(int peer, const char *out, uint32_t bytes, uint64_t wait_ns)
{
	MPI_Request request;
	double end = now() + 1e-9 * (double)wait_ns;
	char word = 1;
	int done = 0;
	bool sent;

	MPI_Isend(out, (int)bytes, MPI_BYTE, peer, TAG_TRIAL, comm, &request);
	while (done == 0 && now() < end)
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
	for (int a = 0; done == 0 && a < PROGRESS_ANSWERS; a++) {
		MPI_Send(&word, 1, MPI_BYTE, peer, TAG_CONTROL, comm);
		MPI_Recv(&word, 1, MPI_BYTE, peer, TAG_CONTROL, comm,
		    MPI_STATUS_IGNORE);
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
	}
	sent = done != 0;
	word = 0;
	MPI_Send(&word, 1, MPI_BYTE, peer, TAG_CONTROL, comm);
	if (!sent)
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	return sent;
}

static bool
measure_eager(struct es__measure_side side, struct es__measure_memory memory,
    uint32_t bytes, uint64_t wait_ns)
{
	if (side.first)
		return eager_send((int)side.peer, memory.out, bytes, wait_ns);
	eager_receive((int)side.peer, memory.in, bytes);
	return false;
}

/* Fills the queue of the receiver.  Messages of one sender arrive in order, so
   the last one tells that all are there. */
static void
crowd_send(const struct es__measure_crowd *crowd)
{
	uint64_t word = 0;

	room(crowd->count);
	for (uint32_t m = 0; m < crowd->count; m++)
		MPI_Isend(&word, sizeof(word), MPI_BYTE, (int)crowd->receiver,
		    (int)m, comm, &requests[m]);
	MPI_Waitall((int)crowd->count, requests, no_statuses);
	MPI_Send(&word, 1, MPI_BYTE, (int)crowd->receiver, TAG_CONTROL, comm);
}

/* Sends one message each time that the receiver asks. */
static void
crowd_answer(const struct es__measure_crowd *crowd)
{
	uint64_t word = 0;

	for (uint32_t r = 0; r < crowd->repeats; r++) {
		MPI_Recv(&word, 1, MPI_BYTE, (int)crowd->receiver, TAG_CONTROL,
		    comm, MPI_STATUS_IGNORE);
		MPI_Send(&word, sizeof(word), MPI_BYTE, (int)crowd->receiver,
		    TAG_BALL, comm);
	}
}

/* Receives a message that has arrived, and returns the time that takes. */
static double
crowd_take(uint32_t from, int tag)
{
	uint64_t word;
	int found = 0;
	double begin;

	while (found == 0)
		MPI_Iprobe((int)from, tag, comm, &found, MPI_STATUS_IGNORE);
	begin = now();
	MPI_Recv(&word, sizeof(word), MPI_BYTE, (int)from, tag, comm,
	    MPI_STATUS_IGNORE);
	return now() - begin;
}

static void
crowd_receive(const struct es__measure_crowd *crowd, double *behind,
    double *same)
{
	uint32_t left = crowd->count;
	char word = 0;

	MPI_Recv(&word, 1, MPI_BYTE, (int)crowd->sender, TAG_CONTROL, comm,
	    MPI_STATUS_IGNORE);
	for (uint32_t r = 0; r < crowd->repeats; r++) {
		MPI_Send(&word, 1, MPI_BYTE, (int)crowd->other, TAG_CONTROL,
		    comm);
		behind[r] = crowd_take(crowd->other, TAG_BALL);
	}
	for (uint32_t r = 0; r < crowd->repeats && left > 0; r++)
		same[r] = crowd_take(crowd->sender, (int)--left);
	for (uint32_t m = 0; m < left; m++)
		(void)crowd_take(crowd->sender, (int)m);
}

static void
measure_crowd(const struct es__measure_crowd *crowd, uint32_t rank,
    double *behind, double *same)
{
	if (rank == crowd->receiver)
		crowd_receive(crowd, behind, same);
	else if (rank == crowd->sender)
		crowd_send(crowd);
	else if (rank == crowd->other)
		crowd_answer(crowd);
}

__attribute__((
    visibility("default"))) extern const struct es__measure es__measure;

const struct es__measure es__measure = {
	.abi = ES__MEASURE_ABI,
	.begin = measure_begin,
	.end = measure_end,
	.version = measure_version,
	.asked = measure_asked,
	.share = measure_share,
	.agree = measure_agree,
	.line_up = measure_line_up,
	.ping = measure_ping,
	.phase = measure_phase,
	.eager = measure_eager,
	.crowd = measure_crowd,
};
