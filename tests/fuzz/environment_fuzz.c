/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/environment_fuzz.c - settings in the environment are taken or
 * refused, whatever their text is
 *
 * The first byte chooses the setting, the rest is its text.  Numbers with units
 * are PATHS_CONNECT_SECONDS, PATHS_SPACE_BYTES, EVENTSPACE_MPI_KEEP and so on.
 */

#include "libpaths/base/clock_private.h"
#include "libpaths/log.h"
#include "libpaths/map/plugin_private.h"
#include "libpaths/net/inherit_private.h"
#include "libpaths/unit.h"

#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
fuzz_clock(const char *text)
{
	struct paths__clock_error error;

	if (!paths__clock_parse(text, &error))
		return;
	MUST(error.offset_ns >= -PATHS__CLOCK_OFFSET_NS_MAX &&
	    error.offset_ns <= PATHS__CLOCK_OFFSET_NS_MAX);
	MUST(error.ppm >= -PATHS__CLOCK_PPM_MAX &&
	    error.ppm <= PATHS__CLOCK_PPM_MAX);
}

static void
fuzz_sockets(const char *text)
{
	int fd;

	for (uint16_t port = 0; port < 10; port++)
		if (paths__inherit_parse(text, port, &fd) == PATHS_OK)
			MUST(fd >= -1);
}

static void
fuzz_number(enum paths_unit unit, const char *text)
{
	char again[PATHS_UNIT_TEXT_BYTES];
	uint64_t number;

	if (paths_unit_parse(unit, text, 5, UINT64_MAX / 3, &number) !=
	    PATHS_OK)
		return;
	MUST(number >= 5 && number <= UINT64_MAX / 3);
	MUST(strlen(paths_unit_text(unit, (double)number, again)) <
	    sizeof(again));
}

/* No folder has the file, so nothing is loaded. */
static void
fuzz_plugins(const char *name, const char *text)
{
	char *entry = malloc(strlen(name) + strlen(text) + 2);

	MUST(entry != NULL);
	(void)sprintf(entry, "%s=%s", name, text);
	/* setenv would keep every text. */
	MUST(putenv(entry) == 0);
	MUST(paths__plugin_load("no-such-plugin.so") != PATHS_OK);
	MUST(paths__plugin_load("/no/such-plugin.so") != PATHS_OK);
	MUST(unsetenv(name) == 0);
	free(entry);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (size < 1)
		return 0;
	text = strndup((const char *)data + 1, size - 1);
	MUST(text != NULL);
	switch (data[0] % 8) {
	case 0:
		fuzz_clock(text);
		break;
	case 1:
		fuzz_sockets(text);
		break;
	case 2:
		fuzz_plugins("PATHS_PLUGINS", text);
		break;
	case 3:
		fuzz_plugins("PATHS_PLUGIN_PATH", text);
		break;
	case 4:
		fuzz_number(PATHS_UNIT_COUNT, text);
		break;
	case 5:
		fuzz_number(PATHS_UNIT_BYTES, text);
		break;
	case 6:
		fuzz_number(PATHS_UNIT_SECONDS, text);
		fuzz_number(PATHS_UNIT_TIME, text);
		break;
	default:
		fuzz_number(PATHS_UNIT_RATE, text);
	}
	free(text);
	return 0;
}
