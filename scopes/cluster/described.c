/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/described.c - hosts that a text describes
 */

#include "scopes/cluster/described_private.h"

#include "libpaths/base/utf8.h"
#include "libpaths/log.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most hosts and PUs that a text may ask for. */
#define DESCRIBED_MAX (1u << 20)
#define DESCRIBED_LEVELS 12u

/* Numbers with ':' between them. */
struct numbers {
	uint32_t n[DESCRIBED_LEVELS];
	uint32_t count;
};

bool
es__described_is_arity(const char *text)
{
	return isdigit((unsigned char)text[0]) &&
	    text[strspn(text, "0123456789:")] == 0;
}

/* Reads numbers from 1 on, whose product is not too large. */
static paths_status
numbers_read(const char *text, struct numbers *numbers)
{
	uint64_t product = 1;
	const char *at = text;

	numbers->count = 0;
	for (;; at++) {
		uint64_t value = 0;
		char *end;

		if (!isdigit((unsigned char)*at) ||
		    numbers->count == DESCRIBED_LEVELS)
			break;
		value = strtoull(at, &end, 10);
		if (value == 0 || value > DESCRIBED_MAX)
			break;
		product *= value;
		if (product > DESCRIBED_MAX)
			return paths_log_fail(PATHS_ERANGE,
			    "%s: more than %u cores", text, DESCRIBED_MAX);
		numbers->n[numbers->count++] = (uint32_t)value;
		at = end;
		if (*at == 0)
			return PATHS_OK;
		if (*at != ':')
			break;
	}
	return paths_log_fail(PATHS_ESYNTAX,
	    "%s: expected numbers with : between them", text);
}

