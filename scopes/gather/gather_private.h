/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/gather_private.h - functions that the stages of gather trees
 * share
 */

#ifndef SCOPES_GATHER_GATHER_PRIVATE_H
#define SCOPES_GATHER_GATHER_PRIVATE_H

#include "scopes/gather/batch_private.h"

#include "libpaths/map.h"
#include "libpaths/stage.h"

#include <string.h>

/* Alignment of a batch. */
#define ES__GATHER_ALIGN 8u

/* Returns true for a read whose memory a batch may be written to. */
static inline bool
es__gather_takes(const struct paths_op *op)
{
	return op->kind == PATHS_READ &&
	    (uintptr_t)op->tuple % ES__GATHER_ALIGN == 0;
}

/* Fails an operation that es__gather_takes does not take. */
static inline enum paths_pass
es__gather_refuse(struct paths_op *op)
{
	if (op->kind != PATHS_READ)
		return paths_op_fail(op, PATHS_EINVAL, "takes reads only");
	return paths_op_fail(op, PATHS_EINVAL,
	    "the memory of a batch is not aligned to %u bytes",
	    ES__GATHER_ALIGN);
}

/* The down of a stage that works on the up-pass. */
static inline enum paths_pass
es__gather_pass(struct paths_op *op)
{
	return es__gather_takes(op) ? PATHS_PASS_ON : es__gather_refuse(op);
}

/* Sets the length of the batch that a read returns.  A type of one length is
   filled up with zeros. */
static inline void
es__gather_end(struct paths_op *op, size_t used, bool varies)
{
	if (varies)
		op->bytes = (uint32_t)used;
	else
		memset((uint8_t *)op->tuple + used, 0, op->bytes - used);
}

#endif
