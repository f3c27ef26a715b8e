/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/cost_fuzz.c - the reader of cost models takes or refuses any bytes
 *
 * A model that is taken is written as text that is read as the same model, and
 * no message has a negative time.
 *
 * Input	the file of a model
 */

#include "scopes/model.h"

#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether a time is not negative; it may be unknown. */
static bool
fuzz_time(double seconds)
{
	return isnan(seconds) || seconds >= 0;
}

static void
fuzz_messages(const struct es_model *model, uint32_t locality)
{
	static const uint64_t sizes[] = { 0, 1, 500, 8000, UINT64_MAX };
	const struct es_model_stream *stream =
	    &model->localities[locality].stream;

	for (size_t n = 0; n < sizeof(sizes) / sizeof(*sizes); n++) {
		double bytes = (double)sizes[n];

		for (unsigned kind = 0; kind < ES_MODEL_KINDS; kind++)
			MUST(fuzz_time(es_model_total(es_model_message(model,
			    (struct es_model_question){ ES_MODEL_PAPER, kind,
				locality, sizes[n], 1 + (uint32_t)n }))));
		for (double count = 1; count < 1e6; count *= 7)
			MUST(
			    fuzz_time(es_model_stream_s(stream, count, bytes)));
		MUST(fuzz_time(es_model_queue_s(model, bytes)));
	}
}

/* Writes and reads the model; the second text is the first. */
static void
fuzz_again(const struct es_model *model)
{
	struct es_model *again;
	char *texts[2];
	size_t bytes[2];

	MUST(es_model_text(model, &texts[0], &bytes[0]) == PATHS_OK);
	MUST(es_model_read_text("again", texts[0], bytes[0], &again) ==
	    PATHS_OK);
	MUST(es_model_text(again, &texts[1], &bytes[1]) == PATHS_OK);
	MUST(bytes[0] == bytes[1] && strcmp(texts[0], texts[1]) == 0);
	es_model_free(again);
	free(texts[0]);
	free(texts[1]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct es_model *model;

	if (es_model_read_text("fuzz", (const char *)bytes, size, &model) !=
	    PATHS_OK)
		return 0;
	for (uint32_t n = 0; n < model->locality_count; n++)
		fuzz_messages(model, n);
	fuzz_again(model);
	es_model_free(model);
	return 0;
}
