/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_mpi.c - makes runs of MPI processes with known numbers
 */

#include "tests/scopes/fake_mpi.h"

#include "collectors/record.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Rows, and bytes of a log, that a part has room for at least. */
#define FAKE_ROWS 16
#define FAKE_LOG_BYTES 65536

#define FAKE_THREADS_MAX 16
#define FAKE_HOST "odin"

struct fake_thread {
	struct es_record_ring ring;
	struct es_mpi_thread *row;
	struct es_space_part *profile, *matrix, *collective;
};

struct fake_rank {
	char name[64];
	const char *host; /* NULL: FAKE_HOST */
	struct fake_clock clock;
	struct es_record *record;
	struct es_mpi_control *control;
	struct es_space_part *log;
	struct fake_thread threads[FAKE_THREADS_MAX];
	uint32_t thread_count;
	uint32_t calls; /* recorded by fake_mpi_call */
};

struct fake_mpi {
	char dir[256];
	uint64_t keep;
	struct fake_rank *ranks;
	uint32_t rank_count;
	uint64_t last_ns;
};

const char *
fake_mpi_dir(const struct fake_mpi *run)
{
	return run->dir;
}

static struct es_space_part *
fake_part(struct fake_rank *rank, uint32_t what, uint32_t thread,
    uint32_t row_bytes)
{
	struct es_record_part want = { .what = what,
		.owner = thread,
		.row_bytes = row_bytes,
		.room = row_bytes == 1 ? FAKE_LOG_BYTES : FAKE_ROWS };
	struct es_space_part *part = NULL;

	EXPECT_OK(es_record_add_rows(rank->record, &want, &part));
	return part;
}

/* Appends bytes to a part, or to a new one when it is full. */
static void *
fake_append(struct fake_rank *rank, struct es_space_part **part,
    const void *row, uint64_t count)
{
	uint64_t used = atomic_load(&(*part)->used);
	char *to;

	if ((*part)->room - used < count) {
		*part = fake_part(rank, (*part)->what, (*part)->owner,
		    (*part)->row_bytes);
		used = 0;
	}
	to = (char *)(*part + 1) + used * (*part)->row_bytes;
	memcpy(to, row, count * (*part)->row_bytes);
	atomic_store(&(*part)->used, used + count);
	return to;
}

uint32_t
fake_mpi_thread(struct fake_mpi *run, uint32_t rank)
{
	struct fake_rank *r = &run->ranks[rank];
	uint32_t n = r->thread_count++;
	struct fake_thread *thread = &r->threads[n];
	struct es_mpi_thread row = { .tid = 1000 + n };
	struct es_record_collector want = { .mode = ES_MODE_TRACE,
		.type = es_tuple_type_find("mpi"),
		.capacity = run->keep };
	struct es_space_part *rows;

	EXPECT_TRUE(n < FAKE_THREADS_MAX);
	if (run->keep > 0)
		EXPECT_OK(
		    es_record_add_ring(r->record, &want, n, &thread->ring));
	rows = fake_part(r, ES_MPI_THREAD, n, sizeof(row));
	thread->row = fake_append(r, &rows, &row, 1);
	thread->profile =
	    fake_part(r, ES_MPI_PROFILE, n, sizeof(struct es_mpi_profile));
	thread->matrix =
	    fake_part(r, ES_MPI_MATRIX, n, sizeof(struct es_mpi_matrix));
	thread->collective = fake_part(r, ES_MPI_COLLECTIVE, n,
	    sizeof(struct es_mpi_collective));
	return n;
}

static void
fake_open(struct fake_mpi *run, struct fake_rank *rank, int32_t number,
    int32_t world_size)
{
	struct es_record_spec spec = { .directory = run->dir,
		.process_name = rank->name,
		.process = ES_SPACE_MAPLESS,
		.map_text = "",
		.added = es_tuple_type_find("mpi") };
	struct es_mpi_control control = { .mode = ES_MODE_ALL,
		.rank = number,
		.world_size = world_size,
		.state = ES_MPI_FINALIZED };
	struct es_space_part *rows;

	EXPECT_OK(es_record_open(&spec, &rank->record));
	rows = fake_part(rank, ES_MPI_CONTROL, 0, sizeof(control));
	rank->control = fake_append(rank, &rows, &control, 1);
	rank->log = fake_part(rank, ES_MPI_LOG, 0, 1);
}

