/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_proxies.c - prints the operations of a run through
 * proxies under a model
 */

#include "scopes/command/model_proxies.h"

#include "scopes/model/proxy_words_private.h"
#include "scopes/show/table_private.h"

#include "libpaths/map.h"
#include "libpaths/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char *const proxy_names[] = { "stage", "path", "from", "to",
	"locality", "operations", "bytes", "measured_ns", "latency_ns",
	"bandwidth_ns", "queue_ns", "unexplained_ns", "dominant" };
/* For people, who read units. */
static const char *const proxy_texts[] = { "stage", "path", "from", "to",
	"locality", "operations", "bytes", "measured", "latency", "bandwidth",
	"queue", "unexplained", "dominant" };
#define PROXY_COLUMNS (sizeof(proxy_names) / sizeof(*proxy_names))
#define PROXY_TIMES 5

/* Returns the name of the thread and element of a path. */
static struct es_value
proxy_path(const struct paths_map *map, uint32_t path, char text[], size_t room)
{
	if (path == PATHS_NONE)
		return ES_NIL;
	snprintf(text, room, "%s %s",
	    map->threads[map->paths[path].thread].name,
	    map->paths[path].element_name);
	return ES_STR(text);
}

static paths_status
proxy_row(const struct es_command_model_proxies *report,
    struct es__table *table, const struct es_model_proxy *proxy)
{
	const struct paths_map *map = report->map;
	char name[2 * PATHS_MAP_NAME_BYTES_MAX + 2];
	char texts[PROXY_TIMES][PATHS_UNIT_TEXT_BYTES];
	struct es_value times[PROXY_TIMES];
	double parts[ES_MODEL_PARTS], seconds[PROXY_TIMES];
	enum es_model_part dominant = es_model_proxy_parts(proxy, parts);

	seconds[0] = proxy->measured_s;
	seconds[1] = parts[ES_MODEL_LATENCY];
	seconds[2] = parts[ES_MODEL_BANDWIDTH];
	seconds[3] = parts[ES_MODEL_QUEUE];
	seconds[4] = parts[ES_MODEL_UNEXPLAINED];
	for (unsigned n = 0; n < PROXY_TIMES; n++)
		times[n] = report->form == ES_SHOW_TEXT ?
		    ES_STR(paths_unit_text(PATHS_UNIT_TIME,
			es_model_ns(seconds[n]), texts[n])) :
		    ES_NUM(es_model_ns(seconds[n]));
	return es__table_row(table,
	    (struct es_value[PROXY_COLUMNS]){
		ES_STR(map->instances[proxy->stage].name),
		proxy_path(map, proxy->path, name, sizeof(name)),
		ES_STR(map->processes[proxy->from].name),
		ES_STR(map->processes[proxy->to].name),
		ES_STR(report->model->localities[proxy->locality].name),
		ES_INT((int64_t)proxy->operations),
		ES_INT((int64_t)proxy->bytes), times[0], times[1], times[2],
		times[3], times[4], ES_STR(es_model_part_name(dominant)) });
}

static paths_status
proxy_rows(const struct es_command_model_proxies *report)
{
	const char *const *names =
	    report->form == ES_SHOW_TEXT ? proxy_texts : proxy_names;
	struct es__table *table;
	paths_status st =
	    es__table_open(stdout, report->form, PROXY_COLUMNS, &table);

	if (st != PATHS_OK)
		return st;
	for (unsigned n = 0; st == PATHS_OK && n < PROXY_COLUMNS; n++)
		st = es__table_name(table, n, names[n]);
	for (size_t n = 0; st == PATHS_OK && n < report->proxies->count; n++)
		if (report->proxies->list[n].operations > 0)
			st =
			    proxy_row(report, table, &report->proxies->list[n]);
	if (st == PATHS_OK)
		return es__table_close(table);
	es__table_cancel(table);
	return st;
}

/* Prints what the costs stand on. */
static void
proxy_grounds(const struct es_command_model_proxies *report)
{
	const struct es_model_proxies *proxies = report->proxies;
	uint64_t operations = 0, misplaced = 0, used = 0;

	for (size_t n = 0; n < proxies->count; n++) {
		const struct es_model_proxy *proxy = &proxies->list[n];

		operations += proxy->operations;
		used += proxy->operations > 0;
		if (!proxy->placed)
			misplaced += proxy->operations;
	}
	printf(ES__PROXY_COMPARED "\n", operations, used,
	    used == 1 ? "y" : "ies");
	if (proxies->hidden > 0)
		printf(ES__PROXY_HIDDEN ".\n", proxies->hidden,
		    proxies->hidden == 1 ? "y is" : "ies are");
	if (misplaced > 0)
		printf(ES__PROXY_MISPLACED "\n", misplaced);
}

/* Prints the proxy whose time differs most from its model. */
static void
proxy_deviation(const struct es_command_model_proxies *report)
{
	const struct paths_map *map = report->map;
	const struct es_model_proxy *most = NULL;
	char texts[2][PATHS_UNIT_TEXT_BYTES];
	double parts[ES_MODEL_PARTS], largest = -1;
	enum es_model_part dominant;

	for (size_t n = 0; n < report->proxies->count; n++) {
		const struct es_model_proxy *proxy = &report->proxies->list[n];
		double off =
		    fabs(proxy->measured_s - es_model_total(proxy->cost));

		if (proxy->operations > 0 && off > largest) {
			largest = off;
			most = proxy;
		}
	}
	if (most == NULL)
		return;
	dominant = es_model_proxy_parts(most, parts);
	printf(ES__PROXY_DEVIATES "\n", map->instances[most->stage].name,
	    map->processes[most->from].name, map->processes[most->to].name,
	    most->operations,
	    paths_unit_text(PATHS_UNIT_TIME, es_model_ns(most->measured_s),
		texts[0]),
	    paths_unit_text(PATHS_UNIT_TIME,
		es_model_ns(es_model_total(most->cost)), texts[1]),
	    es_model_part_name(dominant));
}

paths_status
es_command_model_proxies(const struct es_command_model_proxies *report)
{
	if (report->form == ES_SHOW_TEXT) {
		proxy_grounds(report);
		proxy_deviation(report);
		putchar('\n');
	}
	return proxy_rows(report);
}
