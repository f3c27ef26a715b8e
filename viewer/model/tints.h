/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/tints.h - texts for the classes of scopes/colour.h
 */

#ifndef VIEWER_MODEL_TINTS_H
#define VIEWER_MODEL_TINTS_H

#include "viewer/model/model.h"

#define ESV_TINT_TEXT_BYTES 96u

/* The texts of the classes of a colour. */
struct esv_tint_texts {
	char text[ES_COLOUR_CLASSES][ESV_TINT_TEXT_BYTES];
};

/*
 * esv_tints_read - make texts for the classes of a colour
 *
 * A class of several call sites has the name of the first one, and the number
 * of others: "exchange, halo.c:30 +2".
 *
 * texts	out
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EDAMAGED
 */
paths_status esv_tints_read(struct esv_model *model, enum es_colour colour,
    struct esv_tint_texts *texts) PATHS_CHECKED;

#endif
