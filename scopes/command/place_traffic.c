/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/place_traffic.c - the traffic that eventspace place reads
 */

#include "scopes/command/place_traffic.h"

#include "scopes/cluster/recorded_private.h"
#include "scopes/command/place_trees.h"
#include "scopes/command/store.h"
#include "scopes/mpi/flow_private.h"
#include "scopes/mpi/ompi_monitoring_matrix_private.h"
#include "scopes/rows.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Edges under construction. */
struct edges {
	struct es_traffic_edge *edges;
	size_t count, room;
	uint32_t processes;
	double elsewhere;
};

static paths_status
edges_add(struct edges *all, uint32_t from, uint32_t to, double weight)
{
	if (!paths__array_grow(&all->edges, all->count, &all->room,
		sizeof(*all->edges)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a matrix");
	all->edges[all->count++] = (struct es_traffic_edge){ from, to, weight };
	return PATHS_OK;
}

/* Adds an edge unless an end of it is not placed. */
static paths_status
edges_add_known(void *edges, uint32_t from, uint32_t to, double weight)
{
	struct edges *all = edges;

	if (from < all->processes && to < all->processes)
		return edges_add(all, from, to, weight);
	all->elsewhere += weight;
	return PATHS_OK;
}

/* Finds the number of a phase by its name. */
static paths_status
run_phase(const struct es_mpi *mpi, const char *name, uint32_t *phase)
{
	const char *found;

	*phase = PATHS_NONE;
	if (name == NULL)
		return PATHS_OK;
	for (uint32_t n = 1; (found = es_mpi_phase_name(mpi, n)) != NULL; n++) {
		if (strcmp(found, name) == 0) {
			*phase = n;
			return PATHS_OK;
		}
	}
	return paths_log_fail(PATHS_EINVAL, "the run has no phase %s", name);
}

static paths_status
run_add_flow(struct edges *all, const struct es__mpi_flow *flow,
    const struct es_place_count *count)
{
	/* The receiver counts messages again. */
	if (flow->category == ES_MPI_CATEGORY_RECEIVED ||
	    (count->collectives == ES_PLACE_NONE &&
		flow->category == ES_MPI_CATEGORY_COLLECTIVE))
		return PATHS_OK;
	return edges_add_known(all, flow->source, flow->target,
	    (double)(count->messages ? flow->counts.messages :
				       flow->counts.bytes));
}

static paths_status
run_read_mpi(const struct es_mpi *mpi, const struct es_place_count *count,
    struct edges *all)
{
	uint32_t phase;
	paths_status st = run_phase(mpi, count->phase, &phase);

	for (uint32_t n = 0; st == PATHS_OK && n < all->processes; n++) {
		struct es__mpi_flows flows;

		st = es__mpi_flows_of_phase(mpi, n, phase,
		    count->collectives == ES_PLACE_PAIRS, &flows);
		if (st != PATHS_OK)
			break;
		for (size_t k = 0; st == PATHS_OK && k < flows.count; k++)
			st = run_add_flow(all, &flows.flows[k], count);
		es__mpi_flows_close(&flows);
		if (st == PATHS_OK && count->collectives == ES_PLACE_TREES)
			st = es_place_trees(mpi, n, phase, count->messages,
			    &(struct es_place_edges){ edges_add_known, all });
	}
	return st;
}

/* Returns a process of comm_matrix; PATHS_NONE: it is not known. */
static uint32_t
rows_process(const struct es_value *value)
{
	return value->kind == ES_INTEGER && value->as.integer >= 0 ?
	    (uint32_t)value->as.integer :
	    PATHS_NONE;
}

/* Adds rows of source, target and weight. */
static paths_status
run_read_rows(struct es_rows *rows, struct edges *all)
{
	paths_status st;

	while ((st = es_rows_next(rows)) == PATHS_OK) {
		struct es_value from, to, weight;

		es_rows_get(rows, 0, &from);
		es_rows_get(rows, 1, &to);
		es_rows_get(rows, 2, &weight);
		if (weight.kind != ES_INTEGER || weight.as.integer < 0)
			return paths_log_fail(PATHS_EDAMAGED,
			    "comm_matrix has a row without a number");
		st = edges_add_known(all, rows_process(&from),
		    rows_process(&to), (double)weight.as.integer);
		if (st != PATHS_OK)
			return st;
	}
	/* There is no further row. */
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

/* Reads comm_matrix of a run of path maps, which is computed if need be. */
static paths_status
run_read_map(const struct es_command *command, const char *name,
    const struct es_place_count *count, struct edges *all)
{
	struct es_store *store;
	struct es_rows *rows = NULL;
	paths_status st;

	if (count->phase != NULL)
		return paths_log_fail(PATHS_EINVAL,
		    "only MPI runs have phases");
	st = es_command_store(command, name, &store);
	if (st != PATHS_OK)
		return st;
	st = es_rows_open(store,
	    count->messages ?
		"SELECT source, target, messages FROM comm_matrix" :
		"SELECT source, target, bytes FROM comm_matrix",
	    &rows, NULL);
	if (st == PATHS_OK)
		st = run_read_rows(rows, all);
	es_rows_close(rows);
	es_store_close(store);
	return st;
}

static paths_status
run_read(const struct es_command *command, const char *name,
    const struct es_place_count *count, struct es_place_source *source,
    struct edges *all)
{
	const struct es_mpi *mpi;
	paths_status st = es_run_open(name, &source->run);

	if (st != PATHS_OK)
		return st;
	mpi = es_run_mpi(source->run);
	all->processes = es__recorded_processes(source->run);
	return mpi != NULL ? run_read_mpi(mpi, count, all) :
			     run_read_map(command, name, count, all);
}

static paths_status
file_open(const char *name, FILE **from)
{
	*from = fopen(name, "re");
	if (*from != NULL)
		return PATHS_OK;
	return paths_log_fail(errno == ENOENT ? PATHS_ENOENT : PATHS_EIO,
	    "%s: %s", name, strerror(errno));
}

/* Reads a matrix file of Open MPI's monitoring: a row for each rank. */
static paths_status
ompi_monitoring_matrix_read(const char *name, struct edges *all)
{
	struct es__ompi_monitoring_matrix matrix = { .name = name };
	bool more = true;
	paths_status st = file_open(name, &matrix.from);

	if (st != PATHS_OK)
		return st;
	while (more) {
		st = es__ompi_monitoring_matrix_row(&matrix, &more);
		if (st != PATHS_OK || !more)
			break;
		for (uint32_t n = 0; st == PATHS_OK && n < matrix.count; n++) {
			if (matrix.numbers[n] > 0)
				st = edges_add(all, matrix.rows - 1, n,
				    (double)matrix.numbers[n]);
		}
	}
	all->processes = matrix.count;
	es__ompi_monitoring_matrix_fini(&matrix);
	fclose(matrix.from);
	return st;
}

/* Reads a rank and the comma behind it. */
static bool
csv_rank(const char **at, uint32_t *rank)
{
	unsigned long value;
	char *end;

	*at += strspn(*at, " \t");
	if (!isdigit((unsigned char)**at))
		return false;
	value = strtoul(*at, &end, 10);
	end += strspn(end, " \t");
	if (*end != ',')
		return false;
	/* A larger one is no number of a rank, as csv_line tells. */
	if (value > ES_MACHINE_SLOTS)
		value = ES_MACHINE_SLOTS;
	*rank = (uint32_t)value;
	*at = end + 1;
	return true;
}

static paths_status
csv_line(struct edges *all, const char *name, unsigned line, const char *text)
{
	uint32_t from, to;
	const char *at = text + strspn(text, " \t\r\n");
	double weight;
	char *end;

	/* Comments, empty lines, and a first line of names are passed over. */
	if (*at == 0 || *at == '#' ||
	    (line == 1 && isalpha((unsigned char)*at)))
		return PATHS_OK;
	if (csv_rank(&at, &from) && csv_rank(&at, &to)) {
		weight = strtod(at, &end);
		if (from >= ES_MACHINE_SLOTS || to >= ES_MACHINE_SLOTS)
			return paths_log_fail(PATHS_ERANGE,
			    "%s:%u: ranks are below %u", name, line,
			    ES_MACHINE_SLOTS);
		if (end != at && end[strspn(end, " \t\r\n")] == 0) {
			if (from >= all->processes)
				all->processes = from + 1;
			if (to >= all->processes)
				all->processes = to + 1;
			return edges_add(all, from, to, weight);
		}
	}
	return paths_log_fail(PATHS_ESYNTAX, "%s:%u: expected rank,rank,weight",
	    name, line);
}

static paths_status
csv_read(const char *name, struct edges *all)
{
	FILE *from;
	char *text = NULL;
	size_t room = 0;
	unsigned line = 0;
	paths_status st = file_open(name, &from);

	if (st != PATHS_OK)
		return st;
	while (st == PATHS_OK && getline(&text, &room, from) >= 0)
		st = csv_line(all, name, ++line, text);
	if (st == PATHS_OK && ferror(from))
		st = paths_log_fail(PATHS_EIO, "%s: %s", name, strerror(errno));
	if (st == PATHS_OK && all->processes == 0)
		st = paths_log_fail(PATHS_ESYNTAX, "%s: has no ranks", name);
	free(text);
	fclose(from);
	return st;
}

static bool
name_ends(const char *name, const char *end)
{
	size_t length = strlen(name);

	return length >= strlen(end) &&
	    strcmp(name + length - strlen(end), end) == 0;
}

paths_status
es_place_source_open(const struct es_command *command, const char *name,
    const struct es_place_count *count, struct es_place_source *source)
{
	struct edges all = { 0 };
	struct stat about;
	paths_status st;

	*source = (struct es_place_source){ 0 };
	if (stat(name, &about) == 0 && S_ISDIR(about.st_mode))
		st = run_read(command, name, count, source, &all);
	else if (count->phase != NULL)
		st = paths_log_fail(PATHS_EINVAL, "%s: only runs have phases",
		    name);
	else if (name_ends(name, ".mat"))
		st = ompi_monitoring_matrix_read(name, &all);
	else
		st = csv_read(name, &all);
	if (st == PATHS_OK)
		st = es_traffic_create(all.processes, all.edges, all.count,
		    &source->traffic);
	source->elsewhere = all.elsewhere;
	free(all.edges);
	return st;
}

void
es_place_source_close(struct es_place_source *source)
{
	es_traffic_destroy(source->traffic);
	es_run_close(source->run);
	*source = (struct es_place_source){ 0 };
}
