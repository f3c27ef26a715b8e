/* SPDX-License-Identifier: MIT */
/*
 * collectors/plugin.h - libcollectors as a plugin of libpaths
 *
 * A map with the line `plugin libcollectors.so.0` can have, on any chain, the
 * stage
 *
 *	{collector ?-mode trace|profile|matrix|off? ?-keep COUNT?}
 */

#ifndef COLLECTORS_PLUGIN_H
#define COLLECTORS_PLUGIN_H

#include "collectors/api.h"

#include "libpaths/stage.h"

PATHS_BEGIN_DECLS

/*
 * paths_plugin - the table by which paths_stage_load registers the stages
 *
 * A program that is linked with libcollectors still has to call
 * paths_stage_load.
 *
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
ES_API extern const struct paths_plugin paths_plugin;

PATHS_END_DECLS

#endif