uint32_t
fake_mpi_spawn(struct fake_mpi *run, const char *name, int32_t rank,
    int32_t world_size)
{
	uint32_t n = run->rank_count++;
	struct fake_rank *r;

	run->ranks = realloc(run->ranks, run->rank_count * sizeof(*run->ranks));
	EXPECT_TRUE(run->ranks != NULL);
	r = &run->ranks[n];
	*r = (struct fake_rank){ 0 };
	snprintf(r->name, sizeof(r->name), "%s", name);
	fake_open(run, r, rank, world_size);
	r->control->flags = ES_MPI_SPAWNED;
	fake_mpi_thread(run, n);
	return n;
}

struct fake_mpi *
fake_mpi_create(uint32_t ranks, uint64_t keep)
{
	struct fake_mpi *run = calloc(1, sizeof(*run));
	char name[32];

	EXPECT_TRUE(run != NULL);
	run->keep = keep;
	fake_dir_create(run->dir);
	for (uint32_t n = 0; n < ranks; n++) {
		snprintf(name, sizeof(name), "r%u", n);
		fake_mpi_spawn(run, name, (int32_t)n, (int32_t)ranks);
		run->ranks[n].control->flags = 0;
	}
	return run;
}

struct es_mpi_control *
fake_mpi_control(struct fake_mpi *run, uint32_t rank)
{
	return run->ranks[rank].control;
}

struct es_mpi_thread *
fake_mpi_thread_row(struct fake_mpi *run, uint32_t rank, uint32_t thread)
{
	return run->ranks[rank].threads[thread].row;
}

void
fake_mpi_clock(struct fake_mpi *run, uint32_t rank, const char *host,
    int64_t offset_ns)
{
	run->ranks[rank].host = host;
	run->ranks[rank].clock.offset_ns = offset_ns;
}

/* Turns a true time into ticks of a rank, and keeps the latest. */
static uint64_t
fake_ticks(struct fake_mpi *run, uint32_t rank, uint64_t ns)
{
	run->last_ns = ns > run->last_ns ? ns : run->last_ns;
	return fake_clock_ticks(&run->ranks[rank].clock, ns);
}

void
fake_mpi_last(struct fake_mpi *run, uint64_t ns)
{
	run->last_ns = ns > run->last_ns ? ns : run->last_ns;
}

uint64_t
fake_mpi_ticks(struct fake_mpi *run, uint32_t rank, uint64_t ns)
{
	return fake_ticks(run, rank, ns);
}

void
fake_mpi_since(struct fake_mpi *run, uint32_t rank, uint32_t thread,
    uint64_t ns)
{
	atomic_store(&fake_mpi_thread_row(run, rank, thread)->since,
	    fake_ticks(run, rank, ns));
}

void
fake_mpi_add(struct fake_mpi *run, uint32_t rank, uint32_t thread,
    const struct es_tuple_mpi *tuple)
{
	const struct fake_rank *r = &run->ranks[rank];
	const struct es_record_ring *ring = &r->threads[thread].ring;
	struct es_tuple_mpi *slot = es_record_reserve(ring);

	*slot = *tuple;
	slot->start = fake_ticks(run, rank, tuple->start);
	if (tuple->stop != 0)
		slot->stop = fake_ticks(run, rank, tuple->stop);
	es_record_fill(ring);
	if (tuple->stop != 0)
		es_record_complete(ring, 0);
}

void
fake_mpi_call(struct fake_mpi *run, uint32_t rank, const char *name,
    struct es_tuple_mpi tuple)
{
	tuple.op = (uint16_t)es_mpi_function_find(name);
	tuple.seq = run->ranks[rank].calls++;
	if (tuple.comm == ES_MPI_COMM_NULL)
		tuple.comm = ES_MPI_COMM_WORLD;
	fake_mpi_add(run, rank, 0, &tuple);
}

void
fake_mpi_profile(struct fake_mpi *run, uint32_t rank, uint32_t thread,
    const struct es_mpi_profile *row)
{
	fake_append(&run->ranks[rank],
	    &run->ranks[rank].threads[thread].profile, row, 1);
}

