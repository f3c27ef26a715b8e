/* SPDX-License-Identifier: MIT */
/*
 * examples/borders.c - exchange of border rows between neighbouring slices
 */

#include "examples/borders.h"

#include <inttypes.h>

void
borders_open(struct borders *borders, const struct team_member *me)
{
	*borders = (struct borders){ .me = me };
	if (me->number > 0) {
		borders->write_up = team_open(me, "up.%" PRIu32, me->number);
		borders->read_above =
		    team_open(me, "down.%" PRIu32, me->number - 1);
	}
	if (me->number + 1 < me->count) {
		borders->write_down =
		    team_open(me, "down.%" PRIu32, me->number);
		borders->read_below =
		    team_open(me, "up.%" PRIu32, me->number + 1);
	}
}

static void
send(const struct borders *borders, struct paths_path *path, const void *row,
    uint32_t bytes)
{
	if (path != NULL)
		team_check(borders->me, path,
		    paths_path_write(path, row, bytes));
}

static void
receive(const struct borders *borders, struct paths_path *path, void *row,
    uint32_t bytes)
{
	if (path != NULL)
		team_check(borders->me, path,
		    paths_path_read(path, row, bytes));
}

void
borders_exchange(const struct borders *borders, const struct borders_rows *rows)
{
	send(borders, borders->write_up, rows->top, rows->bytes);
	send(borders, borders->write_down, rows->bottom, rows->bytes);
	receive(borders, borders->read_above, rows->above, rows->bytes);
	receive(borders, borders->read_below, rows->below, rows->bytes);
}
