/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/overload.c - sentences about a machine that was overloaded
 */

#include "scopes/show/overload.h"

#include "scopes/finding.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

static paths_status
overload_take(void *to, const struct es_finding *finding)
{
	struct es_overload *overload = to;
	char **text;

	/* The others of the view are about waits. */
	if (strcmp(finding->chart, "load_balance") != 0)
		return PATHS_OK;
	text = finding->kind[0] == '\0' ? &overload->load : &overload->most;
	if (*text != NULL)
		return PATHS_OK;
	*text = strdup(finding->text);
	return *text != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for sentences");
}

paths_status
es_overload_read(struct es_store *store, struct es_overload *overload)
{
	*overload = (struct es_overload){ 0 };
	return es_finding_each(store, "cpu_time", overload_take, overload);
}

void
es_overload_fini(struct es_overload *overload)
{
	free(overload->load);
	free(overload->most);
}
