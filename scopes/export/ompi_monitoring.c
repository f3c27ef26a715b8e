/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/ompi_monitoring.c - writes the .prof files of an MPI run
 *
 * A rank has the same counts as in Open MPI's own files: messages that it sent,
 * put and got, and the pairs of its collectives.  On communicators, Open MPI
 * counts all-to-one collectives at the root; these files count them at the
 * ranks that send.
 */

#include "scopes/export/ompi_monitoring_private.h"

#include "scopes/export/matrix_file_private.h"

#include "libpaths/log.h"
#include "scopes/mpi/flow_private.h"
#include "scopes/mpi/ompi_monitoring_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns the kind of the line for a flow; ES__OMPI_MONITORING_KINDS: none. */
static enum es__ompi_monitoring_kind
kind_of(const struct es__mpi_flow *flow)
{
	switch (flow->category) {
	case ES_MPI_CATEGORY_P2P:
	case ES_MPI_CATEGORY_PERSISTENT:
		return ES__OMPI_MONITORING_EXTERNAL;
	case ES_MPI_CATEGORY_PUT:
		return ES__OMPI_MONITORING_PUT;
	case ES_MPI_CATEGORY_GET:
		return ES__OMPI_MONITORING_GET;
	case ES_MPI_CATEGORY_COLLECTIVE:
		return ES__OMPI_MONITORING_COLLECTIVE;
	default:
		/* The sender counted it. */
		return ES__OMPI_MONITORING_KINDS;
	}
}

/* The lines of a rank, one for each kind and peer. */
struct lines {
	struct es__ompi_monitoring_line *lines;
	size_t count;
};

static int
line_order(const void *left, const void *right)
{
	const struct es__ompi_monitoring_line *a = left, *b = right;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->peer > b->peer) - (a->peer < b->peer);
}

static void
line_add(struct es__ompi_monitoring_line *line, const struct es__mpi_flow *flow)
{
	line->bytes += flow->counts.bytes;
	line->messages += flow->counts.messages;
	/* Open MPI writes no histogram for other kinds. */
	if (line->kind != ES__OMPI_MONITORING_EXTERNAL)
		return;
	line->class_count = ES__OMPI_MONITORING_CLASSES;
	for (uint32_t n = 0; n < ES_SIZE_CLASSES; n++)
		line->classes[n] += flow->counts.classes[n];
}

/* Adds up flows in lines.  Flows are in the order of peers, so those of one
   line are mostly consecutive. */
static void
lines_fill(struct lines *lines, uint32_t rank, uint32_t ranks,
    const struct es__mpi_flows *flows)
{
	for (size_t n = 0; n < flows->count; n++) {
		const struct es__mpi_flow *flow = &flows->flows[n];
		struct es__ompi_monitoring_line line = { .kind = kind_of(flow),
			.rank = rank,
			.peer = flow->source == rank ? flow->target :
						       flow->source };
		struct es__ompi_monitoring_line *last =
		    lines->count > 0 ? &lines->lines[lines->count - 1] : NULL;

		if (line.kind == ES__OMPI_MONITORING_KINDS ||
		    line.peer >= ranks)
			continue;
		if (last == NULL || line_order(last, &line) != 0) {
			last = &lines->lines[lines->count++];
			*last = line;
		}
		line_add(last, flow);
	}
	if (lines->count > 0)
		qsort(lines->lines, lines->count, sizeof(*lines->lines),
		    line_order);
}

static void
lines_write(FILE *to, const struct lines *lines)
{
	/* The headings, and the first kind below each. */
	static const struct {
		enum es__ompi_monitoring_kind kind;
		const char *heading;
	} parts[] = { { ES__OMPI_MONITORING_EXTERNAL, "# POINT TO POINT\n" },
		{ ES__OMPI_MONITORING_PUT, "# OSC\n" },
		{ ES__OMPI_MONITORING_COLLECTIVE, "# COLLECTIVES\n" } };
	size_t at = 0;

	for (size_t n = 0; n < sizeof(parts) / sizeof(parts[0]); n++) {
		enum es__ompi_monitoring_kind end =
		    n + 1 < sizeof(parts) / sizeof(parts[0]) ?
		    parts[n + 1].kind :
		    ES__OMPI_MONITORING_KINDS;

		fputs(parts[n].heading, to);
		for (; at < lines->count && lines->lines[at].kind < end; at++)
			es__ompi_monitoring_write(to, &lines->lines[at]);
	}
}

/* Messages and bytes of a rank on a communicator, by kind of collective. */
struct comm_sum {
	uint64_t messages[3], bytes[3];
};

static int
comm_kind(enum es_mpi_role role)
{
	switch (role) {
	case ES_MPI_ROLE_ONE_TO_N:
		return 0;
	case ES_MPI_ROLE_N_TO_ONE:
		return 1;
	case ES_MPI_ROLE_N_TO_N:
	case ES_MPI_ROLE_BARRIER:
		return 2;
	default:
		return -1;
	}
}

