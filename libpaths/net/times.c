/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/times.c - the times at which operations travel to other hosts
 */

#include "libpaths/net/times_private.h"

#include "libpaths/clock.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maps a new region at the end of a file.  Returns NULL when there is no room:
   a store to a page that the file system cannot hold would be a SIGBUS. */
static struct paths__times_record *
times_map(int fd)
{
	struct stat status;
	void *region = MAP_FAILED;

	if (fstat(fd, &status) == 0 &&
	    status.st_size % (off_t)PATHS__TIMES_REGION_BYTES == 0 &&
	    posix_fallocate(fd, status.st_size,
		(off_t)PATHS__TIMES_REGION_BYTES) == 0)
		region = mmap(NULL, PATHS__TIMES_REGION_BYTES,
		    PROT_READ | PROT_WRITE, MAP_SHARED, fd, status.st_size);
	return region == MAP_FAILED ? NULL : region;
}

void
paths__times_open(struct paths__times *times, const char *run,
    const char *process, uint32_t other)
{
	char file[PATH_MAX];
	int fd;

	*times = (struct paths__times){ .window = paths_clock_ns_to_ticks(
					    PATHS__TIMES_WINDOW_NS),
		.process = other };
	if (snprintf(file, sizeof(file), "%s/%s" PATHS__TIMES_FILE, run,
		process) >= (int)sizeof(file))
		return;
	fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	times->records = times_map(fd);
	close(fd);
	if (times->records != NULL)
		times->records[0] =
		    (struct paths__times_record){ .process = other,
			    .check = PATHS__TIMES_MAGIC };
}

/* Returns the travel of a frame as its stamps tell, at a time t1, relative to
   what the rate of the other clock adds to it until then. */
static double
times_travel(const struct paths__times *times,
    const struct paths__times_record *r, bool answer)
{
	const uint64_t here = answer ? r->received : r->sent;
	const double added =
	    times->rate * (double)(int64_t)(here - times->origin);

	return (double)(int64_t)(r->received - r->sent) +
	    (answer ? added : -added);
}

/* Sets the rate, so that the differences of both clocks in the first and the
   last window are alike.  The window between two such differences is long when
   the rate is needed. */
static void
times_set_rate(struct paths__times *times)
{
	const struct paths__times_record *first = times->records + 1;
	const struct paths__times_record *last = first + 2 * (times->count - 1);
	const double there =
	    (double)(int64_t)(last[0].received - first[0].received) -
	    (double)(int64_t)(last[0].sent - first[0].sent);
	const double back = (double)(int64_t)(last[1].sent - first[1].sent) -
	    (double)(int64_t)(last[1].received - first[1].received);

	times->rate =
	    (there + back) / 2 / (double)(last[0].sent - first[0].sent);
}

/* Keeps the quicker ones of each two windows, and makes windows longer. */
static void
times_halve(struct paths__times *times)
{
	struct paths__times_record *r = times->records + 1;
	const size_t half = times->count / 2;

	times_set_rate(times);
	for (size_t n = 0; n < 2 * half; n++) {
		const struct paths__times_record *a = &r[2 * n - n % 2];
		const struct paths__times_record *b = a + 2;
		const bool answer = n % 2 != 0;

		r[n] = times_travel(times, b, answer) <
			times_travel(times, a, answer) ?
		    *b :
		    *a;
	}
	memset(r + 2 * half, 0, 2 * half * sizeof(*r));
	times->count = half;
	times->window *= 2;
}

/* Stores the records of the window that has ended. */
static void
times_store(struct paths__times *times)
{
	if (!times->has_best)
		return;
	if (times->count == PATHS__TIMES_WINDOWS)
		times_halve(times);
	for (int n = 0; n < 2; n++) {
		times->best[n].check = paths__times_check(&times->best[n]);
		times->records[1 + 2 * times->count + n] = times->best[n];
	}
	times->count++;
	times->has_best = false;
}

void
paths__times_add(struct paths__times *times,
    const struct paths__times_four *four)
{
	const struct paths__times_record both[2] = {
		{ .sent = four->t1,
		    .received = four->t2,
		    .process = times->process,
		    .bytes = four->bytes },
		{ .sent = four->t3,
		    .received = four->t4,
		    .process = times->process },
	};
	bool first;

	if (times->records == NULL || four->t1 > four->t4 ||
	    four->t2 > four->t3 || four->t3 - four->t2 > four->t4 - four->t1)
		return;
	if (times->origin == 0)
		times->origin = four->t1;
	if (four->t4 >= times->until) {
		times_store(times);
		times->until = four->t4 + times->window;
	}
	first = !times->has_best;
	for (int n = 0; n < 2; n++) {
		const double travel = times_travel(times, &both[n], n != 0);

		if (!first && travel >= times->least[n])
			continue;
		times->least[n] = travel;
		times->best[n] = both[n];
	}
	times->has_best = true;
}

/* Adds the operation whose answer may still have got a stamp. */
static void
times_add_trip(struct paths__times *times)
{
	if (times->has_trip)
		paths__times_add(times, &times->trip.four);
	times->has_trip = false;
}

void
paths__times_put(struct paths__times *times,
    const struct paths__times_trip *trip)
{
	times_add_trip(times);
	times->trip = *trip;
	times->has_trip = true;
}

void
paths__times_left(struct paths__times *times, uint32_t hop, uint32_t serial,
    uint64_t left)
{
	struct paths__times_trip *trip = &times->trip;

	if (!times->has_trip || trip->hop != hop || trip->serial != serial ||
	    left < trip->four.t3 ||
	    (trip->left == 0 && trip->four.bytes <= PATHS__TIMES_BYTES_MAX))
		return;
	if (trip->left != 0)
		trip->four.t1 = trip->left;
	trip->four.t3 = left;
	times_add_trip(times);
}

void
paths__times_close(struct paths__times *times)
{
	if (times->records == NULL)
		return;
	times_add_trip(times);
	times_store(times);
	munmap(times->records, PATHS__TIMES_REGION_BYTES);
	times->records = NULL;
}
