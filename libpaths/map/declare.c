/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/declare.c - declares the things that the lines of a path map
 * name
 *
 * Names are looked up later, in resolve.c, so the lines of a map may be in any
 * order.
 */

#include "libpaths/map/declare_private.h"

#include "libpaths/base/type_private.h"
#include "libpaths/log.h"
#include "libpaths/map/arena_private.h"
#include "libpaths/map/error_private.h"
#include "libpaths/map/listen_private.h"
#include "libpaths/map/name_private.h"
#include "libpaths/map/option_private.h"
#include "libpaths/map/plugin_private.h"
#include "libpaths/map/split_private.h"
#include "libpaths/map/unknown_private.h"
#include "libpaths/unit.h"

#include <string.h>

#define MAP_TEXT_(x) #x
#define MAP_TEXT(x) MAP_TEXT_(x)

enum { VERSION_NUMBER, VERSION_TRUST, VERSION_ENCRYPT, VERSION_SILENCE };
static const struct paths_option version_options[] = {
	{ .name = "version",
	    .about = "the version of the format",
	    .flags = PATHS_OPTION_REQUIRED },
	/* In the order of enum paths_map_trust. */
	{ .name = "-trust",
	    .kind = PATHS_OPTION_CHOICE,
	    .choices = "secret|network",
	    .default_text = "secret" },
	{ .name = "-encrypt",
	    .kind = PATHS_OPTION_CHOICE,
	    .choices = "no|yes",
	    .default_text = "no" },
	{ .name = "-silence",
	    .about = "a time, or off",
	    .default_text = PATHS_MAP_SILENCE_DEFAULT },
	{ .name = NULL },
};

static const struct paths_option plugin_options[] = {
	{ .name = "name",
	    .about = "the name of a shared object",
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = NULL },
};

enum { HOST_NAME, HOST_ADDRESS };
static const struct paths_option host_options[] = {
	{ .name = "name",
	    .about = "the name of the host",
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = "-address", .about = "a host name or an address" },
	{ .name = NULL },
};

static const struct paths_option process_options[] = {
	{ .name = "name",
	    .about = "the name of the process",
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = "-host",
	    .about = "the name of a host",
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = "-listen", .about = "a list of endpoints" },
	{ .name = "-space",
	    .kind = PATHS_OPTION_BYTES,
	    .about = "limit for the rings of its collectors" },
	{ .name = NULL },
};

static const struct paths_option thread_options[] = {
	{ .name = "name",
	    .about = "the name of the thread",
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = "-process",
	    .about = "the name of a process",
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = "-core", .kind = PATHS_OPTION_COUNT },
	{ .name = NULL },
};

static const struct paths_option element_options[] = {
	{ .name = "name",
	    .about = "the name of the element",
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = "-process",
	    .about = "the name of a process",
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = "-type",
	    .kind = PATHS_OPTION_TYPE,
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = "-keep",
	    .kind = PATHS_OPTION_COUNT,
	    .default_text = MAP_TEXT(PATHS_MAP_KEEP_DEFAULT) },
	/* In the order of enum paths_map_full. */
	{ .name = "-full",
	    .kind = PATHS_OPTION_CHOICE,
	    .choices = "block|discard|fail",
	    .default_text = "block" },
	/* In the order of enum paths_map_take. */
	{ .name = "-take",
	    .kind = PATHS_OPTION_CHOICE,
	    .choices = "each|one",
	    .default_text = "each" },
	{ .name = NULL },
};

static const struct paths_option stage_options[] = {
	[PATHS__STAGE_NAME] = { .name = "name",
	    .about = "the name of the stage",
	    .flags = PATHS_OPTION_REQUIRED },
	[PATHS__STAGE_KIND] = { .name = "kind",
	    .about = "a kind of stage",
	    .flags = PATHS_OPTION_REQUIRED },
	[PATHS__STAGE_PROCESS] = { .name = "-process",
	    .about = "the name of a process",
	    .flags = PATHS_OPTION_REQUIRED },
	[PATHS__STAGE_INPUTS] = { .name = "-inputs",
	    .kind = PATHS_OPTION_COUNT,
	    .flags = PATHS_OPTION_REQUIRED },
	[PATHS__STAGE_NEXT] = { .name = "-next",
	    .kind = PATHS_OPTION_CHAIN,
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = NULL },
};

