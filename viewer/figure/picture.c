/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/picture.c - pictures without cairo: why there are none
 */

#include "viewer/figure/picture.h"

#include "libpaths/log.h"

#include <string.h>

static paths_status
picture_none(void)
{
	return paths_log_fail(PATHS_ENOENT,
	    "built without cairo, which draws pictures; --report works");
}

paths_status
esv_picture_check(const char *file)
{
	(void)file;
	return picture_none();
}

paths_status
esv_picture_write(const struct esv_figure *figure,
    const struct esv_theme *theme, double scale, const char *file)
{
	(void)figure;
	(void)theme;
	(void)scale;
	(void)file;
	return picture_none();
}
