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

struct es__session;

/*
 * es__session_ref - shares the session of a program; the first call opens it
 *
 * A space that cannot be opened is not an error: the user is warned once, and
 * the collectors are off.
 *
 * collector	the stage whose instances record in the session
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	PATHS_SPACE_BYTES is not a size, or -keep is 0
 *		PATHS_ENOMEM
 * Ownership	the caller calls es__session_unref
 * Threads	any
 * Since	0.1
 */
paths_status es__session_ref(struct paths_program *program,
    const struct paths_stage_ops *collector, struct es__session **session)
    PATHS_CHECKED;

/* Releases a session; the last release closes the space.  Ignores NULL. */
void es__session_unref(struct es__session *session);

/* Gets the ring of an instance; leaves ring unchanged without a space. */
void es__session_ring(const struct es__session *session, uint32_t instance,
    struct es_record_ring *ring);

/* Opens the space that a program writes, for reading and for switching. */
paths_status es__session_space(const struct paths_program *program,
    struct es_space **space) PATHS_CHECKED;

#endif
