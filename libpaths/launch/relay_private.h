/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/relay_private.h - passes bytes between two descriptors and a
 * channel
 */

#ifndef LIBPATHS_LAUNCH_RELAY_PRIVATE_H
#define LIBPATHS_LAUNCH_RELAY_PRIVATE_H

#include "libpaths/launch/channel_private.h"

/* Passes bytes on until both directions have ended, or the channel is lost:
   those that are read from `in` over the channel, those of the channel to
   `out`.  Both descriptors are closed.  Returns false, with the reason in
   c->why, when the channel was lost. */
bool launch_relay(struct launch_channel *c, int in, int out);

#endif
