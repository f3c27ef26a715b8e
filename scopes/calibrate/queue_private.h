/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/queue_private.h - finds the discipline of the queue of
 * unexpected messages
 */

#ifndef SCOPES_CALIBRATE_QUEUE_PRIVATE_H
#define SCOPES_CALIBRATE_QUEUE_PRIVATE_H

#include "scopes/calibrate/calibrate_private.h"

/* Lets three ranks find out if messages of all senders are in one queue; called
   by all ranks. */
void es__queue_measure(struct es__calibrate *c);

#endif
