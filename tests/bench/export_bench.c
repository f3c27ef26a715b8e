/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/export_bench.c - time and size of exports for each tuple
 *
 * The reference is Chrome's JSON.  Two runs are exported: ten threads that
 * exchange halos, with rare waits of 3 ms, and two MPI ranks that send
 * messages.  Runs on one core; files stay in the page cache.  Sizes are lines
 * "FORMAT size / tuples", with the unit x.
 */

#include "scopes/export/export_private.h"
#include "scopes/export/format_private.h"
#include "scopes/export/target_private.h"

#include "tests/bench/bench.h"
#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/fake_op.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define THREADS 10u
#define OPERATIONS 60000u /* of each thread */
#define MESSAGES 150000u
#define ROUNDS 9

struct export_bench {
	struct es_run *run;
	struct es_analysis *analysis;
	char dir[256]; /* file that it is written to */
};

struct export_job {
	struct export_bench *bed;
	const struct es__export_format *format;
	bool all_args;
	uint64_t bytes; /* of the last file */
};

static void
must(paths_status st)
{
	if (st == PATHS_OK)
		return;
	fputs("export_bench: an export fails\n", stderr);
	exit(1);
}

static uint64_t measured;

static int
measure(const char *path, const struct stat *known, int flag, struct FTW *ftw)
{
	(void)path;
	(void)ftw;
	if (flag == FTW_F)
		measured += (uint64_t)known->st_size;
	return 0;
}

static void
loop_export(void *to, unsigned n)
{
	struct export_job *job = to;
	struct es__export export;
	struct es__export_target target;
	char out[300];

	(void)n;
	snprintf(out, sizeof(out), "%s/out", job->bed->dir);
	must(es__export_open(&export, job->bed->analysis, true,
	    job->format->requests));
	export.all_args = job->all_args;
	must(es__export_target_open(&target, out, job->format->folder));
	must(job->format->write(&export, target.temporary));
	measured = 0;
	if (nftw(target.temporary, measure, 16, FTW_PHYS) != 0)
		exit(1);
	job->bytes = measured;
	/* A file that was not committed is removed. */
	es__export_target_close(&target);
	es__export_close(&export);
}

static struct fake_run *
paths_recorded(void)
{
	char map[8192] = FAKE_MAP "element halo -process p -type f64*128"
				  " -keep 16\n";
	struct fake_run *fake;

	for (uint32_t t = 0; t < THREADS; t++) {
		size_t used = strlen(map);

		snprintf(map + used, sizeof(map) - used,
		    "thread t%u -process p\n"
		    "path t%u halo {{collector} {element halo}}\n",
		    t, t);
	}
	fake = fake_run_create(map, OPERATIONS);
	for (uint32_t t = 0; t < THREADS; t++) {
		uint64_t at = 1000 + t;

		for (uint32_t seq = 0; seq < OPERATIONS; seq++) {
			uint64_t much = seq % 1000 == t ? 3000000 : 2500;

			FAKE_OP(fake, t, EXCHANGE, seq, at, at + much);
			at += much + 7500 + seq * 7919 % 1000;
		}
	}
	fake_run_end(fake, FAKE_RUN_ENDED);
	return fake;
}

static struct fake_mpi *
mpi_recorded(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, MESSAGES);
	struct es_tuple_mpi tuple = { .comm = ES_MPI_COMM_WORLD,
		.tag = 7,
		.bytes = 1024,
		.site = 1 };
	uint16_t ops[2] = { (uint16_t)es_mpi_function_find("MPI_Send"),
		(uint16_t)es_mpi_function_find("MPI_Recv") };

	for (uint32_t rank = 0; rank < 2; rank++)
		for (uint32_t seq = 1; seq <= MESSAGES; seq++) {
			tuple.seq = seq;
			tuple.op = ops[rank];
			tuple.peer = rank == 0 ? 1 : 0;
			tuple.start = seq * UINT64_C(10000) + rank * 500;
			tuple.stop = tuple.start + 2500;
			fake_mpi_add(fake, rank, 0, &tuple);
		}
	fake_mpi_last(fake, (MESSAGES + 2) * UINT64_C(10000));
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	return fake;
}

static const struct {
	const char *format;
	bool all_args;
	const char *paths, *mpi; /* name in the output */
} jobs[] = {
	{ "chrome", false, "chrome", "chrome, MPI" },
	{ "perfetto", false, "perfetto", "perfetto, MPI" },
	{ "perfetto", true, "perfetto --args", NULL },
	{ "ctf", false, "ctf", "ctf, MPI" },
	{ "otf2", false, "otf2", "otf2, MPI" },
	{ "csv", false, "csv", "csv, MPI" },
};

#define JOBS (sizeof(jobs) / sizeof(jobs[0]))

static void
bench(const char *dir, bool mpi, unsigned tuples, unsigned tuple_bytes)
{
	struct export_bench bed;
	struct export_job job[JOBS];
	struct bench loops[JOBS];
	unsigned count = 0;

	must(es_run_open(dir, &bed.run));
	must(es_analysis_open(bed.run, 1, NULL, &bed.analysis));
	fake_dir_create(bed.dir);
	for (size_t n = 0; n < JOBS; n++) {
		const char *what = mpi ? jobs[n].mpi : jobs[n].paths;
		const struct es__export_format *format =
		    es__export_format_find(jobs[n].format);

		if (what == NULL || format->write == NULL)
			continue;
		job[count] = (struct export_job){ .bed = &bed,
			.format = format,
			.all_args = jobs[n].all_args };
		loops[count] =
		    (struct bench){ what, loop_export, &job[count], tuples };
		count++;
	}
	bench_run(loops, count, ROUNDS);
	for (unsigned n = 0; n < count; n++)
		printf("%s size / tuples\tx\t%u\t%.4g\t%.4g\t%.4g\n",
		    loops[n].what, tuples,
		    (double)job[n].bytes / tuples / tuple_bytes,
		    (double)job[n].bytes / tuples / tuple_bytes,
		    (double)job[n].bytes / tuples / tuple_bytes);
	fake_dir_remove(bed.dir);
	es_analysis_close(bed.analysis);
	es_run_close(bed.run);
}

int
main(void)
{
	struct fake_run *paths = paths_recorded();
	struct fake_mpi *mpi = mpi_recorded();

	bench_pin(0);
	bench(fake_run_dir(paths), false, THREADS * OPERATIONS,
	    sizeof(struct es_tuple_path));
	bench(fake_mpi_dir(mpi), true, 2 * MESSAGES,
	    sizeof(struct es_tuple_mpi));
	fake_run_remove(paths);
	fake_mpi_remove(mpi);
	return 0;
}
