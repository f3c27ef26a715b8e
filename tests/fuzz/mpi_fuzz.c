/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/mpi_fuzz.c - readers take or refuse any record of an MPI process
 *
 * The input becomes the log of definitions, then the rows, of an event space
 * with a valid header; space_fuzz damages headers.
 */

#include "collectors/record.h"
#include "scopes/mpi/flow_private.h"
#include "scopes/run/diagnose_private.h"
#include "scopes/run/mapless_private.h"
#include "scopes/run/mpi_private.h"
#include "scopes/run/run_private.h"

#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROWS 4u
#define LOG_BYTES 4096u

static char dir[256], file[300];
static struct es_space_part *control, *log_part, *rows[3];

static void
fuzz_remove(void)
{
	(void)unlink(file);
	(void)rmdir(dir);
}

static void
fuzz_part(struct es_record *record, uint32_t what, size_t row_bytes,
    uint64_t room)
{
	struct es_record_part want = { .what = what,
		.row_bytes = (uint32_t)row_bytes,
		.room = room };
	struct es_space_part *part;

	MUST(es_record_add_rows(record, &want, &part) == PATHS_OK);
}

/* Maps the space, and takes away its checksums. */
static void
fuzz_map(void)
{
	struct es_space_part **parts[] = { &control, &log_part, &rows[0],
		&rows[1], &rows[2] };
	int fd = open(file, O_RDWR | O_CLOEXEC);
	struct stat status;
	char *base;
	uint64_t at;

	MUST(fd >= 0 && fstat(fd, &status) == 0);
	base = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd, 0);
	MUST(base != MAP_FAILED);
	(void)close(fd);
	at = ((const struct es_space_head *)base)->live_offset;
	((struct es_space_live *)(base + at))->sealed = 0;
	at = ((const struct es_space_head *)base)->file_bytes;
	for (size_t n = 0; n < sizeof(parts) / sizeof(parts[0]); n++) {
		*parts[n] = (struct es_space_part *)(base + at);
		atomic_store(&(*parts[n])->sealed, 0);
		at += (*parts[n])->bytes;
	}
}

/* Opens the space that all inputs are written into. */
static void
fuzz_open(void)
{
	const char *top = getenv("TMPDIR");
	struct es_record_spec spec = { .directory = dir,
		.process_name = "r0",
		.process = ES_SPACE_MAPLESS,
		.map_text = "",
		.added = es_tuple_type_find("mpi") };
	struct es_record *record;

	snprintf(dir, sizeof(dir), "%s/mpi_fuzz.XXXXXX",
	    top != NULL && *top != '\0' ? top : "/tmp");
	MUST(mkdtemp(dir) != NULL);
	snprintf(file, sizeof(file), "%s/r0.space", dir);
	MUST(atexit(fuzz_remove) == 0);
	MUST(es_record_open(&spec, &record) == PATHS_OK);
	fuzz_part(record, ES_MPI_CONTROL, sizeof(struct es_mpi_control), 1);
	fuzz_part(record, ES_MPI_LOG, 1, LOG_BYTES);
	fuzz_part(record, ES_MPI_PROFILE, sizeof(struct es_mpi_profile), ROWS);
	fuzz_part(record, ES_MPI_MATRIX, sizeof(struct es_mpi_matrix), ROWS);
	fuzz_part(record, ES_MPI_COLLECTIVE, sizeof(struct es_mpi_collective),
	    ROWS);
	es_record_close(record);
	fuzz_map();
	atomic_store(&control->used, 1);
}

/* Copies bytes of the input, and zeros past its end. */
static void
fuzz_take(const uint8_t **bytes, size_t *size, void *to, size_t count)
{
	size_t there = count < *size ? count : *size;

	memset(to, 0, count);
	if (there > 0)
		memcpy(to, *bytes, there);
	*bytes += there;
	*size -= there;
}

/* Writes rows of the current epoch, each once. */
static void
fuzz_fill(const uint8_t *bytes, size_t size)
{
	uint16_t log_bytes = 0;

	fuzz_take(&bytes, &size, &log_bytes, sizeof(log_bytes));
	log_bytes %= LOG_BYTES;
	fuzz_take(&bytes, &size, log_part + 1, log_bytes);
	atomic_store(&log_part->used, log_bytes);
	fuzz_take(&bytes, &size, control + 1, sizeof(struct es_mpi_control));
	((struct es_mpi_control *)(control + 1))->epoch = 0;
	for (int n = 0; n < 3; n++) {
		char *row = (char *)(rows[n] + 1);

		for (uint32_t r = 0; r < ROWS; r++) {
			uint64_t counts[2] = { 0, 1 };

			/* Readers check the key; the rest are counts. */
			fuzz_take(&bytes, &size, row, 16);
			memcpy(row + 16, counts, sizeof(counts));
			row += rows[n]->row_bytes;
		}
		atomic_store(&rows[n]->used, ROWS);
	}
}

