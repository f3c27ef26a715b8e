/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/file.c - writes the file of a model
 *
 * eventspace-model(5) describes the format.
 */

#include "scopes/model/file_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct es__model_text es__model_texts[] = {
	{ "machine", offsetof(struct es_model, machine) },
	{ "mpi", offsetof(struct es_model, mpi) },
	{ "date", offsetof(struct es_model, date) },
	{ "host", offsetof(struct es_model, host) },
	{ "cpu", offsetof(struct es_model, cpu) },
	{ "note", offsetof(struct es_model, note) },
};
const size_t es__model_text_count =
    sizeof(es__model_texts) / sizeof(*es__model_texts);

const char *const es__model_queues[] = { "unknown", "one", "peers" };
const char *const es__model_fits[] = { "paper", "segments" };

/* Writes the shortest text that is read as the same number. */
static void
file_number(FILE *to, double value)
{
	char text[32];

	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	fputs(text, to);
}

/* Writes a key and a number, unless it is not known. */
static void
file_known(FILE *to, const char *key, double value)
{
	if (!isfinite(value))
		return;
	fprintf(to, " %s ", key);
	file_number(to, value);
}

static void
file_error(FILE *to, const struct es_model_error *error)
{
	if (error->samples > 0) {
		fprintf(to, " samples %" PRIu64, error->samples);
		file_known(to, "median", error->median);
		file_known(to, "p90", error->p90);
		file_known(to, "rms", error->rms);
	}
	fputc('\n', to);
}

static void
file_segments(FILE *to, const char *fit,
    const struct es_model_segments *segments)
{
	if (segments->count == 0)
		return;
	fprintf(to, "\tfit %s", fit);
	file_error(to, &segments->error);
	for (size_t n = 0; n < segments->count; n++) {
		const struct es_model_segment *s = &segments->list[n];

		fprintf(to, "\tsegment %" PRIu64, s->first_bytes);
		if (s->protocol[0] != 0)
			fprintf(to, " protocol %s", s->protocol);
		file_known(to, "alpha", s->alpha_s);
		file_known(to, "rate", s->rate);
		file_known(to, "node-rate", s->node_rate);
		file_error(to, &s->error);
	}
}

static void
file_stream(FILE *to, const struct es_model_stream *stream)
{
	if (stream->counts == NULL)
		return;
	fputs("\tstream-sizes", to);
	for (size_t n = 0; n < stream->size_count; n++)
		fprintf(to, " %" PRIu64, stream->sizes[n]);
	fputc('\n', to);
	for (size_t row = 0; row < stream->count_count; row++) {
		fprintf(to, "\tstream %" PRIu64, stream->counts[row]);
		for (size_t n = 0; n < stream->size_count; n++) {
			fputc(' ', to);
			file_number(to,
			    stream->message_s[row * stream->size_count + n]);
		}
		fputc('\n', to);
	}
}

static void
file_locality(FILE *to, const struct es_model_locality *locality)
{
	fprintf(to, "locality %s\n", locality->name);
	if (locality->between_hosts)
		fputs("\tbetween-hosts\n", to);
	for (size_t n = 0; n < locality->pair_count; n++)
		fprintf(to, "\tpair %s %s\n", locality->pairs[n].hosts[0],
		    locality->pairs[n].hosts[1]);
	if (locality->eager_asked > 0)
		fprintf(to, "\teager-asked %" PRIu64 "\n",
		    locality->eager_asked);
	if (locality->eager_probed > 0)
		fprintf(to, "\teager-probed %" PRIu64 "\n",
		    locality->eager_probed);
	for (size_t fit = 0; fit < ES_MODEL_FITS; fit++)
		file_segments(to, es__model_fits[fit], &locality->fits[fit]);
	file_stream(to, &locality->stream);
}

/* Writes a line with a number that is known. */
static void
file_line(FILE *to, const char *key, double value)
{
	if (!isfinite(value))
		return;
	fprintf(to, "%s ", key);
	file_number(to, value);
	fputc('\n', to);
}

static void
file_write(FILE *to, const struct es_model *model)
{
	fputs(ES__MODEL_FILE_MAGIC " " ES__MODEL_FILE_VERSION "\n", to);
	for (size_t n = 0; n < es__model_text_count; n++) {
		const char *text = (const char *)model + es__model_texts[n].at;

		if (*text != 0)
			fprintf(to, "%s %s\n", es__model_texts[n].word, text);
	}
	if (model->queue != ES_MODEL_QUEUE_UNKNOWN)
		fprintf(to, "queue %s\n", es__model_queues[model->queue]);
	file_line(to, "gamma", model->gamma_s);
	for (size_t n = 0; n < model->gamma_count; n++) {
		fprintf(to, "gamma-at %" PRIu64 " ", model->gammas[n].messages);
		file_number(to, model->gammas[n].gamma_s);
		fputc('\n', to);
	}
	file_line(to, "delta", model->delta_s);
	file_line(to, "drift", model->drift);
	file_line(to, "drift-limit", model->drift_limit);
	file_line(to, "hops", model->hops);
	for (size_t n = 0; n < model->locality_count; n++)
		file_locality(to, &model->localities[n]);
	fputs("end\n", to);
}

paths_status
es_model_text(const struct es_model *model, char **text, size_t *bytes)
{
	char *made = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&made, &size);
	bool failed;

	if (to == NULL)
		return es__model_no_memory();
	file_write(to, model);
	failed = ferror(to) != 0;
	if (fclose(to) != 0 || failed) {
		free(made);
		return es__model_no_memory();
	}
	*text = made;
	*bytes = size;
	return PATHS_OK;
}

/* Writes text to a new file. */
static bool
file_save(const char *file, const char *text, size_t bytes)
{
	FILE *to = fopen(file, "we");
	bool saved;

	if (to == NULL)
		return false;
	saved = fwrite(text, 1, bytes, to) == bytes;
	return fclose(to) == 0 && saved;
}

paths_status
es_model_write(const struct es_model *model, const char *file)
{
	char *text = NULL, *part = NULL;
	size_t bytes;
	paths_status st = es_model_text(model, &text, &bytes);

	if (st == PATHS_OK &&
	    asprintf(&part, "%s.%ld", file, (long)getpid()) < 0) {
		part = NULL;
		st = es__model_no_memory();
	}
	if (st == PATHS_OK &&
	    (!file_save(part, text, bytes) || rename(part, file) != 0)) {
		st = paths_log_fail(PATHS_EIO, "%s cannot be written: %s", file,
		    strerror(errno));
		(void)unlink(part);
	}
	free(part);
	free(text);
	return st;
}
