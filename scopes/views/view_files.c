/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/view_files.c - views of files that other programs left in a run
 */

#include "scopes/views/view_files_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/job/files_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

paths_status
es__view_files(struct es_analysis *a, struct es_sink *sink,
    const struct es__view_files *files)
{
	struct dirent **names;
	int count = es__files_scan(es_run_dir(a->run), &names, files->is_one,
	    versionsort);
	paths_status st = PATHS_OK;

	if (count < 0)
		return paths_log_fail(errno == ENOMEM ? PATHS_ENOMEM :
							PATHS_EIO,
		    "%s: %s", es_run_dir(a->run), strerror(errno));
	for (int n = 0; n < count; n++) {
		if (st == PATHS_OK)
			st = files->show(a, sink, names[n]->d_name);
		if (st == PATHS_EDAMAGED) {
			es_run_diagnose(a->run, ES_WARNING, files->view, "%s",
			    paths_log_last());
			st = PATHS_OK;
		}
		free(names[n]);
	}
	free(names);
	return st;
}

paths_status
es__view_file_open(const char *dir, const char *name, FILE **from)
{
	struct stat about;
	int fd = es__files_open(dir, name);

	if (fd < 0)
		return paths_log_fail(errno == ENOENT ? PATHS_ENOENT :
							PATHS_EDAMAGED,
		    "%s: %s", name, strerror(errno));
	if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) {
		*from = fdopen(fd, "r");
		if (*from != NULL)
			return PATHS_OK;
	}
	(void)close(fd);
	return paths_log_fail(PATHS_EDAMAGED, "%s: not a file", name);
}
