/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/dump.c - prints the messages of an event space as text
 *
 * dump FILE	each call that sends, receives, waits or makes requests, in
 *		order: "NAME COMM PEER TAG BYTES #MATCH"; "+" before a line
 *		marks a request of the call above it
 * dump -s FILE	"done COMM PEER TAG BYTES" of each completed request, sorted
 *
 * and then "matrix PEER CATEGORY MESSAGES BYTES CLASS*MESSAGES...", "profile
 * NAME FLAGS CALLS BYTES", and the requests that are pending or were unknown.
 * Tests and probes without a result are left out, because their number varies.
 */

#include "collectors/mpi_function.h"
#include "collectors/mpi_space.h"
#include "collectors/space.h"
#include "collectors/tuple.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES 200000u
#define FUNCTIONS 1024u
#define FLAGS 32u

static char *lines[LINES];
static size_t line_count;
static uint64_t profile[FUNCTIONS][FLAGS][2]; /* calls, bytes */
static uint64_t left_over;

static void
keep(char *line)
{
	if (line_count < LINES)
		lines[line_count++] = line;
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
print_sorted(void)
{
	qsort(lines, line_count, sizeof(*lines), compare);
	for (size_t n = 0; n < line_count; n++) {
		puts(lines[n]);
		free(lines[n]);
	}
	line_count = 0;
}

static enum es_mpi_role
role_of(uint32_t op)
{
	const struct es_mpi_function *f = es_mpi_function(op);

	return f == NULL ? ES_MPI_ROLE_OTHER : f->role;
}

static bool
is_message(enum es_mpi_role role)
{
	return role >= ES_MPI_ROLE_SEND && role <= ES_MPI_ROLE_REQUEST &&
	    role != ES_MPI_ROLE_IPROBE;
}

static bool
completes(enum es_mpi_role role)
{
	return role == ES_MPI_ROLE_WAIT || role == ES_MPI_ROLE_WAIT_MANY ||
	    role == ES_MPI_ROLE_TEST;
}

static const char *
name_of(uint32_t op)
{
	const char *name = es_mpi_function(op)->name;

	return strncmp(name, "MPI_", 4) == 0 ? name + 4 : name;
}

/* Prints a line for a tuple of a call, or of one of its requests; its number is
   behind a star if it received from any source. */
static void
print_tuple(const struct es_tuple_mpi *t, bool more)
{
	printf("%s%s %u %d %d %llu #%s%u\n", more ? "+ " : "", name_of(t->op),
	    t->comm, t->peer, t->tag, (unsigned long long)t->bytes,
	    t->match & ES_MPI_MATCH_ANY ? "*" : "",
	    t->match & ~ES_MPI_MATCH_ANY);
}

static void
keep_done(const struct es_tuple_mpi *t)
{
	char *line;

	if (asprintf(&line, "done %u %d %d %llu", t->comm, t->peer, t->tag,
		(unsigned long long)t->bytes) > 0)
		keep(line);
}

static void
dump_tuples(const struct es_tuple_mpi *t, uint64_t count, bool summary)
{
	enum es_mpi_role role = ES_MPI_ROLE_OTHER;

	for (uint64_t n = 0; n < count; n++) {
		bool more = n > 0 && t[n].seq == t[n - 1].seq;

		if (!more)
			role = role_of(t[n].op);
		if (!is_message(role))
			continue;
		if (summary) {
			if (completes(role) && t[n].match != 0)
				keep_done(&t[n]);
		} else if (more || role != ES_MPI_ROLE_TEST ||
		    t[n].match != 0 || t[n].bytes != 0) {
			print_tuple(&t[n], more);
		}
	}
	print_sorted();
}

static void
dump_rings(const struct es_space *space, bool summary)
{
	struct es_space_collector c;

	for (uint32_t n = 0; es_space_collector(space, n, &c) == PATHS_OK;
	     n++) {
		struct es_space_run run = { .count = c.count };
		struct es_tuple_mpi *tuples =
		    calloc(c.count + 1, sizeof(*tuples));

		if (tuples != NULL &&
		    es_space_read(space, n, &run, tuples) == PATHS_OK)
			dump_tuples(tuples, run.count, summary);
		free(tuples);
	}
}

static void
keep_matrix(const struct es_mpi_matrix *row)
{
	char *line = NULL;
	size_t size;
	FILE *to = open_memstream(&line, &size);

	if (to == NULL)
		return;
	fprintf(to, "matrix %d %u %llu %llu", row->peer, row->category,
	    (unsigned long long)row->messages, (unsigned long long)row->bytes);
	for (unsigned n = 0; n < ES_SIZE_CLASSES; n++)
		if (row->classes[n] != 0)
			fprintf(to, " %u*%llu", n,
			    (unsigned long long)row->classes[n]);
	fclose(to);
	keep(line);
}

/* Keeps the rows of messages, and adds up the other rows of all threads. */
static void
take_rows(const struct es_space_rows *rows)
{
	for (uint64_t n = 0; n < rows->count; n++) {
		const void *row =
		    (const char *)rows->rows + n * rows->row_bytes;

		if (rows->what == ES_MPI_MATRIX) {
			keep_matrix(row);
		} else if (rows->what == ES_MPI_PROFILE) {
			const struct es_mpi_profile *p = row;
			uint64_t *of =
			    profile[p->function % FUNCTIONS][p->flags % FLAGS];

			of[0] += p->calls;
			of[1] += p->bytes;
		} else if (rows->what == ES_MPI_THREAD) {
			const struct es_mpi_thread *t = row;

			left_over += t->requests;
		} else if (rows->what == ES_MPI_CONTROL) {
			const struct es_mpi_control *c = row;

			left_over += c->requests_unknown;
		}
	}
}

static void
print_profile(void)
{
	for (uint32_t f = 1; f < FUNCTIONS; f++) {
		enum es_mpi_role role = role_of(f);

		if (!is_message(role))
			continue;
		for (uint32_t flags = 0; flags < FLAGS; flags++) {
			const uint64_t *of = profile[f][flags];

			if (of[0] == 0 ||
			    (role == ES_MPI_ROLE_TEST && of[1] == 0))
				continue;
			printf("profile %s %u %llu %llu\n", name_of(f), flags,
			    (unsigned long long)of[0],
			    (unsigned long long)of[1]);
		}
	}
}

int
main(int argc, char **argv)
{
	bool summary = argc == 3 && strcmp(argv[1], "-s") == 0;
	struct es_space_rows rows;
	struct es_space *space;

	if (argc != 2 + summary ||
	    es_space_open(argv[argc - 1], &space) != PATHS_OK)
		return 1;
	dump_rings(space, summary);
	for (uint32_t n = 0; es_space_rows(space, n, &rows) == PATHS_OK; n++)
		take_rows(&rows);
	print_sorted();
	print_profile();
	printf("left over %llu\n", (unsigned long long)left_over);
	es_space_close(space);
	return 0;
}