static const struct paths_option path_options[] = {
	[PATHS__PATH_THREAD] = { .name = "thread",
	    .about = "the name of a thread",
	    .flags = PATHS_OPTION_REQUIRED },
	[PATHS__PATH_ELEMENT] = { .name = "element",
	    .about = "the name of an element",
	    .flags = PATHS_OPTION_REQUIRED },
	[PATHS__PATH_CHAIN] = { .name = "chain",
	    .kind = PATHS_OPTION_CHAIN,
	    .flags = PATHS_OPTION_REQUIRED },
	/* In the order of enum paths_map_use. */
	[PATHS__PATH_USE] = { .name = "-use",
	    .kind = PATHS_OPTION_CHOICE,
	    .choices = "any|read|write|exchange",
	    .default_text = "any" },
	{ .name = NULL },
};

static const struct paths_option *const declare_options[PATHS__MAP_KINDS] = {
	[PATHS__MAP_VERSION] = version_options,
	[PATHS__MAP_PLUGIN] = plugin_options,
	[PATHS__MAP_HOST] = host_options,
	[PATHS__MAP_PROCESS] = process_options,
	[PATHS__MAP_THREAD] = thread_options,
	[PATHS__MAP_ELEMENT] = element_options,
	[PATHS__MAP_STAGE] = stage_options,
	[PATHS__MAP_PATH] = path_options,
};

/* Groups the lines by kind, and allocates the arrays of the map. */
static paths_status
declare_room(struct paths__map *m)
{
	struct paths__map_line **by;
	uint32_t *count = m->counts;

	for (uint32_t n = 0; n < m->line_count; n++)
		m->lines[n].index = count[m->lines[n].kind]++;
	by = paths__arena_take(&m->arena,
	    m->line_count * sizeof(struct paths__map_line *));
	if (by == NULL)
		return paths__error_nomem(m);
	for (int kind = 0; kind < PATHS__MAP_KINDS; kind++) {
		m->by[kind] = by;
		by += count[kind];
	}
	for (uint32_t n = 0; n < m->line_count; n++)
		m->by[m->lines[n].kind][m->lines[n].index] = &m->lines[n];
#define ROOM(array, kind) \
	(m->map.array = paths__arena_take(&m->arena, \
	     count[kind] * sizeof(m->map.array[0])))
	if (ROOM(plugins, PATHS__MAP_PLUGIN) == NULL ||
	    ROOM(hosts, PATHS__MAP_HOST) == NULL ||
	    ROOM(processes, PATHS__MAP_PROCESS) == NULL ||
	    ROOM(threads, PATHS__MAP_THREAD) == NULL ||
	    ROOM(elements, PATHS__MAP_ELEMENT) == NULL ||
	    ROOM(paths, PATHS__MAP_PATH) == NULL)
		return paths__error_nomem(m);
#undef ROOM
	m->map.plugin_count = count[PATHS__MAP_PLUGIN];
	m->map.host_count = count[PATHS__MAP_HOST];
	m->map.process_count = count[PATHS__MAP_PROCESS];
	m->map.thread_count = count[PATHS__MAP_THREAD];
	m->map.element_count = count[PATHS__MAP_ELEMENT];
	m->map.path_count = count[PATHS__MAP_PATH];
	return PATHS_OK;
}

/* Reads the words of a line behind the first. */
static paths_status
declare_read(struct paths__map *m, struct paths__map_line *line)
{
	const struct paths__words *words = &line->words;
	const struct paths_option *options[2] = { declare_options[line->kind],
		line->ops == NULL ? NULL : line->ops->options };
	struct paths_map_value *values[2];
	struct paths__given given = { .line = line->number,
		.who = words->word[0] };
	struct paths__words common = *words;
	paths_status st = PATHS_OK;

	if (words->count > 1 && words->word[1][0] != '-' &&
	    line->kind != PATHS__MAP_PATH && line->kind != PATHS__MAP_VERSION)
		given.who = words->word[1];
	if (line->ops != NULL && (line->ops->flags & PATHS_STAGE_UNKNOWN) != 0)
		st = paths__unknown_words(m, words, &common);
	given.words.count = common.count - 1;
	given.words.word = common.word + 1;
	if (st == PATHS_OK)
		st = paths__option_read(m, &given, options, values);
	line->values = values[0];
	line->own = values[1];
	return st;
}

static paths_status
declare_name(struct paths__map *m, const struct paths__map_line *line,
    const char **name)
{
	struct paths__name entry = { line->kind, 0, line->values[0].text,
		line->index, line->number };

	if (!paths__type_is_word(entry.name, PATHS_MAP_NAME_BYTES_MAX))
		return paths__error_syntax(m, line->number, entry.name,
		    "expected a name: 1 to %d of A-Z a-z 0-9 . _ -, no - first",
		    PATHS_MAP_NAME_BYTES_MAX);
	*name = entry.name;
	return paths__name_add(m, &entry);
}

