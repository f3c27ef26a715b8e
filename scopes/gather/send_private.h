/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/send_private.h - the stage that sends what its process records
 * to a server
 */

#ifndef SCOPES_GATHER_SEND_PRIVATE_H
#define SCOPES_GATHER_SEND_PRIVATE_H

#include "libpaths/stage.h"

extern const struct paths_stage_ops es__stage_send;

#endif
