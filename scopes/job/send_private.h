/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/send_private.h - messages on their way to other ranks
 *
 * All functions are called by the engine.
 */

#ifndef SCOPES_JOB_SEND_PRIVATE_H
#define SCOPES_JOB_SEND_PRIVATE_H

#include "scopes/job/member_private.h"

/* Sends a control message with room for bytes behind it, which a caller has
   filled; the message becomes the function's. */
void es__send_control(struct es__job *job, uint32_t to,
    struct es__control *message, size_t bytes);

/* Sends pieces of the own stream to all other ranks, and takes the messages off
   that were sent; returns whether something moved. */
bool es__send_progress(struct es__job *job);

#endif
