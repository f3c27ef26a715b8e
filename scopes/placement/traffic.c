/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/traffic.c - the traffic that eventspace place reads
 */

#include "scopes/placement/traffic_private.h"

#include "scopes/cluster/recorded_private.h"
#include "scopes/mpi/flow_private.h"
#include "scopes/mpi/ompi_monitoring_private.h"
#include "scopes/path/flow_private.h"
#include "scopes/placement/threads_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Edges under construction. */
struct edges {
	const struct es_place_count *what;
	struct es_traffic_edge *edges;
	size_t count, room;
	uint32_t processes;
	double elsewhere;
	/* Messages by size, if they are asked for. */
	struct es_place_flow *flows;
	size_t flow_count, flow_room;
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

static paths_status
edges_add_flow(struct edges *all, const struct es_place_flow *flow)
{
	if (!paths__array_grow(&all->flows, all->flow_count, &all->flow_room,
		sizeof(*all->flows)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a matrix");
	all->flows[all->flow_count++] = *flow;
	return PATHS_OK;
}

/* Returns the size in the middle of a class. */
static double
class_size(unsigned class)
{
	return class == 0 ? 0 : ldexp(class == 1 ? 1 : 1.5, (int)class - 1);
}

/* Adds messages by their classes.  Sizes inside of a class are not known: those
   in its middle are scaled so that they add up to all bytes, but not out of the
   class. */
static paths_status
edges_add_classes(struct edges *all, struct es_place_flow flow,
    const struct es_place_messages *messages)
{
	paths_status st = PATHS_OK;
	double sum = 0;

	for (unsigned n = 0; n < ES_SIZE_CLASSES; n++)
		sum += (double)messages->classes[n] * class_size(n);
	for (unsigned n = 0; st == PATHS_OK && n < ES_SIZE_CLASSES; n++) {
		double middle = class_size(n);
		double size = sum > 0 ? middle * messages->bytes / sum : 0;

		if (messages->classes[n] == 0)
			continue;
		flow.count = (double)messages->classes[n];
		flow.bytes = flow.count * size;
		if (n > 0)
			size = fmin(fmax(size, ldexp(1, (int)n - 1)),
			    ldexp(1, (int)n) - 1);
		flow.size = size;
		st = edges_add_flow(all, &flow);
	}
	return st;
}

/* Adds messages unless an end of them is not placed. */
static paths_status
edges_add_known(void *edges, uint32_t from, uint32_t to,
    const struct es_place_messages *messages)
{
	struct edges *all = edges;
	double weight = all->what->messages ? messages->count : messages->bytes;
	struct es_place_flow flow = { .from = from,
		.to = to,
		.count = messages->count,
		.bytes = messages->bytes };
	paths_status st;

	if (from >= all->processes || to >= all->processes) {
		all->elsewhere += weight;
		return PATHS_OK;
	}
	st = edges_add(all, from, to, weight);
	if (st != PATHS_OK || !all->what->sizes || from == to)
		return st;
	if (messages->classes != NULL)
		return edges_add_classes(all, flow, messages);
	flow.size =
	    flow.count > 1 ? messages->bytes / flow.count : messages->bytes;
	return edges_add_flow(all, &flow);
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
	    &(struct es_place_messages){ (double)flow->counts.messages,
		(double)flow->counts.bytes, flow->counts.classes });
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
			st = es_place_trees(mpi, n, phase,
			    &(struct es_place_edges){ edges_add_known, all });
	}
	return st;
}

static paths_status
run_add_processes(void *to, const struct es__path_flow *flow)
{
	return edges_add_known(to, flow->source, flow->target,
	    &(struct es_place_messages){ (double)flow->counts.messages,
		(double)flow->counts.bytes, flow->counts.classes });
}

static paths_status
run_read_map(const struct es_place_count *count, struct es_place_source *source,
    struct edges *all)
{
	if (count->phase != NULL)
		return paths_log_fail(PATHS_EINVAL,
		    "only MPI runs have phases");
	if (count->sizes)
		return paths_log_fail(PATHS_EINVAL,
		    "a model has the times of messages of MPI runs, and this "
		    "is a run of a path map");
	source->unit = count->threads ? ES_PLACE_THREAD : ES_PLACE_PROCESS;
	if (count->threads) {
		all->processes = es_run_map(source->run)->thread_count;
		return es_place_threads(source->run,
		    &(struct es_place_edges){ edges_add_known, all });
	}
	return es__path_flows(source->run, run_add_processes, all);
}

static paths_status
run_read(const char *name, const struct es_place_count *count,
    struct es_place_source *source, struct edges *all)
{
	const struct es_mpi *mpi;
	paths_status st = es_run_open(name, &source->run);

	if (st != PATHS_OK)
		return st;
	mpi = es_run_mpi(source->run);
	all->processes = es__recorded_processes(source->run);
	if (mpi == NULL)
		return run_read_map(count, source, all);
	return count->threads ? paths_log_fail(PATHS_EINVAL,
				    "only runs of path maps have threads that "
				    "can be placed") :
				run_read_mpi(mpi, count, all);
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

const char *
es_place_unit_name(enum es_place_unit unit, bool several)
{
	static const char *const names[][2] = { [ES_PLACE_RANK] = { "rank",
						    "ranks" },
		[ES_PLACE_PROCESS] = { "process", "processes" },
		[ES_PLACE_THREAD] = { "thread", "threads" } };

	return names[unit][several];
}

paths_status
es_place_source_open(const char *name, const struct es_place_count *count,
    struct es_place_source *source)
{
	struct edges all = { .what = count };
	struct stat about;
	paths_status st;

	*source = (struct es_place_source){ 0 };
	if (stat(name, &about) == 0 && S_ISDIR(about.st_mode))
		st = run_read(name, count, source, &all);
	else if (count->phase != NULL)
		st = paths_log_fail(PATHS_EINVAL, "%s: only runs have phases",
		    name);
	else if (count->sizes)
		st = paths_log_fail(PATHS_EINVAL,
		    "%s: a matrix does not have the sizes of messages, which a "
		    "model needs: expected a run",
		    name);
	else if (count->threads)
		st = paths_log_fail(PATHS_EINVAL,
		    "%s: only runs of path maps have threads that can be placed",
		    name);
	else if (name_ends(name, ".mat"))
		st = ompi_monitoring_matrix_read(name, &all);
	else
		st = csv_read(name, &all);
	if (st == PATHS_OK)
		st = es_traffic_create(all.processes, all.edges, all.count,
		    &source->traffic);
	source->elsewhere = all.elsewhere;
	source->flows = all.flows;
	source->flow_count = all.flow_count;
	free(all.edges);
	return st;
}

void
es_place_source_close(struct es_place_source *source)
{
	es_traffic_destroy(source->traffic);
	free(source->flows);
	es_run_close(source->run);
	*source = (struct es_place_source){ 0 };
}
