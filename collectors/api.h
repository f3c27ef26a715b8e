/* SPDX-License-Identifier: MIT */
/*
 * collectors/api.h - what a public declaration above floor 1 is marked with
 */

#ifndef COLLECTORS_API_H
#define COLLECTORS_API_H

#include "libpaths/status.h"

#define ES_API PATHS_API

#endif
