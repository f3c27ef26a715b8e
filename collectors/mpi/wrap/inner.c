/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/inner.c - the function that a wrapper is calling
 */

#include "collectors/mpi/wrap/inner_private.h"

__thread uint32_t mpi_inner __attribute__((tls_model("initial-exec")));
