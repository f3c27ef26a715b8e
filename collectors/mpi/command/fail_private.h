/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/command/fail_private.h - failures of `eventspace mpi`
 */

#ifndef COLLECTORS_MPI_COMMAND_FAIL_PRIVATE_H
#define COLLECTORS_MPI_COMMAND_FAIL_PRIVATE_H

#include "libpaths/base/command.h"

#include <stdbool.h>

/* Reports a failure on standard error; the value is false. */
#define MPI_FAIL(...) (paths_command_fail("mpi", __VA_ARGS__), false)

#endif
