/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/calibrate_main.c - eventspace calibrate: measures what
 * messages cost on a machine
 */

#include "scopes/calibrate/link_run_private.h"
#include "scopes/calibrate/run_private.h"
#include "scopes/command/interrupt_private.h"
#include "scopes/command/model_print.h"

#include "libpaths/base/command.h"
#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Seconds of a calibration, and of a quick one. */
#define SECONDS 60
#define SECONDS_QUICK 15

/* Seconds without an answer after which a rank counts as lost. */
#define SILENCE 30

#define PHASES_MOST 100000
#define SECONDS_MOST 86400

struct calibrate {
	const char *file;
	const char *map, *launcher; /* NULL: not given */
	uint64_t ns, silence_ns, phases;
	bool quick, oversubscribed, quiet;
};

static const struct paths_command_option calibrate_options[] = {
	{ "output", 'o', "FILE",
	    "file to write; otherwise HOST-openmpi.model, HOST-mpich.model or "
	    "HOST-paths.model",
	    0, PATHS_COMMAND_TO_WORD(struct calibrate, file) },
	{ "seconds", 0, "TIME",
	    "time to measure at most; 60 s, with --quick 15 s", 0,
	    PATHS_COMMAND_TO_NUMBER(struct calibrate, ns, SECONDS, 1000000000,
		SECONDS_MOST * 1000000000ull) },
	{ "silence", 0, "TIME",
	    "time without an answer after which a rank is lost; 30 s", 0,
	    PATHS_COMMAND_TO_NUMBER(struct calibrate, silence_ns, SECONDS,
		1000000000, SECONDS_MOST * 1000000000ull) },
	{ "quick", 0, NULL, "fewer repeats, less exact", 0,
	    PATHS_COMMAND_TO_FLAG(struct calibrate, quick) },
	{ "phases", 0, "N",
	    "then measure N irregular phases and compare them with the models",
	    0,
	    PATHS_COMMAND_TO_NUMBER(struct calibrate, phases, COUNT, 0,
		PHASES_MOST) },
	{ "oversubscribed", 0, NULL,
	    "also measure ranks at once that share cores", 0,
	    PATHS_COMMAND_TO_FLAG(struct calibrate, oversubscribed) },
	{ "map", 0, "MAP",
	    "measure the proxies of a path map, instead of MPI messages", 0,
	    PATHS_COMMAND_TO_WORD(struct calibrate, map) },
	{ "launcher", 0, "HOW",
	    "with --map: how processes are started, as by eventspace run", 0,
	    PATHS_COMMAND_TO_WORD(struct calibrate, launcher) },
	PATHS_COMMAND_QUIET(struct calibrate, quiet),
};

static const struct paths_command calibrate_command = {
	.verb = "calibrate",
	.about = "measured costs of messages on this machine",
	.usage = "[OPTIONS]",
	.text =
	    "Measures latency, bandwidth, eager limits, streams and queues of "
	    "messages, and\nwrites them as a model for eventspace model.  Start "
	    "it as an MPI program, with\ntwo or more ranks:\n\n"
	    "  mpirun -n 3 eventspace calibrate -o FILE\n\n"
	    "With --map, measures the proxies of a path map between its "
	    "processes, on the\nhosts where the launcher starts them.",
	PATHS_COMMAND_OPTIONS(calibrate_options),
};

/* Prints the errors for irregular phases.  asked: number that was asked for. */
static void
print_check(const struct es__check *check, uint64_t asked)
{
	char texts[2][PATHS_UNIT_TEXT_BYTES];

	if (asked == 0)
		return;
	if (check->phases == 0) {
		puts("\nThere was no time for irregular phases: none was "
		     "measured.");
		return;
	}
	printf("\n%u irregular phases", check->phases);
	if (check->phases < asked)
		printf(" (of %" PRIu64 ": there was no time for more)", asked);
	puts(", relative error of models:");
	for (int k = 0; k < ES__CHECK_KINDS; k++)
		printf("  %-16s median %s, p90 %s\n",
		    es__check_name((enum es__check_kind)k),
		    paths_unit_text(PATHS_UNIT_SHARE, check->median[k],
			texts[0]),
		    paths_unit_text(PATHS_UNIT_SHARE, check->p90[k], texts[1]));
}

