/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/relabel_private.h - finds an equally good placement in which
 * fewer processes move
 */

#ifndef SCOPES_PLACE_RELABEL_PRIVATE_H
#define SCOPES_PLACE_RELABEL_PRIVATE_H

#include "scopes/place/machine_private.h"

/*
 * es__relabel - exchange groups of the same shape, so that fewer processes move
 *
 * Two groups have the same shape if their parts can be paired so that the two
 * parts of each pair have the same shape.  Exchanging such groups changes no
 * distance.  Groups are paired greedily from the bottom of the tree up, first
 * the pairs in which most processes can stay.  So more processes might be able
 * to stay than the result has.
 *
 * count	number of processes
 * current	present place of each process
 * places	in and out: place of each process
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__relabel(const struct es_machine *m, uint32_t count,
    const uint32_t *current, uint32_t *places) PATHS_CHECKED;

#endif
