/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/image.h - images as rectangles, for formats without pixels
 */

#ifndef VIEWER_FIGURE_IMAGE_H
#define VIEWER_FIGURE_IMAGE_H

#include "viewer/figure/figure.h"

/*
 * esv_image_rects - call back for each rectangle of an image
 *
 * Adjacent equal pixels of a row are one rectangle.
 *
 * image	of kind ESV_SHAPE_IMAGE
 */
void esv_image_rects(const struct esv_shape *image,
    void (*draw)(const void *to, const struct esv_shape *rect), const void *to);

#endif
