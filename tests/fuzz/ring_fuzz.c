/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/ring_fuzz.c - a ring survives any bytes that the other side writes
 *
 * The other side maps the same memory, and writes counters, words of sleepers
 * and bytes between the calls of this side.  Without such writes, what one side
 * gets is what the other has put.
 *
 * Input	a byte, odd for a hostile other side; then steps of 4 bytes:
 *		kind, place, u16 number
 */

#include "libpaths/net/ring_private.h"

#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEP_BYTES 4u
#define STEPS_MOST 64u
#define PIECE_UNIT 5u /* bytes to put or get for each unit of the number */

struct fuzz {
	struct paths__ring *ring[2];
	uint8_t *memory; /* as the hostile side sees it */
	size_t memory_bytes;
	uint64_t put[2], got[2]; /* count of bytes, by the side that puts */
	bool hostile;
};

struct step {
	uint8_t kind, place;
	uint16_t number;
};

static void
fuzz_open(struct fuzz *fuzz)
{
	struct stat about;
	int fd = -1;

	MUST(paths__ring_create(&fuzz->ring[0], &fd) == PATHS_OK);
	MUST(paths__ring_attach(fd, &fuzz->ring[1]) == PATHS_OK);
	MUST(fstat(fd, &about) == 0);
	fuzz->memory_bytes = (size_t)about.st_size;
	fuzz->memory = mmap(NULL, fuzz->memory_bytes, PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd, 0);
	MUST(fuzz->memory != MAP_FAILED);
	(void)close(fd);
}

static void
fuzz_close(struct fuzz *fuzz)
{
	paths__ring_close(fuzz->ring[0]);
	paths__ring_close(fuzz->ring[1]);
	(void)munmap(fuzz->memory, fuzz->memory_bytes);
}

/* Returns the byte that stands at a place of a stream. */
static uint8_t
stream_byte(unsigned side, uint64_t at)
{
	return (uint8_t)((at * 31 >> 3) + side);
}

static void
step_put(struct fuzz *fuzz, unsigned side, size_t count)
{
	/* A block of exact size lets a sanitizer see reads past the end. */
	uint8_t *bytes = calloc(count > 0 ? count : 1, 1);
	bool wake;
	ptrdiff_t n;

	MUST(bytes != NULL);
	for (size_t i = 0; i < count && !fuzz->hostile; i++)
		bytes[i] = stream_byte(side, fuzz->put[side] + i);
	n = paths__ring_put(fuzz->ring[side], bytes, count, &wake);
	MUST(n <= (ptrdiff_t)count && (n >= 0 || fuzz->hostile));
	if (n > 0)
		fuzz->put[side] += (uint64_t)n;
	free(bytes);
}

static void
step_get(struct fuzz *fuzz, unsigned side, size_t count)
{
	uint8_t *bytes = malloc(count > 0 ? count : 1);
	unsigned from = 1 - side;
	bool wake;
	ptrdiff_t n;

	MUST(bytes != NULL);
	n = paths__ring_get(fuzz->ring[side], bytes, count, &wake);
	MUST(n <= (ptrdiff_t)count && (n >= 0 || fuzz->hostile));
	for (ptrdiff_t i = 0; i < n && !fuzz->hostile; i++)
		MUST(bytes[i] == stream_byte(from, fuzz->got[from]++));
	MUST(fuzz->hostile || fuzz->got[from] <= fuzz->put[from]);
	free(bytes);
}

/* Writes a word of the shared memory: a counter, a sleeper, or any other. */
static void
step_write(const struct fuzz *fuzz, const struct step *step)
{
	/* Bytes of the counters and the words of sleepers in each half. */
	static const size_t places[] = { 0, 64, 128, 132 };
	static const uint64_t far[] = { 0, UINT64_MAX, UINT64_C(1) << 63,
		UINT64_C(1) << 32, 256u << 10, (256u << 10) + 1 };
	size_t half = (step->place & 1) * (fuzz->memory_bytes / 2);
	size_t at = half + places[step->place >> 1 & 3];
	uint64_t word;

	if (step->place >= 240)
		at = step->number % (fuzz->memory_bytes / 8) * 8;
	memcpy(&word, fuzz->memory + at, sizeof(word));
	if (step->kind & 8)
		word = far[step->number % (sizeof(far) / sizeof(far[0]))];
	else
		word += (uint64_t)(int64_t)(int16_t)step->number;
	memcpy(fuzz->memory + at, &word, sizeof(word));
}

static void
fuzz_step(struct fuzz *fuzz, const struct step *step)
{
	unsigned side = step->place & 1;
	size_t count = (size_t)step->number * PIECE_UNIT;

	switch (step->kind % 8) {
	case 0:
	case 1:
		step_put(fuzz, side, count);
		break;
	case 2:
	case 3:
		step_get(fuzz, side, count);
		break;
	case 4:
		(void)paths__ring_sleep(fuzz->ring[side], step->number & 1,
		    step->number & 2);
		break;
	default:
		if (fuzz->hostile)
			step_write(fuzz, step);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz fuzz = { 0 };
	struct step step;

	if (size < 1)
		return 0;
	fuzz.hostile = data[0] & 1;
	data++;
	size--;
	fuzz_open(&fuzz);
	for (size_t n = 0; n < STEPS_MOST && size >= STEP_BYTES; n++) {
		memcpy(&step, data, sizeof(step));
		fuzz_step(&fuzz, &step);
		data += STEP_BYTES;
		size -= STEP_BYTES;
	}
	fuzz_close(&fuzz);
	return 0;
}
