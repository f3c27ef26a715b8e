/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/tree_map_private.h - the default gather tree of a run
 */

#ifndef SCOPES_COMMAND_TREE_MAP_PRIVATE_H
#define SCOPES_COMMAND_TREE_MAP_PRIVATE_H

#include "libpaths/map.h"

#include <stdio.h>

/* Hosts of a tree, at most: the chains of a merge of merges. */
#define ES__TREE_HOSTS 1024

/* A host whose server is in RUN/servers. */
struct es__tree_host {
	char name[256], address[256];
	char why[128]; /* reason why it has no server; "": it has one */
	bool answers;
};

struct es__tree_hosts {
	struct es__tree_host *all;
	size_t count, room;
	char ports[16]; /* LOW-HIGH; "": any */
};

/* Reads RUN/servers.  A run without it has no hosts. */
paths_status es__tree_hosts_read(struct es__tree_hosts *hosts, const char *run)
    PATHS_CHECKED;

void es__tree_hosts_fini(struct es__tree_hosts *hosts);

/* Returns the number of hosts that answer. */
size_t es__tree_hosts_answer(const struct es__tree_hosts *hosts);

/* Prints the default tree: the spaces of each process, merged on its host, and
   the hosts merged on this one. */
paths_status es__tree_map_print(const struct es__tree_hosts *hosts,
    const char *run, FILE *to) PATHS_CHECKED;

#endif