void
fake_mpi_matrix(struct fake_mpi *run, uint32_t rank, uint32_t thread,
    const struct es_mpi_matrix *row)
{
	fake_append(&run->ranks[rank], &run->ranks[rank].threads[thread].matrix,
	    row, 1);
}

void
fake_mpi_collective(struct fake_mpi *run, uint32_t rank, uint32_t thread,
    const struct es_mpi_collective *row)
{
	fake_append(&run->ranks[rank],
	    &run->ranks[rank].threads[thread].collective, row, 1);
}

void
fake_mpi_cpu(struct fake_mpi *run, uint32_t rank,
    const struct es_cpu_sums *sums, const struct es_cpu_lost *lost,
    uint32_t count)
{
	struct fake_rank *r = &run->ranks[rank];
	struct es_space_part *part =
	    fake_part(r, ES_CPU_SUMS, 0, sizeof(*sums));

	fake_append(r, &part, sums, 1);
	part = fake_part(r, ES_CPU_LOST, 0, sizeof(*lost));
	for (uint32_t n = 0; n < count; n++) {
		struct es_cpu_lost row = lost[n];

		row.start = fake_mpi_ticks(run, rank, row.start);
		row.stop = fake_mpi_ticks(run, rank, row.stop);
		fake_append(r, &part, &row, 1);
	}
}

void
fake_mpi_log(struct fake_mpi *run, uint32_t rank, uint32_t kind,
    const void *bytes, size_t count)
{
	size_t padded = (count + 7) & ~(size_t)7;
	struct es_mpi_entry entry = { .kind = kind, .bytes = (uint32_t)padded };
	char *whole = calloc(1, sizeof(entry) + padded);

	EXPECT_TRUE(whole != NULL);
	memcpy(whole, &entry, sizeof(entry));
	memcpy(whole + sizeof(entry), bytes, count);
	fake_append(&run->ranks[rank], &run->ranks[rank].log, whole,
	    sizeof(entry) + padded);
	free(whole);
}

/* A log entry under construction. */
struct fake_text {
	char *bytes;
	size_t count;
};

static void
fake_put(struct fake_text *text, const void *bytes, size_t count)
{
	text->bytes = realloc(text->bytes, text->count + count + 1);
	EXPECT_TRUE(text->bytes != NULL);
	if (count > 0)
		memcpy(text->bytes + text->count, bytes, count);
	text->count += count;
}

static void
fake_put_log(struct fake_mpi *run, uint32_t rank, uint32_t kind,
    struct fake_text *text)
{
	fake_mpi_log(run, rank, kind, text->bytes, text->count);
	free(text->bytes);
}

void
fake_mpi_process(struct fake_mpi *run, uint32_t rank, const char *library,
    const char *command)
{
	fake_mpi_process_of(run, rank, library, command, "");
}

void
fake_mpi_process_of(struct fake_mpi *run, uint32_t rank, const char *library,
    const char *command, const char *world)
{
	struct es_mpi_process process = { .library_bytes = strlen(library) + 1,
		.command_bytes = strlen(command) + 1,
		.world_bytes = strlen(world) + 1 };
	struct fake_text text = { 0 };

	fake_put(&text, &process, sizeof(process));
	fake_put(&text, library, process.library_bytes);
	fake_put(&text, command, process.command_bytes);
	fake_put(&text, world, process.world_bytes);
	fake_put_log(run, rank, ES_MPI_ENTRY_PROCESS, &text);
}

/* Puts members as ranges; returns the number of ranges. */
static uint32_t
fake_put_ranks(struct fake_text *text, const int32_t *members, uint32_t count)
{
	uint32_t runs = 0;

	for (uint32_t n = 0; n < count; runs++) {
		struct es_mpi_ranks ranks = { .first = members[n],
			.stride = 1,
			.count = 1 };

		if (n + 1 < count)
			ranks.stride = members[n + 1] - members[n];
		while (n + ranks.count < count &&
		    members[n + ranks.count] ==
			ranks.first + ranks.stride * (int32_t)ranks.count)
			ranks.count++;
		n += ranks.count;
		fake_put(text, &ranks, sizeof(ranks));
	}
	return runs;
}

