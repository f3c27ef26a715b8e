/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/control_fuzz.c - eventspace control survives any event space
 *
 * A run with one event space is copied, reset, started and stopped.  As in
 * space_fuzz, half of the mutations have correct checksums.
 *
 * Input	the event space
 */

#include "collectors/control/control_private.h"
#include "collectors/control/snapshot_private.h"
#include "collectors/space.h"

#include "libpaths/base/command.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/repair.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define SPACE "p0.space"

static char run[64], copy[80];

/* In place of the function that prints. */
int
paths_command_fail(const char *verb, const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return verb == NULL;
}

static void
end(void)
{
	(void)rmdir(run);
}

static void
begin(void)
{
	const char *memory = "/dev/shm";

	if (access(memory, W_OK) != 0)
		memory = "/tmp";
	snprintf(run, sizeof(run), "%s/control_fuzz.XXXXXX", memory);
	MUST(mkdtemp(run) != NULL);
	snprintf(copy, sizeof(copy), "%s/copy", run);
	MUST(atexit(end) == 0);
}

/* Copies the run, which is an event space again if it was one. */
static void
take(void)
{
	char file[96];

	MUST(mkdir(copy, 0700) == 0);
	(void)snapshot_take(run, copy);
	snprintf(file, sizeof(file), "%s/" SPACE, copy);
	(void)unlink(file);
	MUST(rmdir(copy) == 0 || access(copy, F_OK) != 0);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	size = LLVMFuzzerMutate(data, size, most);
	if (seed % 2 != 0)
		fuzz_repair(data, size);
	return size;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char file[96];
	int fd;

	if (run[0] == '\0')
		begin();
	snprintf(file, sizeof(file), "%s/" SPACE, run);
	fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	(void)close(fd);
	take();
	(void)control_run(run, CONTROL_RESET, 0);
	(void)control_run(run, CONTROL_START, ES_MODE_ALL);
	(void)control_run(run, CONTROL_STOP, 0);
	MUST(unlink(file) == 0);
	return 0;
}
