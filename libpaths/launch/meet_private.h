/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/meet_private.h - connects an agent to its launcher
 */

#ifndef LIBPATHS_LAUNCH_MEET_PRIVATE_H
#define LIBPATHS_LAUNCH_MEET_PRIVATE_H

#include "libpaths/launch/channel_private.h"

/* Variable with the secret of the launch, in hexadecimal digits, and the
   addresses of the launcher, as "SECRET ADDRESS PORT ADDRESS PORT ...". */
#define LAUNCH_MEET_VARIABLE "PATHS_LAUNCH"

/* Open MPI passes on the variables that begin with OMPI_. */
#define LAUNCH_MEET_OMPI_VARIABLE "OMPI_PATHS_LAUNCH"

/* Addresses in the variable, at most. */
#define LAUNCH_MEET_ADDRESSES 16

/* Reads the secret.  Returns the rest of the text, or NULL. */
const char *launch_meet_secret(const char *text,
    uint8_t secret[PATHS__LAUNCH_SECRET_BYTES]);

/* Connects to the launcher at one of the addresses, proves who this is and
   opens a sealed channel.  Returns false with the reason in c->why. */
bool launch_meet(struct launch_channel *c, const char *text);

/* As launch_meet, but tries each address once. */
bool launch_meet_once(struct launch_channel *c, const char *text);

#endif
