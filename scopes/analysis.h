/* SPDX-License-Identifier: MIT */
/*
 * scopes/analysis.h - a run on one clock, prepared to compute views
 *
 * The clocks of the run are aligned once, for all views.  Time is in
 * nanoseconds since the start of the run, on the clock of the reference host.
 * The run starts when its first process opens its event space, or enters
 * MPI_Init.
 */

#ifndef SCOPES_ANALYSIS_H
#define SCOPES_ANALYSIS_H

#include "scopes/run.h"
#include "scopes/timebase.h"
#include "scopes/view.h"

PATHS_BEGIN_DECLS

struct es_analysis;

/*
 * es_analysis_open - prepare to compute views of a run
 *
 * run		opened; keeps it until es_analysis_close
 * threads	number of threads to use; 0: one for each core
 * clock	name of a method in clock.def; NULL: the first one
 * analysis	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	no such clock method
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_analysis_close; borrows the run
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_analysis_open(struct es_run *run, unsigned threads,
    const char *clock, struct es_analysis **analysis) PATHS_CHECKED;

/*
 * es_analysis_check_clock - check the name of a clock method
 *
 * clock	as for es_analysis_open
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	no such clock method
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_analysis_check_clock(const char *clock) PATHS_CHECKED;

/*
 * es_analysis_scratch - choose the directory for temporary files
 *
 * Views of long runs need files that grow with the run.  They have no names,
 * and are in the directory of the run unless another one is chosen before the
 * first view is computed.
 *
 * dir		where they cannot be written, they are in that for temporary
 *		files (TMPDIR)
 *
 * Returns	nothing
 * Ownership	borrows dir until es_analysis_close
 * Threads	one
 * Since	0.1
 */
ES_API void es_analysis_scratch(struct es_analysis *analysis, const char *dir);

/*
 * es_analysis_close - end an analysis; the run stays open
 *
 * analysis	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_analysis_close(struct es_analysis *analysis);

/*
 * es_analysis_run - the run of an analysis
 *
 * Returns	the run
 * Ownership	as given to es_analysis_open
 * Threads	any
 * Since	0.1
 */
ES_API struct es_run *es_analysis_run(const struct es_analysis *analysis);

/*
 * es_analysis_timebase - the conversion of ticks of a process to time
 *
 * process	an index of the map
 *
 * Returns	the conversion; that of a process without a space returns 0 for
 *		all ticks
 * Ownership	the analysis owns it
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_timebase *
es_analysis_timebase(const struct es_analysis *analysis, uint32_t process);

/*
 * es_analysis_other_timebase - the conversion of stamps of another event space
 *
 * Stamps of a clock that a process of the run has too are converted as those of
 * that process.  Others are placed by the wall clock at their start, so their
 * error is that of the wall clocks.
 *
 * process	of es_run_others
 *
 * Returns	the conversion
 * Ownership	its pieces stay the analysis'; es_timebase_copy copies them
 * Threads	any
 * Since	0.1
 */
ES_API struct es_timebase
es_analysis_other_timebase(const struct es_analysis *analysis,
    uint32_t process);

/*
 * es_analysis_open_others - prepare to compute views of the other event spaces
 * of a run, on the clock of that run
 *
 * Returns	as es_analysis_open for es_run_others(run)
 *		PATHS_ENOENT	the run has none
 * Ownership	as es_analysis_open
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_analysis_open_others(struct es_run *run,
    unsigned threads, const char *clock, struct es_analysis **analysis)
    PATHS_CHECKED;

PATHS_END_DECLS

#endif
