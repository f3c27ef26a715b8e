/* SPDX-License-Identifier: MIT */
/*
 * collectors/control/fail_private.h - failures of `eventspace control`
 */

#ifndef COLLECTORS_CONTROL_FAIL_PRIVATE_H
#define COLLECTORS_CONTROL_FAIL_PRIVATE_H

#include "libpaths/base/command.h"

#include <stdbool.h>

/* Reports a failure on standard error; the value is false. */
#define CONTROL_FAIL(...) (paths_command_fail("control", __VA_ARGS__), false)

#endif