static paths_status
print_result(const struct es__calibrate_result *result, uint64_t phases,
    bool links)
{
	paths_status st;

	if (result->unsteady)
		puts("Warning: ranks that are not bound to a core each are "
		     "measured with their moves\nand stops; start as many as "
		     "there are cores with mpirun --bind-to core.\n");
	st = es_command_model_print(result->model, ES_SHOW_TEXT);
	if (!links && isnan(result->model->delta_s))
		puts(
		    "\nContention was not measured: it takes 8 ranks on 4 hosts "
		    "and a core for each.");
	print_check(&result->check, phases);
	printf("\nThe model is in %s.\n", result->file);
	return st;
}

/* Sets what is asked of the calibration. */
static struct es__calibrate_request
calibrate_request(const struct calibrate *calibrate)
{
	struct es__calibrate_request request = {
		.seconds = calibrate->quick ? SECONDS_QUICK : SECONDS,
		.silence_s = SILENCE,
		.quick = calibrate->quick,
		.quiet = calibrate->quiet,
		.oversubscribed = calibrate->oversubscribed,
		.phases = (uint32_t)calibrate->phases,
		.file = calibrate->file,
		.interrupted = es__interrupt_caught,
	};

	if (calibrate->ns > 0)
		request.seconds = 1e-9 * (double)calibrate->ns;
	if (calibrate->silence_ns > 0)
		request.silence_s =
		    (unsigned)(calibrate->silence_ns / 1000000000);
	return request;
}

/* Returns an option that is only for MPI messages; NULL: none was given. */
static const char *
calibrate_mpi_option(const struct calibrate *calibrate)
{
	if (calibrate->phases > 0)
		return "phases";
	if (calibrate->silence_ns > 0)
		return "silence";
	return calibrate->oversubscribed ? "oversubscribed" : NULL;
}

/* Checks that the options fit together. */
static int
calibrate_check(const struct calibrate *calibrate)
{
	if (calibrate->map == NULL && calibrate->launcher != NULL)
		return paths_command_wrong("calibrate",
		    "--launcher is for --map");
	if (calibrate->map != NULL && calibrate_mpi_option(calibrate) != NULL)
		return paths_command_wrong("calibrate", "--%s is not for --map",
		    calibrate_mpi_option(calibrate));
	return PATHS_COMMAND_GO_ON;
}

static paths_status
calibrate_run(const struct calibrate *calibrate,
    struct es__calibrate_result *result)
{
	struct es__calibrate_request request = calibrate_request(calibrate);
	struct es__link_request links = { .map = calibrate->map,
		.launcher = calibrate->launcher,
		.seconds = request.seconds,
		.quick = request.quick,
		.quiet = request.quiet,
		.file = request.file,
		.interrupted = request.interrupted };

	return calibrate->map == NULL ? es__calibrate(&request, result) :
					es__calibrate_links(&links, result);
}

int
main(int argc, char **argv)
{
	struct calibrate calibrate = { 0 };
	struct es__calibrate_result result = { 0 };
	int status =
	    paths_command_read(&calibrate_command, &calibrate, argc, argv);
	paths_status st;

	if (status == PATHS_COMMAND_GO_ON)
		status = calibrate_check(&calibrate);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	es__interrupt_catch();
	st = calibrate_run(&calibrate, &result);
	es__interrupt_release();
	if (st == PATHS_OK && result.rank == 0 && !calibrate.quiet)
		st = print_result(&result, calibrate.phases,
		    calibrate.map != NULL);
	es_model_free(result.model);
	if (st == PATHS_OK)
		return PATHS_COMMAND_DONE;
	return result.rank == 0 ?
	    paths_command_fail("calibrate", "%s", paths_log_last()) :
	    PATHS_COMMAND_FAILED;
}
