/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/file_private.h - names the file that a calibration writes
 */

#ifndef SCOPES_CALIBRATE_FILE_PRIVATE_H
#define SCOPES_CALIBRATE_FILE_PRIVATE_H

#include "libpaths/status.h"

#include <limits.h>

/*
 * es__file_name - set the name of the file, and test that it can be written
 *
 * The test comes before time is spent on measurements.
 *
 * asked	NULL: the file is HOST-KIND.model
 *
 * Returns	PATHS_OK
 *		PATHS_EIO	it cannot be written
 */
paths_status es__file_name(const char *asked, const char *kind,
    char file[PATH_MAX]) PATHS_CHECKED;

#endif
