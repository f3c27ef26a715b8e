/* SPDX-License-Identifier: MIT */
/*
 * libpaths/program/instance_private.h - creates, opens and closes the stages
 * of a process
 */

#ifndef LIBPATHS_PROGRAM_INSTANCE_PRIVATE_H
#define LIBPATHS_PROGRAM_INSTANCE_PRIVATE_H

#include "libpaths/engine/program_private.h"

/* Allocates the state of each stage of this process. */
paths_status paths__instance_create_all(struct paths_program *program);

/* Opens either the proxies or all other stages of this process. */
paths_status paths__instance_open_all(struct paths_program *program,
    bool proxies);

/* Closes the stages, also those that are not open, and frees them. */
void paths__instance_close_all(struct paths_program *program);

#endif
