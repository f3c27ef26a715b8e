/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/ompi_monitoring_matrix.c - writes messages of an MPI run as
 * matrix files, in the format of Open MPI's profile2mat
 *
 * profile2mat of Open MPI adds up both directions of a pair, and writes half of
 * the sum for each; these files keep the directions apart.  There is no file
 * "all", because it would count collectives twice.
 */

#include "scopes/export/ompi_monitoring_matrix_private.h"

#include "scopes/export/matrix_file_private.h"

#include "libpaths/log.h"
#include "scopes/mpi/flow_private.h"

#include <inttypes.h>
#include <stdlib.h>

enum matrix_layer { EXTERNAL, OSC, COLL, LAYERS };

static const char *const layer_names[LAYERS] = { "external", "osc", "coll" };

/* Numbers of all pairs; those from source to target are at
   source * ranks + target. */
struct square {
	uint32_t ranks;
	uint64_t *bytes;
	uint64_t *messages;
};

static enum matrix_layer
layer_of(enum es_mpi_category category)
{
	switch (category) {
	case ES_MPI_CATEGORY_P2P:
	case ES_MPI_CATEGORY_PERSISTENT:
		return EXTERNAL;
	case ES_MPI_CATEGORY_PUT:
	case ES_MPI_CATEGORY_GET:
		return OSC;
	case ES_MPI_CATEGORY_COLLECTIVE:
		return COLL;
	default:
		/* The sender counted it. */
		return LAYERS;
	}
}

static paths_status
squares_add(struct square *squares, const struct es_mpi *mpi, uint32_t rank)
{
	struct es__mpi_flows flows;
	paths_status st = es__mpi_flows_open(mpi, rank, &flows);

	if (st != PATHS_OK)
		return st;
	for (size_t n = 0; n < flows.count; n++) {
		const struct es__mpi_flow *flow = &flows.flows[n];
		enum matrix_layer layer = layer_of(flow->category);
		uint32_t ranks = squares[0].ranks;
		size_t at = (size_t)flow->source * ranks + flow->target;

		if (layer == LAYERS || flow->source >= ranks ||
		    flow->target >= ranks)
			continue;
		squares[layer].bytes[at] += flow->counts.bytes;
		squares[layer].messages[at] += flow->counts.messages;
	}
	es__mpi_flows_close(&flows);
	return PATHS_OK;
}

/* The numbers of a pair. */
enum matrix_number { SIZE, MSG, AVG, NUMBERS };

static const char *const number_names[NUMBERS] = { "size", "msg", "avg" };

static uint64_t
square_number(const struct square *square, size_t at, enum matrix_number number)
{
	uint64_t messages = square->messages[at];

	switch (number) {
	case SIZE:
		return square->bytes[at];
	case MSG:
		return messages;
	default:
		return messages == 0 ? 0 : square->bytes[at] / messages;
	}
}

static paths_status
square_write(const struct square *square, const char *prefix,
    enum matrix_layer layer, enum matrix_number number)
{
	FILE *to = es__export_matrix_file_open(prefix, "_%s_%s.mat",
	    number_names[number], layer_names[layer]);
	size_t at = 0;

	if (to == NULL)
		return PATHS_EIO;
	for (uint32_t source = 0; source < square->ranks; source++) {
		for (uint32_t n = 0; n < square->ranks; n++)
			fprintf(to, "%" PRIu64 " ",
			    square_number(square, at++, number));
		fputc('\n', to);
	}
	return es__export_matrix_file_close(to);
}

static paths_status
squares_write(const struct square *squares, const char *prefix)
{
	paths_status st = PATHS_OK;

	for (int l = 0; st == PATHS_OK && l < LAYERS; l++) {
		for (int n = 0; st == PATHS_OK && n < NUMBERS; n++)
			st = square_write(&squares[l], prefix,
			    (enum matrix_layer)l, (enum matrix_number)n);
	}
	return st;
}

paths_status
es__export_ompi_monitoring_matrix(const struct es_mpi *mpi, const char *prefix)
{
	uint32_t ranks = es__export_matrix_ranks(mpi);
	struct square squares[LAYERS];
	bool room = true;
	paths_status st = PATHS_OK;

	for (int l = 0; l < LAYERS; l++) {
		squares[l].ranks = ranks;
		squares[l].bytes =
		    calloc((size_t)ranks * ranks + 1, sizeof(uint64_t));
		squares[l].messages =
		    calloc((size_t)ranks * ranks + 1, sizeof(uint64_t));
		room = room && squares[l].bytes && squares[l].messages;
	}
	if (!room)
		st = paths_log_fail(PATHS_ENOMEM,
		    "no memory for a matrix of %" PRIu32 " ranks", ranks);
	for (uint32_t n = 0; st == PATHS_OK && n < ranks; n++)
		st = squares_add(squares, mpi, n);
	if (st == PATHS_OK)
		st = squares_write(squares, prefix);
	for (int l = 0; l < LAYERS; l++) {
		free(squares[l].bytes);
		free(squares[l].messages);
	}
	return st;
}
