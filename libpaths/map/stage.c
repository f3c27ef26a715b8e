/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/stage.c - the table of the kinds of stage
 *
 * The stages of stages.def are first, then those that programs and plugins
 * register, in the order of registration.  No stage is removed.  A plugin is
 * never unloaded, because the table refers to its memory.
 */

#include "libpaths/stage.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map/stage_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct paths_stage_ops *const stage_own[] = {
#define PATHS_STAGE(name) &paths__stage_##name,
#include "libpaths/stages.def"
#undef PATHS_STAGE
};
#define STAGE_OWN_COUNT (sizeof(stage_own) / sizeof(stage_own[0]))

static struct {
	pthread_mutex_t lock;
	const struct paths_stage_ops **more; /* registered, under the lock */
	size_t count;
	size_t room;
} stage_registry = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Returns the n-th stage; NULL past the last.  The registry is locked. */
static const struct paths_stage_ops *
stage_at(size_t n)
{
	if (n < STAGE_OWN_COUNT)
		return stage_own[n];
	n -= STAGE_OWN_COUNT;
	return n < stage_registry.count ? stage_registry.more[n] : NULL;
}

static const struct paths_stage_ops *
stage_named(const char *name)
{
	const struct paths_stage_ops *ops;

	for (size_t n = 0; (ops = stage_at(n)) != NULL; n++) {
		if (strcmp(ops->name, name) == 0)
			return ops;
	}
	return NULL;
}

static paths_status
stage_check(const struct paths_stage_ops *ops)
{
	if (ops == NULL)
		return paths_log_fail(PATHS_EINVAL, "no stage to register");
	if (ops->abi != PATHS_STAGE_ABI)
		return paths_log_fail(PATHS_EABI,
		    "a stage is made for stage interface %u, this is %u",
		    ops->abi, PATHS_STAGE_ABI);
	if (ops->name == NULL || ops->name[0] == '\0')
		return paths_log_fail(PATHS_EINVAL, "a stage has no name");
	if (ops->down == NULL)
		return paths_log_fail(PATHS_EINVAL, "stage %s has no down",
		    ops->name);
	return PATHS_OK;
}

/* Adds a stage; the registry is locked. */
static paths_status
stage_add(const struct paths_stage_ops *ops)
{
	const struct paths_stage_ops *known = stage_named(ops->name);

	if (known == ops)
		return PATHS_OK;
	if (known != NULL)
		return paths_log_fail(PATHS_EBUSY,
		    "there is another stage %s already", ops->name);
	if (!paths__array_grow(&stage_registry.more, stage_registry.count,
		&stage_registry.room, sizeof(stage_registry.more[0])))
		return paths_log_fail(PATHS_ENOMEM, "no memory for stage %s",
		    ops->name);
	stage_registry.more[stage_registry.count++] = ops;
	return PATHS_OK;
}

paths_status
paths_stage_register(const struct paths_stage_ops *ops)
{
	paths_status st = stage_check(ops);

	if (st != PATHS_OK)
		return st;
	pthread_mutex_lock(&stage_registry.lock);
	st = stage_add(ops);
	pthread_mutex_unlock(&stage_registry.lock);
	return st;
}

const struct paths_stage_ops *
paths_stage_find(const char *name)
{
	const struct paths_stage_ops *ops;

	pthread_mutex_lock(&stage_registry.lock);
	ops = stage_named(name);
	pthread_mutex_unlock(&stage_registry.lock);
	return ops;
}

const struct paths_stage_ops *
paths__stage_get_element(void)
{
	return &paths__stage_element;
}

const struct paths_stage_ops *
paths__stage_get_proxy(void)
{
	return &paths__stage_proxy;
}

const struct paths_stage_ops *
paths_stage_get(uint32_t n)
{
	const struct paths_stage_ops *ops;

	pthread_mutex_lock(&stage_registry.lock);
	ops = stage_at(n);
	pthread_mutex_unlock(&stage_registry.lock);
	return ops;
}

static paths_status
stage_check_plugin(const char *file, const struct paths_plugin *plugin)
{
	if (plugin->abi != PATHS_STAGE_ABI)
		return paths_log_fail(PATHS_EABI,
		    "plugin %s is made for stage interface %u, this is %u",
		    file, plugin->abi, PATHS_STAGE_ABI);
	if (plugin->stages == NULL)
		return paths_log_fail(PATHS_EINVAL, "plugin %s has no stages",
		    file);
	for (size_t n = 0; plugin->stages[n] != NULL; n++) {
		paths_status st = stage_check(plugin->stages[n]);

		if (st != PATHS_OK)
			return st;
	}
	return PATHS_OK;
}

paths_status
paths__stage_add_plugin(const char *file, const struct paths_plugin *plugin,
    bool *used)
{
	paths_status st = stage_check_plugin(file, plugin);

	*used = st == PATHS_OK;
	pthread_mutex_lock(&stage_registry.lock);
	for (size_t n = 0; st == PATHS_OK && plugin->stages[n] != NULL; n++)
		st = stage_add(plugin->stages[n]);
	pthread_mutex_unlock(&stage_registry.lock);
	return st;
}