static void
walk_site(const struct es_mpi *mpi, const struct es_mpi_site_def *site)
{
	for (uint32_t k = 0; k < site->frame_count; k++) {
		const struct es_mpi_frame *frame = &site->frames[k];
		const struct es_mpi_source_def *source =
		    es_mpi_source(mpi, frame->source);

		MUST(frame->module == PATHS_NONE ||
		    es_mpi_module(mpi, frame->module) != NULL);
		MUST(frame->source == 0 ||
		    frame->source == ES_MPI_FRAME_EXTENSION || source != NULL);
		if (source != NULL)
			MUST(strlen(source->function) + strlen(source->file) <
			    4 * LOG_BYTES);
	}
}

static void
walk_definitions(const struct es_mpi *mpi)
{
	const struct es_mpi_comm_def *comm;
	const struct es_mpi_site_def *site;

	for (uint32_t n = 0; (comm = es_mpi_comm(mpi, n)) != NULL; n++) {
		uint64_t last = (uint64_t)comm->size + comm->remote_size;

		MUST(strlen(comm->name) < LOG_BYTES);
		for (uint64_t k = 0; k < last && k < 64; k++)
			MUST(es_mpi_comm_member(mpi, comm, k) == PATHS_NONE ||
			    es_mpi_comm_member(mpi, comm, k) <
				es_mpi_rank_count(mpi));
		if (last > 0)
			(void)es_mpi_comm_member(mpi, comm, last - 1);
	}
	for (uint32_t n = 0; (site = es_mpi_site(mpi, n)) != NULL; n++)
		walk_site(mpi, site);
	for (uint32_t n = 0; es_mpi_phase_name(mpi, n) != NULL; n++)
		MUST(strlen(es_mpi_phase_name(mpi, n)) < LOG_BYTES);
}

/* Pairs of collectives are walked if they are few. */
static void
walk_rows(const struct es_mpi *mpi)
{
	struct es_mpi_collective collective;
	struct es_mpi_profile profile;
	struct es_mpi_matrix matrix;
	struct es_mpi_rows it;
	struct es__mpi_flows flows;
	uint64_t pairs = 0;

	es_mpi_rows_begin(mpi, 0, ES_MPI_PROFILE, &it);
	while (es_mpi_rows_profile(&it, &profile))
		MUST(profile.site == PATHS_NONE ||
		    es_mpi_site(mpi, profile.site) != NULL);
	es_mpi_rows_begin(mpi, 0, ES_MPI_MATRIX, &it);
	while (es_mpi_rows_matrix(&it, &matrix))
		MUST(matrix.peer < (int32_t)es_mpi_rank_count(mpi));
	es_mpi_rows_begin(mpi, 0, ES_MPI_COLLECTIVE, &it);
	while (es_mpi_rows_collective(&it, &collective)) {
		struct es__mpi_targets to =
		    es__mpi_flow_targets(mpi, &collective, &it.member);

		MUST(to.first <= to.end);
		pairs += es__mpi_targets_count(&to);
	}
	if (pairs < 4096 && es__mpi_flows_open(mpi, 0, &flows) == PATHS_OK)
		es__mpi_flows_close(&flows);
}

/* Makes a run of this process, as es_run_open does. */
static void
walk_run(struct es_space *space)
{
	const struct es_mpi_control *row =
	    (const struct es_mpi_control *)(control + 1);
	struct paths_map_process process = { .name = "r0" };
	struct paths_map_thread thread = { .name = "r0" };
	struct paths_map map = { .processes = &process,
		.process_count = 1,
		.threads = &thread,
		.thread_count = 1 };
	uint32_t owner = 0;
	struct es__mapless mapless = { .name = (char *)"r0",
		.rank = row->rank,
		.world_size = row->world_size,
		.spawned = (row->flags & ES_MPI_SPAWNED) != 0,
		.control = row,
		.owner_count = 1,
		.owners = &owner };
	struct es_run run = { .map = &map,
		.spaces = &space,
		.mapless = &mapless };
	struct es_mpi *mpi;

	pthread_mutex_init(&run.diagnosing, NULL);
	MUST(es__mpi_open(&run, &mpi) == PATHS_OK);
	walk_definitions(mpi);
	walk_rows(mpi);
	es__mpi_close(mpi);
	es__diagnose_fini(&run);
	pthread_mutex_destroy(&run.diagnosing);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct es_space *space;

	if (control == NULL)
		fuzz_open();
	fuzz_fill(bytes, size);
	MUST(es_space_open(file, &space) == PATHS_OK);
	walk_run(space);
	es_space_close(space);
	return 0;
}
