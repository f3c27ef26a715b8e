/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/sample.c - errors of a fit on its samples
 */

#include "scopes/model/sample_private.h"

#include "scopes/model/cost_private.h"

#include "scopes/model/quantile_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

paths_status
es__model_samples_check(const struct es_model_sample *samples, size_t count)
{
	for (size_t n = 0; n < count; n++)
		if (!isfinite(samples[n].seconds) || samples[n].seconds <= 0 ||
		    samples[n].ppn == 0)
			return paths_log_fail(PATHS_EINVAL,
			    "sample %zu: %g s with %u processes", n,
			    samples[n].seconds, samples[n].ppn);
	return PATHS_OK;
}

double
es__model_segment_s(const struct es_model_segment *segment, double bytes,
    uint32_t ppn)
{
	return segment->alpha_s +
	    bytes / fmin(segment->rate, segment->node_rate / ppn);
}

/* Sets the error from relative errors, whose order changes. */
static void
error_set(struct es_model_error *error, double *errors, size_t count)
{
	double square = 0;

	*error = (struct es_model_error){ count, NAN, NAN, NAN };
	if (count == 0)
		return;
	for (size_t n = 0; n < count; n++)
		square += errors[n] * errors[n];
	error->median = es__quantile(errors, count, 0.5);
	error->p90 = es__quantile(errors, count, 0.9);
	error->rms = sqrt(square / (double)count);
}

/* Collects the relative errors of samples in a segment; NULL: in all. */
static size_t
error_collect(const struct es_model_segments *segments,
    const struct es_model_segment *in, const struct es_model_sample *samples,
    size_t count, double *errors)
{
	size_t found = 0;

	for (size_t n = 0; n < count; n++) {
		const struct es_model_segment *of =
		    es__model_segment(segments, samples[n].bytes);

		if (of == NULL || (in != NULL && of != in))
			continue;
		errors[found++] =
		    fabs(es__model_segment_s(of, (double)samples[n].bytes,
			     samples[n].ppn) /
			    samples[n].seconds -
			1);
	}
	return found;
}

paths_status
es__model_errors(struct es_model_segments *segments,
    const struct es_model_sample *samples, size_t count)
{
	double *errors = calloc(count + 1, sizeof(*errors));

	if (errors == NULL)
		return es__model_no_memory();
	for (size_t n = 0; n < segments->count; n++)
		error_set(&segments->list[n].error, errors,
		    error_collect(segments, &segments->list[n], samples, count,
			errors));
	error_set(&segments->error, errors,
	    error_collect(segments, NULL, samples, count, errors));
	free(errors);
	return PATHS_OK;
}

void
es__model_segments_clear(struct es_model_segments *segments)
{
	free(segments->list);
	memset(segments, 0, sizeof(*segments));
}