/* Reads the limit of -silence. */
static paths_status
declare_silence(struct paths__map *m, uint32_t line, const char *text)
{
	if (strcmp(text, "off") == 0)
		return PATHS_OK;
	if (paths_unit_parse(PATHS_UNIT_TIME, text, PATHS_MAP_SILENCE_NS_MIN,
		PATHS_MAP_SILENCE_NS_MAX, &m->map.silence_ns) != PATHS_OK)
		return paths__error_syntax(m, line, text,
		    "expected off, or a time from 100ms to 1h for -silence");
	return PATHS_OK;
}

static paths_status
declare_version(struct paths__map *m, struct paths__map_line *line)
{
	const struct paths_map_value *values = line->values;
	const char *version = values[VERSION_NUMBER].text;

	if (strcmp(version, "1") != 0)
		return paths__error_syntax(m, line->number, version,
		    "expected version 1 of the format");
	m->map.trust = (enum paths_map_trust)values[VERSION_TRUST].number;
	m->map.encrypt = values[VERSION_ENCRYPT].number != 0;
	if (m->map.encrypt && m->map.trust == PATHS_MAP_TRUST_NETWORK)
		return paths__error_syntax(m, line->number, "-encrypt",
		    "expected -trust secret with it");
	return declare_silence(m, line->number, values[VERSION_SILENCE].text);
}

static paths_status
declare_plugin(struct paths__map *m, struct paths__map_line *line)
{
	const char *value = line->values[0].text;
	char why[PATHS_LOG_BYTES];
	bool loaded = true;
	paths_status st = m->reading ?
	    paths__plugin_read(value, m->reader.plugins, &loaded) :
	    paths__plugin_load(value);

	m->map.plugins[line->index] = value;
	m->map.unloaded_count += !loaded;
	if (st == PATHS_OK || st == PATHS_ENOMEM)
		return st;
	strcpy(why, paths_log_last());
	return paths__error_syntax(m, line->number, value,
	    "expected a plugin: %s", why);
}

static paths_status
declare_host(struct paths__map *m, struct paths__map_line *line)
{
	struct paths_map_host *host = &m->map.hosts[line->index];

	host->address = line->values[HOST_ADDRESS].text;
	if (host->address != NULL && !paths__listen_is_address(host->address))
		return paths__error_syntax(m, line->number, host->address,
		    "expected a host name or an address for -address");
	return declare_name(m, line, &host->name);
}

static paths_status
declare_process(struct paths__map *m, struct paths__map_line *line)
{
	struct paths_map_process *process = &m->map.processes[line->index];
	const char *listen = line->values[PATHS__PROCESS_LISTEN].text;
	const struct paths_map_value *space =
	    &line->values[PATHS__PROCESS_SPACE];
	struct paths__words ends = { 0, NULL };
	paths_status st = declare_name(m, line, &process->name);

	process->text_at = line->text_at;
	process->text_bytes = line->text_bytes;
	if (st == PATHS_OK && listen != NULL)
		st = paths__split_list(m, line->number, listen, &ends);
	if (st != PATHS_OK)
		return st;
	if (ends.count > PATHS_MAP_LISTEN_MAX)
		return paths__error_syntax(m, line->number,
		    ends.word[PATHS_MAP_LISTEN_MAX],
		    "expected at most %d endpoints", PATHS_MAP_LISTEN_MAX);
	for (uint32_t n = 0; st == PATHS_OK && n < ends.count; n++)
		st = paths__listen_parse(m, line->number, ends.word[n],
		    &process->listen[n]);
	process->listen_count = ends.count;
	process->space = space->number;
	if (st == PATHS_OK && space->text != NULL && space->number == 0)
		st = paths__error_syntax(m, line->number, space->text,
		    "expected at least one byte for -space");
	return st;
}

static paths_status
declare_thread(struct paths__map *m, struct paths__map_line *line)
{
	struct paths_map_thread *thread = &m->map.threads[line->index];
	const struct paths_map_value *core = &line->values[PATHS__THREAD_CORE];

	if (core->number > INT32_MAX)
		return paths__error_syntax(m, line->number, core->text,
		    "expected a core from 0 to %d for -core", INT32_MAX);
	thread->core = core->text == NULL ? -1 : (int32_t)core->number;
	return declare_name(m, line, &thread->name);
}