/* Makes the topology of a host of symmetric packages. */
static paths_status
host_make(uint32_t packages, uint32_t cores, struct paths_topology *topology)
{
	uint32_t count = packages * cores;

	*topology = (struct paths_topology){ .pus = calloc(count,
						 sizeof(*topology->pus)),
		.count = count };
	if (topology->pus == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for hosts");
	for (uint32_t n = 0; n < count; n++)
		topology->pus[n] = (struct paths_topology_pu){
			.package = n / cores,
			.numa = n / cores,
			.cache = n / cores,
			.core = n,
			.kernel = n,
			.allowed = true,
		};
	return PATHS_OK;
}

/* Writes the switches above a host, as "1/0". */
static void
switches_write(const uint32_t *arity, uint32_t levels, uint32_t host,
    char text[PATH_MAX])
{
	uint32_t below = 1;
	size_t at = 0;

	for (uint32_t n = 0; n < levels; n++)
		below *= arity[n];
	text[0] = 0;
	/* The numbers of hosts below the last switch are not in arity. */
	for (uint32_t n = 0; n < levels; n++) {
		below /= arity[n];
		at += (size_t)snprintf(text + at, PATH_MAX - at, "%s%u",
		    n == 0 ? "" : "/", host / below % arity[n]);
	}
}

paths_status
es__described_synthetic(struct es__cluster *cluster, const char *arity)
{
	struct numbers numbers;
	uint32_t last, packages, hosts, above = 1;
	paths_status st = numbers_read(arity, &numbers);

	if (st != PATHS_OK)
		return st;
	last = numbers.count - 1;
	packages = last >= 2 ? numbers.n[last - 1] : 1;
	hosts = last >= 2 ? numbers.n[last - 2] : last == 1 ? numbers.n[0] : 1;
	for (uint32_t n = 0; n + 3 <= last; n++)
		above *= numbers.n[n];
	for (uint32_t n = 0; st == PATHS_OK && n < above * hosts; n++) {
		struct paths_topology topology;
		char name[32], switches[PATH_MAX];

		snprintf(name, sizeof(name), "node%u", n);
		switches_write(numbers.n, last >= 3 ? last - 2 : 0, n / hosts,
		    switches);
		st = host_make(packages, numbers.n[last], &topology);
		if (st == PATHS_OK)
			st =
			    es__cluster_add(cluster, name, &topology, switches);
	}
	return st;
}

paths_status
es__described_switches(struct es__cluster *cluster, const char *arity)
{
	struct numbers numbers;
	uint64_t room = 1;
	paths_status st = numbers_read(arity, &numbers);

	if (st != PATHS_OK)
		return st;
	for (uint32_t n = 0; n < numbers.count; n++)
		room *= numbers.n[n];
	if (room < cluster->count)
		return paths_log_fail(PATHS_ERANGE,
		    "%s: room for %llu hosts, and there are %zu", arity,
		    (unsigned long long)room, cluster->count);
	if (es__cluster_switches(cluster) > 0)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: the hosts have switches already", arity);
	for (size_t n = 0; n < cluster->count; n++) {
		char switches[PATH_MAX];
		char *copy;

		switches_write(numbers.n, numbers.count - 1,
		    (uint32_t)n / numbers.n[numbers.count - 1], switches);
		copy = strdup(switches);
		if (copy == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for hosts");
		free(cluster->hosts[n].switches);
		cluster->hosts[n].switches = copy;
	}
	return PATHS_OK;
}

/* A line of a description. */
struct line {
	const char *file;
	unsigned number;
	char *words[4]; /* of a host, and NULL */
};

/* Makes the topology that the third word of a line describes. */
static paths_status
line_topology(const struct line *line, struct paths_topology *topology)
{
	const char *what = line->words[2];
	const char *slash = strrchr(line->file, '/');
	int folder =
	    slash == NULL || what[0] == '/' ? 0 : (int)(slash - line->file) + 1;
	char file[PATH_MAX];
	struct numbers numbers;
	paths_status st;

	if (!es__described_is_arity(what)) {
		snprintf(file, sizeof(file), "%.*s%s", folder, line->file,
		    what);
		return paths_topology_read(file, topology);
	}
	st = numbers_read(what, &numbers);
	if (st == PATHS_OK && numbers.count > 2)
		st = paths_log_fail(PATHS_ESYNTAX,
		    "%s:%u: %s: expected CORES or PACKAGES:CORES", line->file,
		    line->number, what);
	if (st != PATHS_OK)
		return st;
	return numbers.count == 1 ?
	    host_make(1, numbers.n[0], topology) :
	    host_make(numbers.n[0], numbers.n[1], topology);
}

/* Returns whether a name has only characters that a terminal can show: rank
   files are written to it. */
static bool
name_is_shown(const char *name)
{
	for (unsigned bytes; *name != 0; name += bytes) {
		bytes = paths_utf8_shown(name);
		if (bytes == 0)
			return false;
	}
	return true;
}

static paths_status
line_take(struct es__cluster *cluster, struct line *line, char *text)
{
	struct paths_topology topology = { 0 };
	char *rest = NULL, *word;
	size_t count = 0;
	paths_status st;

	text[strcspn(text, "#\n")] = 0;
	for (word = strtok_r(text, " \t\r", &rest); word != NULL;
	     word = strtok_r(NULL, " \t\r", &rest)) {
		if (count < 4)
			line->words[count] = word;
		count++;
	}
	if (count == 0)
		return PATHS_OK;
	if (count < 3 || count > 4 || strcmp(line->words[0], "host") != 0)
		return paths_log_fail(PATHS_ESYNTAX,
		    "%s:%u: expected host NAME TOPOLOGY ?SWITCHES?", line->file,
		    line->number);
	if (!name_is_shown(line->words[1]))
		return paths_log_fail(PATHS_ESYNTAX,
		    "%s:%u: the name of a host has characters that cannot be "
		    "shown",
		    line->file, line->number);
	if (es__cluster_find(cluster, line->words[1]) < cluster->count)
		return paths_log_fail(PATHS_EINVAL,
		    "%s:%u: host %s is there twice", line->file, line->number,
		    line->words[1]);
	st = line_topology(line, &topology);
	return st == PATHS_OK ?
	    es__cluster_add(cluster, line->words[1], &topology,
		count == 4 ? line->words[3] : "") :
	    st;
}

paths_status
es__described_read(struct es__cluster *cluster, const char *file)
{
	FILE *from = fopen(file, "re");
	struct line line = { .file = file };
	char *text = NULL;
	size_t room = 0;
	paths_status st = PATHS_OK;

	if (from == NULL)
		return paths_log_fail(errno == ENOENT ? PATHS_ENOENT :
							PATHS_EIO,
		    "%s: %s", file, strerror(errno));
	while (st == PATHS_OK && getline(&text, &room, from) >= 0) {
		line.number++;
		st = line_take(cluster, &line, text);
	}
	if (st == PATHS_OK && ferror(from))
		st = paths_log_fail(PATHS_EIO, "%s: %s", file, strerror(errno));
	if (st == PATHS_OK && cluster->count == 0)
		st = paths_log_fail(PATHS_ESYNTAX, "%s: has no host", file);
	free(text);
	fclose(from);
	return st;
}
