/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/truth.h - the expected counts that a program notes itself
 *
 * A program notes the expected counts next to each of its calls.  At its end
 * every rank writes the file PREFIX.RANK, with lines as `counted` prints them.
 * Programs of a single source include this file.
 */

#ifndef TESTS_MPI_TRUTH_H
#define TESTS_MPI_TRUTH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRUTH_LINES 512
#define TRUTH_CLASSES 65

static struct truth_line {
	char key[100];
	uint64_t count, bytes, classes[TRUTH_CLASSES];
} truth_lines[TRUTH_LINES];

static int
truth_class(uint64_t bytes)
{
	return bytes == 0 ? 0 : 64 - __builtin_clzll(bytes);
}

static void
truth_add(const char *key, uint64_t bytes)
{
	struct truth_line *line = truth_lines;

	while (line->count && strcmp(line->key, key) != 0)
		if (++line == truth_lines + TRUTH_LINES)
			abort();
	snprintf(line->key, sizeof(line->key), "%s", key);
	line->count++;
	line->bytes += bytes;
	line->classes[truth_class(bytes)]++;
}

/* Notes a message that this rank must count, by world ranks. */
__attribute__((unused)) static void
truth_message(int from, int to, const char *category, uint64_t bytes)
{
	char key[100];

	snprintf(key, sizeof(key), "matrix %d %d %s", from, to, category);
	truth_add(key, bytes);
}

/* Notes a collective of a communicator, with the bytes that struct
   es_mpi_collective defines: of one pair, or the sum. */
__attribute__((unused)) static void
truth_collective(int rank, int comm, const char *function, int root,
    uint64_t bytes)
{
	char key[100];

	snprintf(key, sizeof(key), "collective %d %d MPI_%s %d", rank, comm,
	    function, root);
	truth_add(key, bytes);
}

__attribute__((unused)) static void
truth_write(const char *prefix, int rank)
{
	char name[4096];
	FILE *to;

	snprintf(name, sizeof(name), "%s.%d", prefix, rank);
	to = fopen(name, "w");
	if (!to)
		abort();
	for (struct truth_line *l = truth_lines; l->count; l++) {
		const char *mark = " ";

		fprintf(to, "%s %llu %llu", l->key,
		    (unsigned long long)l->count, (unsigned long long)l->bytes);
		for (int c = 0; c < TRUTH_CLASSES; c++)
			if (l->classes[c]) {
				fprintf(to, "%s%d:%llu", mark, c,
				    (unsigned long long)l->classes[c]);
				mark = ",";
			}
		fprintf(to, "\n");
	}
	fclose(to);
}

#endif