/* Returns the number by which the bytes of a row are multiplied; 0: the rank
   sends nothing. */
static uint64_t
row_pairs(const struct es_mpi *mpi, const struct es_mpi_collective *row,
    const struct es_mpi_member *member)
{
	const struct es_mpi_function *function = es_mpi_function(row->function);
	struct es__mpi_targets to = es__mpi_flow_targets(mpi, row, member);

	if ((function->flags & ES_MPI_VECTOR) == 0)
		return es__mpi_targets_count(&to);
	/* The row has the bytes of all pairs together. */
	return function->role != ES_MPI_ROLE_ONE_TO_N ||
	    row->root == ES_MPI_ROOT_SELF || row->root == member->rank;
}

static void
comms_add(const struct es_mpi *mpi, uint32_t rank, struct comm_sum *sums)
{
	struct es_mpi_collective row;
	struct es_mpi_rows rows;

	es_mpi_rows_begin(mpi, rank, ES_MPI_COLLECTIVE, &rows);
	while (es_mpi_rows_collective(&rows, &row)) {
		const struct es_mpi_function *function =
		    es_mpi_function(row.function);
		int kind = function == NULL ? -1 : comm_kind(function->role);
		uint64_t pairs;

		if (row.comm == PATHS_NONE || kind < 0)
			continue;
		pairs = row_pairs(mpi, &row, &rows.member);
		/* Ranks that send nothing count no messages. */
		if (pairs > 0)
			sums[row.comm].messages[kind] += row.calls;
		sums[row.comm].bytes[kind] += row.bytes * pairs;
	}
}

/* Returns "0,2,4" in heap memory; NULL: out of memory. */
static char *
members_text(const struct es_mpi *mpi, const struct es_mpi_comm_def *comm)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (to == NULL)
		return NULL;
	for (uint64_t n = 0; n < comm->size && comm->range_count > 0; n++)
		fprintf(to, "%s%" PRIu32, n > 0 ? "," : "",
		    es_mpi_comm_member(mpi, comm, n));
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

static paths_status
comm_write(const struct es_mpi *mpi, FILE *to,
    struct es__ompi_monitoring_line *line, const struct comm_sum *sum)
{
	char *members = members_text(mpi, es_mpi_comm(mpi, line->peer));

	if (members == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for members");
	line->members = members;
	line->comm = es_mpi_comm(mpi, line->peer)->name;
	if (line->comm[0] == '\0')
		line->comm = "(no-name)";
	for (int n = 0; n < 3; n++) {
		line->kind = (enum es__ompi_monitoring_kind)(
		    (int)ES__OMPI_MONITORING_ONE_TO_ALL + n);
		line->messages = sum->messages[n];
		line->bytes = sum->bytes[n];
		es__ompi_monitoring_write(to, line);
	}
	free(members);
	return PATHS_OK;
}

static paths_status
comms_write(const struct es_mpi *mpi, uint32_t rank, FILE *to)
{
	struct es__ompi_monitoring_line line = { .rank = rank };
	struct comm_sum *sums;
	uint32_t count = 0;
	paths_status st = PATHS_OK;

	while (es_mpi_comm(mpi, count) != NULL)
		count++;
	sums = calloc(count + (size_t)1, sizeof(*sums));
	if (sums == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a matrix");
	comms_add(mpi, rank, sums);
	for (line.peer = 0; st == PATHS_OK && line.peer < count; line.peer++) {
		const struct comm_sum *sum = &sums[line.peer];

		if (sum->messages[0] + sum->messages[1] + sum->messages[2] > 0)
			st = comm_write(mpi, to, &line, sum);
	}
	free(sums);
	return st;
}

static paths_status
rank_write(const struct es_mpi *mpi, uint32_t rank, FILE *to)
{
	struct es__mpi_flows flows;
	struct lines lines = { 0 };
	paths_status st = es__mpi_flows_open(mpi, rank, &flows);

	if (st != PATHS_OK)
		return st;
	lines.lines = calloc(flows.count + 1, sizeof(*lines.lines));
	if (lines.lines == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a matrix");
	else {
		lines_fill(&lines, rank, es__export_matrix_ranks(mpi), &flows);
		lines_write(to, &lines);
		st = comms_write(mpi, rank, to);
	}
	free(lines.lines);
	es__mpi_flows_close(&flows);
	return st;
}

paths_status
es__export_ompi_monitoring(const struct es_mpi *mpi, const char *prefix)
{
	uint32_t ranks = es__export_matrix_ranks(mpi);
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < ranks; n++) {
		FILE *to =
		    es__export_matrix_file_open(prefix, ".%" PRIu32 ".prof", n);
		paths_status closed;

		if (to == NULL)
			return PATHS_EIO;
		st = rank_write(mpi, n, to);
		closed = es__export_matrix_file_close(to);
		st = st == PATHS_OK ? closed : st;
	}
	return st;
}
