/* SPDX-License-Identifier: MIT */
/*
 * collectors/stage/collector_private.h - the stage that records operations
 */

#ifndef COLLECTORS_STAGE_COLLECTOR_PRIVATE_H
#define COLLECTORS_STAGE_COLLECTOR_PRIVATE_H

#include "libpaths/stage.h"

/* The options of the stage, in this order. */
enum es__collector_option { ES__COLLECTOR_MODE, ES__COLLECTOR_KEEP };

extern const struct paths_stage_ops es__stage_collector;

#endif
