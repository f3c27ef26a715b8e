/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/placement.h - the placement of a run, found once
 */

#ifndef VIEWER_PLOT_PLACEMENT_H
#define VIEWER_PLOT_PLACEMENT_H

#include "viewer/model/model.h"

#include "scopes/placement/picture.h"

/*
 * Returns the reason why a run has no placement; NULL: its cores are known.
 * The reason is valid as long as the model.
 */
const char *esv__placement_lacks(struct esv_model *model);

/*
 * Returns the placement of a run, which the model keeps; NULL: there is none,
 * and *why tells the reason.
 */
const struct es_place_picture *esv__placement_get(struct esv_model *model,
    enum es_place_picture_cost cost, const char **why);

#endif
