/* SPDX-License-Identifier: MIT */
/*
 * tests/examples/silent.c - a program that does not tell its steps
 *
 * A module for LD_PRELOAD, which comes before libpaths.
 */

#include "libpaths/thread.h"

void
paths_thread_step(struct paths_thread *thread, uint32_t step)
{
	(void)thread;
	(void)step;
}
