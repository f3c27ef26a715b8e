/* SPDX-License-Identifier: MIT */
/*
 * collectors/api.h - the mark of public declarations above floor 1
 */

#ifndef COLLECTORS_API_H
#define COLLECTORS_API_H

#include "libpaths/status.h"

#define ES_API PATHS_API

#endif
