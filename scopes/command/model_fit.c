/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_fit.c - fits a model to samples from a CSV file
 */

#include "scopes/command/model_fit.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIT_HEADER "locality,bytes,ppn,seconds"
/* Larger sizes are no messages, and not all of them are exact as double. */
#define FIT_BYTES (UINT64_C(1) << 53)

/* The samples of a locality. */
struct samples {
	struct es_model_sample *list;
	size_t count, room;
};

struct fit {
	const char *file;
	unsigned line;
	struct es_model *model;
	struct samples *samples; /* by locality */
	size_t room;
};

static paths_status
fit_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for samples");
}

/* Finds the number of a locality, which is added when new. */
static paths_status
fit_locality(struct fit *f, const char *name, uint32_t *locality)
{
	*locality = es_model_find_locality(f->model, name);
	if (*locality != PATHS_NONE)
		return PATHS_OK;
	if (!paths__array_grow(&f->samples, f->model->locality_count, &f->room,
		sizeof(*f->samples)))
		return fit_no_memory();
	f->samples[f->model->locality_count] = (struct samples){ NULL, 0, 0 };
	return es_model_add_locality(f->model, name, locality);
}

/* Reads the numbers behind the name of the locality. */
static bool
fit_sample(const char *text, struct es_model_sample *sample)
{
	unsigned long long bytes, ppn;
	int length = 0;

	if (strspn(text, "0123456789,.eE+-") != strcspn(text, "\r\n") ||
	    *text == '-' ||
	    sscanf(text, "%llu,%llu,%lf%n", &bytes, &ppn, &sample->seconds,
		&length) != 3)
		return false;
	sample->bytes = bytes;
	sample->ppn = (uint32_t)ppn;
	return text[length + (int)strspn(text + length, "\r\n")] == 0 &&
	    bytes <= FIT_BYTES && ppn > 0 && ppn <= UINT32_MAX &&
	    isfinite(sample->seconds) && sample->seconds > 0;
}

static paths_status
fit_line(struct fit *f, char *line)
{
	char *comma = strchr(line, ',');
	struct es_model_sample sample;
	struct samples *samples;
	uint32_t locality = 0;
	paths_status st;

	if (f->line == 1)
		return strncmp(line, FIT_HEADER, strlen(FIT_HEADER)) == 0 ?
		    PATHS_OK :
		    paths_log_fail(PATHS_ESYNTAX,
			"%s: the first line is not " FIT_HEADER, f->file);
	if (line[strspn(line, "\r\n")] == 0)
		return PATHS_OK;
	if (comma == NULL || !fit_sample(comma + 1, &sample))
		return paths_log_fail(PATHS_ESYNTAX,
		    "%s:%u: not a name, whole numbers over 0, and a time over "
		    "0",
		    f->file, f->line);
	*comma = 0;
	st = fit_locality(f, line, &locality);
	if (st != PATHS_OK)
		return st;
	samples = &f->samples[locality];
	if (!paths__array_grow(&samples->list, samples->count, &samples->room,
		sizeof(*samples->list)))
		return fit_no_memory();
	samples->list[samples->count++] = sample;
	return PATHS_OK;
}

static paths_status
fit_read(struct fit *f)
{
	FILE *from = fopen(f->file, "re");
	char *line = NULL;
	size_t room = 0;
	paths_status st = PATHS_OK;

	if (from == NULL)
		return paths_log_fail(PATHS_ENOENT, "%s cannot be opened: %s",
		    f->file, strerror(errno));
	while (st == PATHS_OK && getline(&line, &room, from) > 0) {
		f->line++;
		st = fit_line(f, line);
	}
	if (st == PATHS_OK && ferror(from))
		st = paths_log_fail(PATHS_EIO, "%s cannot be read: %s", f->file,
		    strerror(errno));
	free(line);
	fclose(from);
	return st;
}

/* Returns whether samples have several numbers of processes. */
static bool
samples_differ(const struct samples *samples)
{
	for (size_t n = 1; n < samples->count; n++)
		if (samples->list[n].ppn != samples->list[0].ppn)
			return true;
	return false;
}

static paths_status
fit_all(struct fit *f)
{
	paths_status st = PATHS_OK;

	if (f->model->locality_count == 0)
		return paths_log_fail(PATHS_EINVAL, "%s has no samples",
		    f->file);
	for (size_t n = 0; st == PATHS_OK && n < f->model->locality_count;
	     n++) {
		struct es_model_locality *l = &f->model->localities[n];
		const struct samples *s = &f->samples[n];
		bool limited = samples_differ(s);

		st = es_model_fit_paper(s->list, s->count, limited,
		    &l->fits[ES_MODEL_PAPER]);
		if (st == PATHS_OK)
			st = es_model_fit_segments(s->list, s->count, 0,
			    limited, &l->fits[ES_MODEL_SEGMENTS]);
	}
	return st;
}

paths_status
es_command_model_fit(const char *file, struct es_model **model)
{
	struct fit f = { .file = file };
	paths_status st = es_model_create(&f.model);

	if (st == PATHS_OK)
		st = fit_read(&f);
	if (st == PATHS_OK)
		st = fit_all(&f);
	for (size_t n = 0; f.model != NULL && f.samples != NULL &&
	     n < f.model->locality_count;
	     n++)
		free(f.samples[n].list);
	free(f.samples);
	if (st == PATHS_OK)
		*model = f.model;
	else
		es_model_free(f.model);
	return st;
}
