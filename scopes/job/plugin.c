/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/plugin.c - chooses and loads the plugin for an MPI
 *
 * Launchers tell a process its rank and the number of processes in environment
 * variables: mpirun of Open MPI in OMPI_COMM_WORLD_*, launchers that speak
 * PMI-1 or PMI-2 (mpirun of MPICH, srun --mpi=pmi2) in PMI_*, and srun in
 * SLURM_*, besides PMIX_RANK with --mpi=pmix.
 */

#include "scopes/job/plugin_private.h"

#include "libpaths/log.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Reads a number from the environment; false: there is none. */
static bool
launch_number(const char *name, uint32_t *number)
{
	const char *text = getenv(name);
	char *end;
	unsigned long value;

	if (text == NULL || *text < '0' || *text > '9')
		return false;
	value = strtoul(text, &end, 10);
	if (*end != '\0' || value > INT32_MAX)
		return false;
	*number = (uint32_t)value;
	return true;
}

static void
launch_set(struct es__plugin_launch *launch, const char *plugin,
    const char *mpi, const char *rank)
{
	launch->plugin = plugin;
	launch->mpi = mpi;
	(void)launch_number(rank, &launch->rank);
}

paths_status
es__plugin_launch(struct es__plugin_launch *launch)
{
	static const char openmpi[] = "exchange-openmpi.so",
			  mpich[] = "exchange-mpich.so";
	uint32_t size = 1, ignored;

	*launch = (struct es__plugin_launch){ .plugin = NULL };
	if (launch_number("OMPI_COMM_WORLD_SIZE", &size)) {
		if (size > 1)
			launch_set(launch, openmpi, "Open MPI",
			    "OMPI_COMM_WORLD_RANK");
	} else if (launch_number("PMI_SIZE", &size) ||
	    (launch_number("PMI_RANK", &ignored) &&
		launch_number("SLURM_STEP_NUM_TASKS", &size))) {
		if (size > 1)
			launch_set(launch, mpich, "MPICH", "PMI_RANK");
	} else if (launch_number("SLURM_STEP_NUM_TASKS", &size) && size > 1) {
		if (!launch_number("PMIX_RANK", &ignored))
			return paths_log_fail(PATHS_EINVAL,
			    "srun has started %u processes without MPI; give "
			    "it --mpi=pmi2 for MPICH or --mpi=pmix for Open "
			    "MPI",
			    size);
		launch_set(launch, openmpi, "Open MPI", "PMIX_RANK");
	}
	return PATHS_OK;
}

paths_status
es__plugin_load(const struct es__plugin_launch *launch, void **library,
    const struct es__exchange **exchange)
{
	const char *folder = getenv("EVENTSPACE_EXCHANGE_PATH");
	char file[PATH_MAX];

	if (folder == NULL || *folder == '\0')
		folder = EXCHANGE_FOLDER;
	if (snprintf(file, sizeof(file), "%s/%s", folder, launch->plugin) >=
	    (int)sizeof(file))
		return paths_log_fail(PATHS_ENOENT, "%.60s...: too long",
		    folder);
	/* Parts of MPI that are loaded later need the names of the others. */
	*library = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
	if (*library == NULL)
		return paths_log_fail(PATHS_ENOENT,
		    "started by %s, but its plugin cannot be loaded: %s",
		    launch->mpi, dlerror());
	*exchange = dlsym(*library, ES__EXCHANGE_TABLE);
	if (*exchange != NULL && (*exchange)->abi == ES__EXCHANGE_ABI)
		return PATHS_OK;
	dlclose(*library);
	return paths_log_fail(PATHS_EABI,
	    "%s: a plugin of another version of eventspace", file);
}
