/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/command_report.h - prints the errors of a command
 */

#ifndef LIBPATHS_BASE_COMMAND_REPORT_H
#define LIBPATHS_BASE_COMMAND_REPORT_H

#include "libpaths/status.h"

#include <stdarg.h>

/* The exit status of every command. */
#define PATHS_COMMAND_DONE 0
#define PATHS_COMMAND_FAILED 1
#define PATHS_COMMAND_WRONG 2

/* Prints "eventspace VERB: text" on standard error. */
void paths_command_print(const char *verb, const char *fmt, va_list args)
    PATHS_PRINTF(2, 0);

/* Reports a failure.  Returns PATHS_COMMAND_FAILED. */
int paths_command_fail(const char *verb, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/* Reports wrong usage and names --help.  Returns PATHS_COMMAND_WRONG. */
int paths_command_wrong(const char *verb, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

#endif
