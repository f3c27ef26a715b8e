/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/counted.c - prints the event spaces of an MPI run as text
 *
 *	counted RUN
 *
 * Reads the event spaces without the library scopes, so that scopes can be
 * compared with it.  Prints lines in no order.  Rows with the same first words
 * are added up, and rows without calls or messages are left out:
 *
 *	process RANK CALLS NESTED REQUESTS LOST UNKNOWN STATE CLOSED
 *	profile RANK FUNCTION CLASS CALLS BYTES
 *	matrix SOURCE TARGET CATEGORY MESSAGES BYTES CLASS:MESSAGES,...
 *	collective RANK COMM FUNCTION ROOT CALLS BYTES CLASS:CALLS,...
 *	trace RANK FUNCTION CALLS BYTES
 *	comm RANK ID SIZE REMOTE_SIZE
 *	members RANK IDENTITY MEMBER...	of a communicator, as RANK logged them
 *	sites COUNT		different call sites of all ranks
 *	note TEXT		warning in the log of a rank
 *	damage TEXT		damage of an event space
 */

#include "collectors/mpi_function.h"
#include "collectors/mpi_space.h"
#include "collectors/space.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES 65536u
#define CLASSES ES_SIZE_CLASSES

/* A line of the output: its first words, and the sums of all rows or tuples
   that have them. */
struct counted_line {
	char key[120];
	uint64_t count, bytes;
	uint64_t classes[CLASSES];
};

static struct counted_line *lines[LINES];
static uint64_t sites[LINES];
static uint32_t line_count, site_count;

static const char *const categories[] = { "p2p", "persistent", "put", "get",
	"collective", "received" };

static struct counted_line *
line_of(const char *key)
{
	for (uint32_t i = 0; i < line_count; i++)
		if (strcmp(lines[i]->key, key) == 0)
			return lines[i];
	if (line_count == LINES)
		exit(3);
	lines[line_count] = calloc(1, sizeof(**lines));
	snprintf(lines[line_count]->key, sizeof(lines[0]->key), "%s", key);
	return lines[line_count++];
}

static const char *
name_of(uint32_t function)
{
	const struct es_mpi_function *f = es_mpi_function(function);

	return f ? f->name : "?";
}

static void
profile_row(int32_t rank, const struct es_mpi_profile *row)
{
	char key[120];
	struct counted_line *line;

	if (row->calls == 0)
		return;
	snprintf(key, sizeof(key), "profile %" PRId32 " %s %u", rank,
	    name_of(row->function), row->size_class);
	line = line_of(key);
	line->count += row->calls;
	line->bytes += row->bytes;
}

static void
matrix_row(int32_t rank, const struct es_mpi_matrix *row)
{
	bool in = row->category == ES_MPI_CATEGORY_GET ||
	    row->category == ES_MPI_CATEGORY_RECEIVED;
	char key[120];
	struct counted_line *line;

	if (row->messages == 0)
		return;
	snprintf(key, sizeof(key), "matrix %" PRId32 " %" PRId32 " %s",
	    in ? row->peer : rank, in ? rank : row->peer,
	    categories[row->category]);
	line = line_of(key);
	line->count += row->messages;
	line->bytes += row->bytes;
	for (uint32_t c = 0; c < CLASSES; c++)
		line->classes[c] += row->classes[c];
}

static void
collective_row(int32_t rank, const struct es_mpi_collective *row)
{
	char key[120];
	struct counted_line *line;

	if (row->calls == 0)
		return;
	snprintf(key, sizeof(key),
	    "collective %" PRId32 " %" PRIu32 " %s %" PRId32, rank, row->comm,
	    name_of(row->function), row->root);
	line = line_of(key);
	line->count += row->calls;
	line->bytes += row->bytes;
	for (uint32_t c = 0; c < CLASSES; c++)
		line->classes[c] += row->classes[c];
}

static uint64_t
hash(uint64_t h, const void *bytes, size_t count)
{
	const unsigned char *b = bytes;

	for (size_t i = 0; i < count; i++)
		h = (h ^ b[i]) * UINT64_C(1099511628211);
	return h;
}

/* The log of a process; modules: hash of the build id or path, by id of the
   module */
struct log {
	int32_t rank;
	uint64_t modules[4096];
};

static void
log_module(struct log *log, const struct es_mpi_module *m)
{
	const char *text = (const char *)(m + 1);

	if (m->id >= 4096)
		exit(3);
	log->modules[m->id] = m->build_id_bytes ?
	    hash(1, text, m->build_id_bytes) :
	    hash(2, text, m->path_bytes);
}

static void
log_site(const struct log *log, const struct es_mpi_site *s)
{
	const struct es_mpi_frame *frame = (const void *)(s + 1);
	uint64_t identity = 3;

	for (uint32_t i = 0; i < s->frames; i++) {
		if (frame[i].module < 4096)
			identity ^= log->modules[frame[i].module];
		identity =
		    hash(identity, &frame[i].offset, sizeof(frame[i].offset));
	}
	for (uint32_t i = 0; i < site_count; i++)
		if (sites[i] == identity)
			return;
	if (site_count == LINES)
		exit(3);
	sites[site_count++] = identity;
}

/* Prints the world ranks of the members, those of the local group first. */
static void
log_members(const struct log *log, const struct es_mpi_comm *comm)
{
	const struct es_mpi_ranks *run = (const void *)(comm + 1);

	printf("members %" PRId32 " %016" PRIx64, log->rank, comm->identity);
	for (uint32_t n = 0; n < comm->runs; n++)
		for (uint32_t i = 0; i < run[n].count; i++)
			printf(" %" PRId32,
			    run[n].first + (int32_t)i * run[n].stride);
	printf("\n");
}

