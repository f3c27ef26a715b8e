/* SPDX-License-Identifier: MIT */
/*
 * collectors/control/mode_private.h - names of modes on the command line
 */

#ifndef COLLECTORS_CONTROL_MODE_PRIVATE_H
#define COLLECTORS_CONTROL_MODE_PRIVATE_H

#include "libpaths/status.h"

#include <stdint.h>

/* Parses "trace,profile" into a set of ES_MODE_ bits.  Returns PATHS_ESYNTAX
   for an unknown name or for none. */
paths_status mode_parse(const char *text, uint32_t *modes) PATHS_CHECKED;

#endif