void
fake_mpi_comm(struct fake_mpi *run, uint32_t rank,
    const struct es_mpi_comm *comm, const int32_t *members, const char *name)
{
	struct es_mpi_comm whole = *comm;
	struct fake_text ranks = { 0 }, text = { 0 };

	whole.local_runs = fake_put_ranks(&ranks, members, comm->size);
	whole.runs = whole.local_runs +
	    fake_put_ranks(&ranks, members + comm->size, comm->remote_size);
	fake_put(&text, &whole, sizeof(whole));
	fake_put(&text, ranks.bytes, ranks.count);
	fake_put(&text, name, strlen(name) + 1);
	fake_put_log(run, rank, ES_MPI_ENTRY_COMM, &text);
	free(ranks.bytes);
}

void
fake_mpi_name(struct fake_mpi *run, uint32_t rank, uint32_t kind, uint32_t id,
    const char *name)
{
	struct es_mpi_name head = { .id = id,
		.bytes = (uint32_t)strlen(name) + 1 };
	struct fake_text text = { 0 };

	fake_put(&text, &head, sizeof(head));
	fake_put(&text, name, head.bytes);
	fake_put_log(run, rank, kind, &text);
}

void
fake_mpi_module(struct fake_mpi *run, uint32_t rank, uint32_t id,
    const char *build_id, const char *path)
{
	struct es_mpi_module head = { .id = id,
		.build_id_bytes = (uint32_t)strlen(build_id) / 2,
		.path_bytes = strlen(path) + 1 };
	struct fake_text text = { 0 };
	struct stat about;

	if (stat(path, &about) == 0) {
		head.file_bytes = (uint64_t)about.st_size;
		head.file_seconds = (uint64_t)about.st_mtim.tv_sec;
	}
	fake_put(&text, &head, sizeof(head));
	for (uint32_t n = 0; n < head.build_id_bytes; n++) {
		unsigned byte = 0;

		EXPECT_EQ(1, sscanf(build_id + 2 * (size_t)n, "%2x", &byte));
		fake_put(&text, &(uint8_t){ (uint8_t)byte }, 1);
	}
	fake_put(&text, path, head.path_bytes);
	fake_put_log(run, rank, ES_MPI_ENTRY_MODULE, &text);
}

void
fake_mpi_site(struct fake_mpi *run, uint32_t rank, uint32_t id,
    const struct es_mpi_frame *frames)
{
	struct es_mpi_site site = { .id = id };
	struct fake_text text = { 0 };

	while (frames[site.frames].module != FAKE_MPI_NO_FRAME)
		site.frames++;
	fake_put(&text, &site, sizeof(site));
	fake_put(&text, frames, site.frames * sizeof(*frames));
	fake_put_log(run, rank, ES_MPI_ENTRY_SITE, &text);
}

static void
fake_close(struct fake_mpi *run)
{
	for (uint32_t n = 0; n < run->rank_count; n++) {
		es_record_close(run->ranks[n].record);
		run->ranks[n].record = NULL;
	}
}

void
fake_mpi_end(struct fake_mpi *run, enum fake_run_state state)
{
	char file[512];

	fake_close(run);
	for (uint32_t n = 0; n < run->rank_count; n++) {
		const struct fake_rank *r = &run->ranks[n];
		const char *host = r->host != NULL ? r->host : FAKE_HOST;
		/* A process seems to run only to readers on its own host. */
		struct fake_end end = { .state = state,
			.host = host,
			.machine = state == FAKE_RUN_ENDED ? host : NULL,
			.last_ns = run->last_ns };

		snprintf(file, sizeof(file), "%s/%s.space", run->dir, r->name);
		fake_space_end(file, &r->clock, &end);
	}
}

void
fake_mpi_forget(struct fake_mpi *run)
{
	fake_close(run);
	free(run->ranks);
	free(run);
}

void
fake_mpi_remove(struct fake_mpi *run)
{
	/* Closes first, because the writer warns when its file is gone. */
	fake_close(run);
	fake_dir_remove(run->dir);
	fake_mpi_forget(run);
}
