/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/path_roles.c - groups the sites of a run of paths that play the
 * same part in different threads
 */

#include "scopes/graph/path_roles_private.h"

#include "libpaths/log.h"

#include <stdbool.h>
#include <stdlib.h>

/* A site, to sort by names. */
struct role_site {
	const char *name;
	bool stage; /* else a path */
	uint32_t site;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns the next character of a name.  Each number in the name counts as one
   '0'. */
static char
name_next(const char **name)
{
	char c = **name;

	if (c == '\0')
		return c;
	++*name;
	if (!is_digit(c))
		return c;
	while (is_digit(**name))
		++*name;
	return '0';
}

/* Compares names; all numbers in them count as equal. */
static int
name_order(const char *a, const char *b)
{
	char one, other;

	do {
		one = name_next(&a);
		other = name_next(&b);
	} while (one == other && one != '\0');
	return (int)one - (int)other;
}

static int
site_order(const void *left, const void *right)
{
	const struct role_site *a = left, *b = right;
	int order = a->stage != b->stage ? (int)a->stage - (int)b->stage :
					   name_order(a->name, b->name);

	if (order != 0)
		return order;
	return a->site < b->site ? -1 : a->site > b->site;
}

/* Sets the role of sites with equal names to the first of them. */
static void
roles_share(struct es__path_roles *roles, struct role_site *sites, size_t count)
{
	size_t first = 0;

	for (size_t n = 0; n < count; n++)
		roles->of[n] = (uint32_t)n;
	qsort(sites, count, sizeof(*sites), site_order);
	for (size_t n = 0; n < count; n++) {
		if (sites[n].stage != sites[first].stage ||
		    name_order(sites[n].name, sites[first].name) != 0)
			first = n;
		roles->of[sites[n].site] = sites[first].site;
	}
}

static int
path_order(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	for (int n = 0; n < 3; n++)
		if (a[n] != b[n])
			return a[n] < b[n] ? -1 : 1;
	return 0;
}

/* Gives each path a role of its own if its thread has several paths of its
   role. */
static bool
roles_part(struct es__path_roles *roles, const struct paths_map *map)
{
	uint32_t count = map->path_count;
	uint32_t(*list)[3] = calloc((size_t)count + 1, sizeof(*list));

	if (list == NULL)
		return false;
	for (uint32_t p = 0; p < count; p++) {
		list[p][0] = map->paths[p].thread;
		list[p][1] = roles->of[p];
		list[p][2] = p;
	}
	if (count > 0)
		qsort(list, count, sizeof(*list), path_order);
	for (uint32_t n = 1; n < count; n++)
		if (list[n][0] == list[n - 1][0] &&
		    list[n][1] == list[n - 1][1]) {
			roles->of[list[n][2]] = list[n][2];
			roles->of[list[n - 1][2]] = list[n - 1][2];
		}
	free(list);
	return true;
}

paths_status
es__path_roles_init(struct es__path_roles *roles, const struct paths_map *map)
{
	size_t count = (size_t)map->path_count + map->instance_count;
	struct role_site *sites = calloc(count + 1, sizeof(*sites));
	bool done = false;

	roles->of = calloc(count + 1, sizeof(*roles->of));
	if (sites != NULL && roles->of != NULL) {
		for (uint32_t p = 0; p < map->path_count; p++)
			sites[p] =
			    (struct role_site){ map->paths[p].element_name,
				    false, p };
		for (uint32_t i = 0; i < map->instance_count; i++)
			sites[map->path_count + i] =
			    (struct role_site){ map->instances[i].name, true,
				    map->path_count + i };
		roles_share(roles, sites, count);
		for (uint32_t i = 0; i < map->instance_count; i++)
			if (map->instances[i].ops->flags & PATHS_STAGE_JOIN)
				roles->of[map->path_count + i] =
				    map->path_count + i;
		done = roles_part(roles, map);
	}
	free(sites);
	return done ? PATHS_OK :
		      paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
}

void
es__path_roles_fini(struct es__path_roles *roles)
{
	free(roles->of);
}

uint32_t
es__path_role(const void *roles, uint32_t thread, uint32_t site)
{
	(void)thread;
	return ((const struct es__path_roles *)roles)->of[site];
}
