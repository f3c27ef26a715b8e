/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/script_private.h - writes the script that starts a process on
 * another host
 */

#ifndef LIBPATHS_RUN_SCRIPT_PRIVATE_H
#define LIBPATHS_RUN_SCRIPT_PRIVATE_H

#include "libpaths/run/run_private.h"

#include <stdio.h>

bool run_script_write(const struct run *run);

/* Writes a word in the quotes of a shell. */
void run_script_word(FILE *to, const char *word);

#endif