static void
log_entry(struct log *log, uint32_t kind, const void *entry, uint32_t bytes)
{
	const struct es_mpi_comm *comm = entry;

	switch (kind) {
	case ES_MPI_ENTRY_MODULE:
		log_module(log, entry);
		break;
	case ES_MPI_ENTRY_SITE:
		log_site(log, entry);
		break;
	case ES_MPI_ENTRY_COMM:
		printf("comm %" PRId32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
		    log->rank, comm->id, comm->size, comm->remote_size);
		log_members(log, comm);
		break;
	case ES_MPI_ENTRY_NOTE:
		printf("note %.*s\n", (int)bytes, (const char *)entry);
		break;
	default:
		break;
	}
}

static void
log_read(struct log *log, const char *at, uint64_t bytes)
{
	while (bytes >= sizeof(struct es_mpi_entry)) {
		const struct es_mpi_entry *e = (const void *)at;
		uint64_t whole = sizeof(*e) + (uint64_t)e->bytes;

		if (e->kind == 0 || whole > bytes)
			break;
		log_entry(log, e->kind, e + 1, e->bytes);
		at += whole;
		bytes -= whole;
	}
}

/* The state and the counters of a process, added up over its threads. */
struct counted_totals {
	struct es_mpi_control control;
	uint64_t calls, nested, requests;
};

static void
totals_add(struct counted_totals *t, const struct es_space_rows *part)
{
	const struct es_mpi_thread *threads = part->rows;

	if (part->what == ES_MPI_CONTROL && part->count)
		memcpy(&t->control, part->rows, sizeof(t->control));
	for (uint64_t i = 0; part->what == ES_MPI_THREAD && i < part->count;
	     i++) {
		t->calls += threads[i].calls;
		t->nested += threads[i].nested;
		t->requests += threads[i].requests;
	}
}

static void
rows_read(struct log *log, const struct es_space_rows *part)
{
	const char *row = part->rows;

	if (part->what == ES_MPI_LOG)
		log_read(log, row, part->count);
	for (uint64_t i = 0; i < part->count; i++, row += part->row_bytes)
		switch (part->what) {
		case ES_MPI_PROFILE:
			profile_row(log->rank, (const void *)row);
			break;
		case ES_MPI_MATRIX:
			matrix_row(log->rank, (const void *)row);
			break;
		case ES_MPI_COLLECTIVE:
			collective_row(log->rank, (const void *)row);
			break;
		default:
			return;
		}
}

static void
tuples_read(int32_t rank, const struct es_space *space, uint32_t collector)
{
	struct es_space_span spans[2];
	char key[120];

	if (es_space_span(space, collector, spans) != PATHS_OK)
		exit(1);
	for (uint32_t s = 0; s < 2; s++) {
		const struct es_tuple_mpi *t = spans[s].tuples;

		for (uint64_t i = 0; i < spans[s].count; i++) {
			struct counted_line *line;

			snprintf(key, sizeof(key), "trace %" PRId32 " %s", rank,
			    name_of(t[i].op));
			line = line_of(key);
			line->count++;
			line->bytes += t[i].bytes;
		}
	}
}

static void
space_read(const char *file)
{
	struct log *log = calloc(1, sizeof(*log));
	struct counted_totals t = { .calls = 0 };
	struct es_space_rows part;
	struct es_space_info info;
	struct es_space *space;

	if (es_space_open(file, &space) != PATHS_OK)
		exit(1);
	for (uint32_t i = 0; es_space_rows(space, i, &part) == PATHS_OK; i++)
		totals_add(&t, &part);
	es_space_info(space, &info);
	log->rank = t.control.rank;
	printf("process %" PRId32 " %" PRIu64 " %" PRIu64 " %" PRIu64
	       " %" PRIu64 " %" PRIu64 " %" PRIu32 " %d\n",
	    log->rank, t.calls, t.nested, t.requests, t.control.lost,
	    t.control.requests_unknown, t.control.state, info.closed);
	for (uint32_t i = 0; es_space_rows(space, i, &part) == PATHS_OK; i++)
		rows_read(log, &part);
	for (uint32_t i = 0; i < info.collector_count; i++)
		tuples_read(log->rank, space, i);
	for (uint32_t i = 0; es_space_damage(space, i); i++)
		printf("damage %s\n", es_space_damage(space, i));
	es_space_close(space);
	free(log);
}

static void
line_print(const struct counted_line *line)
{
	const char *comma = " ";

	printf("%s %" PRIu64 " %" PRIu64, line->key, line->count, line->bytes);
	for (uint32_t c = 0; c < CLASSES; c++)
		if (line->classes[c]) {
			printf("%s%" PRIu32 ":%" PRIu64, comma, c,
			    line->classes[c]);
			comma = ",";
		}
	printf("\n");
}

int
main(int argc, char **argv)
{
	DIR *run = argc == 2 ? opendir(argv[1]) : NULL;
	struct dirent *entry;
	char file[4096];

	if (!run) {
		fprintf(stderr, "usage: counted RUN\n");
		return 2;
	}
	while ((entry = readdir(run))) {
		const char *end = strrchr(entry->d_name, '.');

		if (!end || strcmp(end, ".space") != 0)
			continue;
		snprintf(file, sizeof(file), "%s/%s", argv[1], entry->d_name);
		space_read(file);
	}
	closedir(run);
	for (uint32_t i = 0; i < line_count; i++) {
		line_print(lines[i]);
		free(lines[i]);
	}
	printf("sites %" PRIu32 "\n", site_count);
	return 0;
}
