/* SPDX-License-Identifier: MIT */
/*
 * collectors/stage/session_private.h - the event space that the collectors of
 * one open program share
 */

#ifndef COLLECTORS_STAGE_SESSION_PRIVATE_H
#define COLLECTORS_STAGE_SESSION_PRIVATE_H

#include "collectors/record.h"

#include "libpaths/program.h"
#include "libpaths/stage.h"

extern const struct paths_stage_ops es__stage_collector;

/* The options of the stage, in this order. */
enum es__collector_option { ES__COLLECTOR_MODE, ES__COLLECTOR_KEEP };

struct es__session;

/*
 * es__session_ref - the session of a program; the first caller makes it
 *
 * A space that cannot be made is no error: the user is warned, once, and the
 * collectors are off.
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	PATHS_SPACE_BYTES is no number, or -keep is 0
 *		PATHS_ENOMEM
 * Ownership	the caller calls es__session_unref
 * Threads	any
 * Since	0.1
 */
paths_status es__session_ref(struct paths_program *program,
    struct es__session **session) PATHS_CHECKED;

/* The last one ends the space.  NULL: nothing happens. */
void es__session_unref(struct es__session *session);

/* Where an instance records; ring is left alone where that is nowhere. */
void es__session_ring(const struct es__session *session, uint32_t instance,
    struct es_record_ring *ring);

/* A reader of the space that a program writes, opened to switch. */
paths_status es__session_space(const struct paths_program *program,
    struct es_space **space) PATHS_CHECKED;

#endif
