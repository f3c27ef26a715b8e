/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/stage_private.h - declares the stages of libpaths
 *
 * Each of stages/NAME.c defines paths__stage_NAME; stages.def lists them.
 */

#ifndef LIBPATHS_MAP_STAGE_PRIVATE_H
#define LIBPATHS_MAP_STAGE_PRIVATE_H

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "libpaths/stage.h"

#include <stdatomic.h>

#define PATHS_STAGE(name) \
	extern const struct paths_stage_ops paths__stage_##name;
#include "libpaths/stages.def"
#undef PATHS_STAGE

/* Return the kinds that the loader of maps treats specially. */
const struct paths_stage_ops *paths__stage_get_element(void);
const struct paths_stage_ops *paths__stage_get_proxy(void);

/*
 * Adds the stages of a plugin, up to the first whose name is taken.  used: out,
 * false when a check refused the plugin: then no memory of it is referred to.
 */
paths_status paths__stage_add_plugin(const char *file,
    const struct paths_plugin *plugin, bool *used);

/*
 * paths__kind_name - the name of a kind of operation, for messages
 *
 * Returns	"write", "read", "exchange" or "delete"
 * Ownership	a constant
 * Threads	any
 * Since	0.1
 */
static inline const char *
paths__kind_name(uint32_t kind)
{
	switch (kind) {
	case PATHS_WRITE:
		return "write";
	case PATHS_READ:
		return "read";
	case PATHS_EXCHANGE:
		return "exchange";
	default:
		return "delete";
	}
}

/*
 * paths__stage_count - add to a counter of a stage
 *
 * Returns	nothing
 * Threads	one writer at a time; any may read the counter
 * Since	0.1
 */
static inline void
paths__stage_count(_Atomic uint64_t *counter, uint64_t add)
{
	/* Relaxed: readers use the counter as a total only. */
	atomic_store_explicit(counter,
	    atomic_load_explicit(counter, memory_order_relaxed) + add,
	    memory_order_relaxed);
}

#endif
