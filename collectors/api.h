/* SPDX-License-Identifier: MIT */
/*
 * collectors/api.h - marks the public declarations of collectors and scopes
 */

#ifndef COLLECTORS_API_H
#define COLLECTORS_API_H

#include "libpaths/status.h"

#define ES_API PATHS_API

#endif
