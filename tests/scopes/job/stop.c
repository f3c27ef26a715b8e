/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/job/stop.c - a plugin with a view that stops one rank of a job
 *
 * STOP is killed or failed: what happens to rank 1 when it computes the view.
 */

#include "scopes/analysis.h"
#include "scopes/job.h"
#include "scopes/plugin.h"

#include "libpaths/log.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const struct es_column columns[] = {
	{ "rank", ES_INTEGER, .about = "rank that wrote the row" },
};

static const struct es_table tables[] = {
	{ .name = "stop",
	    .about = "stop of a rank",
	    ES_COLUMNS(columns),
	    .key = "rank" },
};

static paths_status
stop_compute(struct es_analysis *analysis, struct es_sink *sink)
{
	const char *how = getenv("STOP");

	(void)analysis;
	if (how != NULL && es_job_rank() == 1) {
		if (strcmp(how, "killed") == 0)
			raise(SIGKILL);
		return paths_log_fail(PATHS_EIO, "rank 1 is stopped");
	}
	return sink->row(sink, &tables[0],
	    (struct es_value[]){ ES_INT(es_job_rank()) });
}

static const struct es_view stop_view = {
	.name = "stop",
	.about = "stops a rank",
	.question = "Does a rank stop?",
	.tables = tables,
	.table_count = 1,
	.compute = stop_compute,
};

static const struct es_view *const views[] = { &stop_view, NULL };

const struct es_plugin es_plugin = {
	.abi = ES_PLUGIN_ABI,
	.name = "stop",
	.views = views,
};
