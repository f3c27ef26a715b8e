/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/findings.h - the findings of a part of the run
 */

#ifndef VIEWER_EVENT_FINDINGS_H
#define VIEWER_EVENT_FINDINGS_H

#include "viewer/event/interval.h"

#include "scopes/finding.h"

/*
 * esv_findings_part - find what stands out in a part of the run
 *
 * They are the findings about the balance of threads, and about the thread that
 * the others wait for.  Their sentences are those of the whole run, with the
 * sums of the part.
 *
 * interval	of esv_interval_get
 * take		called for each finding, the largest weight first
 *
 * Returns	PATHS_OK; the error of es_finding_part or of take
 * Threads	that of the model
 */
paths_status esv_findings_part(struct esv_model *model,
    const struct esv_interval *interval, es_finding_take *take, void *to)
    PATHS_CHECKED;

#endif
