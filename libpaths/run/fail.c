/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/fail.c - reports failures of eventspace-run
 */

#include "libpaths/run/fail_private.h"

#include "libpaths/base/command_report.h"

bool
run_fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	paths_command_print("run", fmt, args);
	va_end(args);
	return false;
}