static paths_status
declare_element(struct paths__map *m, struct paths__map_line *line)
{
	struct paths_map_element *element = &m->map.elements[line->index];
	const struct paths_map_value *values = line->values;

	element->type = values[PATHS__ELEMENT_TYPE].type;
	element->keep = values[PATHS__ELEMENT_KEEP].number;
	element->full = (enum paths_map_full)values[PATHS__ELEMENT_FULL].number;
	element->take = (enum paths_map_take)values[PATHS__ELEMENT_TAKE].number;
	element->instance = line->index;
	if (element->keep == 0 || element->keep > UINT32_MAX)
		return paths__error_syntax(m, line->number,
		    values[PATHS__ELEMENT_KEEP].text,
		    "expected from 1 to %u tuples for -keep", UINT32_MAX);
	return declare_name(m, line, &element->name);
}

/* Finds the kind of a stage line, which decides on the options of the line. */
static paths_status
declare_kind(struct paths__map *m, struct paths__map_line *line)
{
	const char *kind;
	paths_status st = PATHS_OK;

	if (line->words.count < 3)
		return paths__error_syntax(m, line->number, "stage",
		    "expected stage NAME KIND");
	kind = line->words.word[2];
	line->ops = paths_stage_find(kind);
	if (line->ops == NULL)
		st = paths__unknown_stage(m, line->number, kind,
		    PATHS_STAGE_JOIN, &line->ops);
	if (st != PATHS_OK)
		return st;
	if (line->ops == NULL)
		return paths__error_syntax(m, line->number, kind,
		    "expected a kind of stage");
	if ((line->ops->flags & PATHS_STAGE_JOIN) == 0)
		return paths__error_syntax(m, line->number, kind,
		    "expected a kind of stage that joins chains");
	return PATHS_OK;
}

static paths_status
declare_stage(struct paths__map *m, struct paths__map_line *line)
{
	const struct paths_map_value *inputs =
	    &line->values[PATHS__STAGE_INPUTS];
	const char *name = line->values[PATHS__STAGE_NAME].text;

	if (inputs->number == 0 || inputs->number > PATHS__MAP_ITEMS_MAX)
		return paths__error_syntax(m, line->number, inputs->text,
		    "expected from 1 to %u chains for -inputs",
		    PATHS__MAP_ITEMS_MAX);
	if (paths_stage_find(name) != NULL)
		return paths__error_syntax(m, line->number, name,
		    "expected a name that is no kind of stage");
	return declare_name(m, line, &name);
}

static paths_status
declare_path(struct paths__map *m, struct paths__map_line *line)
{
	struct paths_map_path *path = &m->map.paths[line->index];
	const char *element = line->values[PATHS__PATH_ELEMENT].text;

	path->element_name = element;
	path->use = (enum paths_map_use)line->values[PATHS__PATH_USE].number;
	if (!paths__type_is_word(element, PATHS_MAP_NAME_BYTES_MAX))
		return paths__error_syntax(m, line->number, element,
		    "expected the name of an element");
	return PATHS_OK;
}

typedef paths_status declare_line(struct paths__map *m,
    struct paths__map_line *line);

static declare_line *const declare[PATHS__MAP_KINDS] = {
	[PATHS__MAP_VERSION] = declare_version,
	[PATHS__MAP_PLUGIN] = declare_plugin,
	[PATHS__MAP_HOST] = declare_host,
	[PATHS__MAP_PROCESS] = declare_process,
	[PATHS__MAP_THREAD] = declare_thread,
	[PATHS__MAP_ELEMENT] = declare_element,
	[PATHS__MAP_STAGE] = declare_stage,
	[PATHS__MAP_PATH] = declare_path,
};

static paths_status
declare_one(struct paths__map *m, struct paths__map_line *line)
{
	paths_status st = PATHS_OK;

	if (line->kind == PATHS__MAP_STAGE)
		st = declare_kind(m, line);
	if (st == PATHS_OK)
		st = declare_read(m, line);
	if (st == PATHS_OK)
		st = declare[line->kind](m, line);
	return st;
}

paths_status
paths__declare_lines(struct paths__map *m)
{
	paths_status st = declare_room(m);

	/* Plugins are first: they add kinds of stages and types. */
	for (uint32_t n = 0; st == PATHS_OK && n < m->map.plugin_count; n++)
		st = declare_one(m, m->by[PATHS__MAP_PLUGIN][n]);
	for (uint32_t n = 0; st == PATHS_OK && n < m->line_count; n++) {
		if (m->lines[n].kind != PATHS__MAP_PLUGIN)
			st = declare_one(m, &m->lines[n]);
	}
	return st;
}
