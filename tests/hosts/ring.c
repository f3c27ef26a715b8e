/* SPDX-License-Identifier: MIT */
/*
 * tests/hosts/ring.c - a ring of processes that count the operations that ended
 *
 *	ring DIR
 *
 * Thread tN of process pN writes numbers into an element of the next process,
 * and reads those of its own, until an operation fails or the process is
 * killed.  DIR/pid.pN has the process id.  DIR/count.pN is mapped, and has the
 * number of writes and of reads that have returned.  The reason for the end is
 * printed with the time since boot.
 */

#include "libpaths/log.h"
#include "libpaths/path.h"
#include "libpaths/program.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct ring_counts {
	_Atomic uint64_t writes, reads;
};

static _Noreturn void
ring_fail(const char *process, const char *why)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	fprintf(stderr, "%s at %.3f s: %s\n", process,
	    (double)now.tv_sec + (double)now.tv_nsec / 1e9, why);
	_exit(EXIT_FAILURE);
}

static struct ring_counts *
ring_map_counts(const char *dir, const char *process)
{
	struct ring_counts *counts = MAP_FAILED;
	char file[4096];
	int fd;

	snprintf(file, sizeof(file), "%s/count.%s", dir, process);
	fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd >= 0 && ftruncate(fd, sizeof(*counts)) == 0)
		counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, 0);
	if (counts == MAP_FAILED)
		ring_fail(process, file);
	return counts;
}

static void
ring_write_id(const char *dir, const char *process)
{
	char file[4096];
	char name[4096];
	FILE *to;

	snprintf(file, sizeof(file), "%s/new.%s", dir, process);
	snprintf(name, sizeof(name), "%s/pid.%s", dir, process);
	to = fopen(file, "w");
	if (to == NULL || fprintf(to, "%d\n", (int)getpid()) < 0 ||
	    fclose(to) != 0 || rename(file, name) != 0)
		ring_fail(process, name);
}

int
main(int argc, char **argv)
{
	const char *process = getenv("PATHS_PROCESS");
	struct paths_program *program;
	struct paths_thread *thread;
	struct paths_path *next, *own;
	struct ring_counts *counts;
	char name[2][16];
	uint32_t number, size;

	if (argc != 2 || process == NULL)
		return EXIT_FAILURE;
	ring_write_id(argv[1], process);
	counts = ring_map_counts(argv[1], process);
	if (paths_program_open(NULL, NULL, &program) != PATHS_OK)
		ring_fail(process, paths_log_last());
	size = paths_program_map(program)->process_count;
	number = (uint32_t)atoi(process + 1);
	snprintf(name[0], sizeof(name[0]), "t%u", number);
	if (paths_thread_open(program, name[0], &thread) != PATHS_OK)
		ring_fail(process, paths_log_last());
	snprintf(name[0], sizeof(name[0]), "e%u", (number + 1) % size);
	snprintf(name[1], sizeof(name[1]), "e%u", number);
	if (paths_path_open(thread, name[0], &next) != PATHS_OK ||
	    paths_path_open(thread, name[1], &own) != PATHS_OK)
		ring_fail(process, paths_log_last());
	for (uint64_t n = 0;; n++) {
		uint64_t value = n;

		if (paths_path_write(next, &value, sizeof(value)) != PATHS_OK)
			ring_fail(process, paths_path_why(next));
		atomic_fetch_add(&counts->writes, 1);
		if (paths_path_read(own, &value, sizeof(value)) != PATHS_OK)
			ring_fail(process, paths_path_why(own));
		atomic_fetch_add(&counts->reads, 1);
		if (value != n)
			ring_fail(process, "a wrong number");
	}
}
