/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/model/model_test.c - formulas and fits give the published
 * numbers
 */

#include "scopes/model.h"

#include "libpaths/map.h"

#include "tests/scopes/model/bluewaters.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOCKET, NODE, NETWORK };

/* Reads the model of Table 1 of the paper. */
static struct es_model *
table1(void)
{
	struct es_model *model = NULL;
	char path[4096];

	snprintf(path, sizeof(path), "%s/scopes/model/bluewaters.model",
	    test_srcdir());
	EXPECT_OK(es_model_read(path, &model));
	return model;
}

/* Compares a value with the printed digits of another one. */
static bool
prints(double value, int digits, const char *want)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*e", digits - 1, value);
	if (strtod(text, NULL) == strtod(want, NULL))
		return true;
	printf("# %s, not %s\n", text, want);
	return false;
}

static double
message(const struct es_model *model, enum es_model_kind kind,
    uint32_t locality, uint64_t bytes, uint32_t ppn)
{
	return es_model_total(es_model_message(model,
	    (struct es_model_question){ ES_MODEL_PAPER, kind, locality, bytes,
		ppn }));
}

static void
messages_have_the_published_times(void)
{
	static const struct {
		uint64_t bytes;
		const char *seconds[3]; /* by locality, one process */
	} points[] = {
		{ 8, { "4.436364e-07", "8.466667e-07", "2.306154e-06" } },
		{ 64, { "4.690909e-07", "9.633333e-07", "2.349231e-06" } },
		{ 496, { "6.654545e-07", "1.863333e-06", "2.681538e-06" } },
		{ 512, { "6.900000e-07", "1.733333e-06", "7.682667e-06" } },
		{ 4096, { "1.810000e-06", "5.466667e-06", "1.246133e-05" } },
		{ 8192, { "3.021290e-06", "3.821290e-06", "5.824828e-06" } },
		{ 65536, { "1.227032e-05", "1.307032e-05", "2.559862e-05" } },
		{ 1048576, { "1.708252e-04", "1.716252e-04", "3.645779e-04" } },
	};
	static const struct {
		uint64_t bytes;
		const char *four, *sixteen; /* processes, inter-node */
	} limited[] = {
		{ 8192, "7.964848e-06", "2.285939e-05" },
		{ 65536, "4.271879e-05", "1.618752e-04" },
		{ 1048576, "6.385006e-04", "2.545002e-03" },
	};
	struct es_model *model = table1();

	for (size_t n = 0; n < sizeof(points) / sizeof(*points); n++)
		for (uint32_t l = SOCKET; l <= NETWORK; l++)
			EXPECT_TRUE(prints(message(model, ES_MODEL_NODE_AWARE,
					       l, points[n].bytes, 1),
			    7, points[n].seconds[l]));
	for (size_t n = 0; n < sizeof(limited) / sizeof(*limited); n++) {
		uint64_t bytes = limited[n].bytes;

		EXPECT_TRUE(prints(message(model, ES_MODEL_NODE_AWARE, NETWORK,
				       bytes, 4),
		    7, limited[n].four));
		EXPECT_TRUE(prints(message(model, ES_MODEL_NODE_AWARE, NETWORK,
				       bytes, 16),
		    7, limited[n].sixteen));
		EXPECT_TRUE(
		    message(model, ES_MODEL_POSTAL, NETWORK, bytes, 16) ==
		    message(model, ES_MODEL_NODE_AWARE, NETWORK, bytes, 1));
		EXPECT_TRUE(
		    message(model, ES_MODEL_MAX_RATE, SOCKET, bytes, 16) ==
		    message(model, ES_MODEL_NODE_AWARE, NETWORK, bytes, 16));
	}
	es_model_free(model);
}

static void
queue_and_contention_have_the_published_times(void)
{
	static const struct {
		double messages;
		const char *seconds;
	} queues[] = { { 1, "8.4e-9" }, { 10, "8.4e-7" }, { 100, "8.4e-5" },
		{ 1000, "8.4e-3" }, { 10000, "8.4e-1" } };
	struct es_model *model = table1();
	struct es_model_phase phase = { .hops = 2.5,
		.mean_bytes = 4096,
		.ppn = 16 };

	for (size_t n = 0; n < sizeof(queues) / sizeof(*queues); n++)
		EXPECT_TRUE(prints(es_model_queue_s(model, queues[n].messages),
		    7, queues[n].seconds));
	EXPECT_TRUE(prints(es_model_contention(model, &phase), 7, "2.048e-4"));
	phase.hops = NAN;
	EXPECT_TRUE(es_model_contention(model, &phase) == 0);
	es_model_free(model);
}

static void
phase_is_the_sum_of_its_messages(void)
{
	static const struct es_model_messages messages[] = {
		{ SOCKET, 100, 10, 1000 },
		{ NODE, 1000, 5, 5000 },
		{ NETWORK, 200, 20, 4000 },
		{ NETWORK, 16384, 3, 49152 },
	};
	static const uint64_t received[] = { 10, 5, 20, 3 };
	struct es_model *model = table1();
	struct es_model_process processes[] = {
		{ messages, 1, 16, received, 1, 0 },
		{ messages, 4, 16, received, 4, 0 },
	};
	struct es_model_phase phase = { processes, 2, NAN, 0, 16 };
	struct es_model_cost costs[2];

	EXPECT_EQ(1,
	    es_model_phase(model, ES_MODEL_PAPER, ES_MODEL_QUEUED, &phase,
		costs));
	EXPECT_TRUE(prints(costs[1].latency_s + costs[1].bandwidth_s, 7,
	    "1.932962e-04"));
	EXPECT_TRUE(prints(costs[1].queue_s, 7, "1.212960e-05"));
	EXPECT_TRUE(costs[1].contention_s == 0);
	model->queue = ES_MODEL_QUEUE_PEERS;
	EXPECT_EQ(1,
	    es_model_phase(model, ES_MODEL_PAPER, ES_MODEL_QUEUED, &phase,
		costs));
	EXPECT_NEAR(8.4e-9 * (100 + 25 + 400 + 9), costs[1].queue_s, 1e-18);
	es_model_free(model);
}

/* Checks the segments of a file against those of Table 1, as rounded there. */
static void
refit(const char *file, const struct es_model_segments *want, bool limited)
{
	struct bluewaters_samples samples = bluewaters_samples(file);
	struct es_model_segments found = { NULL, 0, 0, { 0 } };
	char text[64];

	EXPECT_OK(
	    es_model_fit_paper(samples.list, samples.count, limited, &found));
	EXPECT_EQ(3, found.count);
	for (size_t n = 0; n < 3; n++) {
		snprintf(text, sizeof(text), "%.1e", want->list[n].alpha_s);
		EXPECT_TRUE(prints(found.list[n].alpha_s, 2, text));
		snprintf(text, sizeof(text), "%.1e", want->list[n].rate);
		EXPECT_TRUE(prints(found.list[n].rate, 2, text));
		EXPECT_EQ(want->list[n].error.samples,
		    found.list[n].error.samples);
	}
	EXPECT_EQ(limited, isfinite(found.list[2].node_rate));
	if (limited)
		EXPECT_TRUE(prints(found.list[2].node_rate, 2, "6.6e9"));
	free(found.list);
	free(samples.list);
}

static void
paper_fit_rounds_to_the_published_table(void)
{
	struct es_model *model = table1();

	refit("on_socket.out", &model->localities[SOCKET].fits[0], false);
	refit("on_node.out", &model->localities[NODE].fits[0], false);
	refit("max_rate", &model->localities[NETWORK].fits[0], true);
	es_model_free(model);
}

static void
gamma_and_delta_are_the_published_ones(void)
{
	struct es_model *model = table1();
	struct bluewaters_bursts queue = bluewaters_bursts("node_queue");
	struct bluewaters_bursts crowd =
	    bluewaters_bursts("nodecomm_contention_256.out");
	double gamma, delta;

	EXPECT_OK(es_model_fit_gamma(&model->localities[NODE].fits[0],
	    queue.list, queue.count, &gamma));
	EXPECT_NEAR(8.40e-9, gamma, 0.01 * 8.40e-9);
	EXPECT_OK(es_model_fit_delta(&model->localities[NETWORK].fits[0],
	    &(struct es_model_crowd){ crowd.list, crowd.count, 256, gamma }, 1,
	    &delta));
	EXPECT_NEAR(1.0e-10, delta, 0.1 * 1.0e-10);
	EXPECT_OK(es_model_fit_gammas(model, &model->localities[NODE].fits[0],
	    256, queue.list, queue.count));
	EXPECT_NEAR(3.9e-9, es_model_gamma_at(model, 256), 0.05e-9);
	EXPECT_NEAR(6.0e-9, es_model_gamma_at(model, 1024), 0.05e-9);
	EXPECT_NEAR(8.5e-9, es_model_gamma_at(model, 16384), 0.05e-9);
	EXPECT_TRUE(es_model_gamma_at(model, 127) == 0);
	free(queue.list);
	free(crowd.list);
	es_model_free(model);
}

static int
compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Returns the root of the mean square of relative errors on the median time of
   each size; ppn 0: all samples are taken. */
static double
median_rms(const struct es_model_segments *segments,
    const struct bluewaters_samples *samples, uint32_t ppn)
{
	double values[4096], square = 0;
	unsigned sizes = 0;

	for (uint64_t bytes = 4; bytes <= 262144; bytes *= 2) {
		const struct es_model_segment *s = segments->list;
		size_t count = 0;
		double median;

		for (size_t n = 0; n < samples->count; n++)
			if (samples->list[n].bytes == bytes &&
			    (ppn == 0 || samples->list[n].ppn == ppn))
				values[count++] = samples->list[n].seconds;
		qsort(values, count, sizeof(*values), compare);
		median = (values[count / 2] + values[(count - 1) / 2]) / 2;
		while (s + 1 < segments->list + segments->count &&
		    s[1].first_bytes <= bytes)
			s++;
		square +=
		    pow((s->alpha_s + (double)bytes / s->rate) / median - 1, 2);
		sizes++;
	}
	return sqrt(square / sizes);
}

/* Fits at most three segments, and checks cuts and error. */
static void
cuts(const char *file, bool limited, uint64_t first, uint64_t second)
{
	struct bluewaters_samples samples = bluewaters_samples(file);
	struct es_model_segments found = { NULL, 0, 0, { 0 } };
	double rms;

	EXPECT_OK(es_model_fit_segments(samples.list, samples.count, 3, limited,
	    &found));
	EXPECT_EQ(3, found.count);
	EXPECT_EQ(first, found.list[1].first_bytes);
	EXPECT_EQ(second, found.list[2].first_bytes);
	rms = median_rms(&found, &samples, limited ? 1 : 0);
	printf("# %s: rms %.1f %%; of all samples: median %.1f, p90 %.1f, "
	       "rms %.1f %%\n",
	    file, 100 * rms, 100 * found.error.median, 100 * found.error.p90,
	    100 * found.error.rms);
	EXPECT_TRUE(rms <= 0.05);
	if (limited)
		EXPECT_NEAR(6.6e9, found.list[2].node_rate, 1e9);
	free(found.list);
	free(samples.list);
}

static void
segment_fit_finds_the_cuts(void)
{
	cuts("on_socket.out", false, 32, 8192);
	cuts("on_node.out", false, 64, 8192);
	cuts("max_rate", true, 512, 8192);
}

static void
segments_follow_exact_lines(void)
{
	struct es_model_segments found = { NULL, 0, 0, { 0 } };
	struct es_model_sample samples[600];
	size_t count = 0;

	/* More sizes than are taken without bins. */
	for (uint64_t bytes = 1; count < 600; bytes += 1 + bytes / 64)
		samples[count++] = (struct es_model_sample){ bytes, 1,
			bytes < 3000 ? 1e-6 + (double)bytes * 1e-9 :
				       8e-6 + (double)bytes * 1e-10 };
	EXPECT_OK(es_model_fit_segments(samples, count, 0, false, &found));
	EXPECT_EQ(2, found.count);
	EXPECT_NEAR(3000, (double)found.list[1].first_bytes, 260);
	EXPECT_NEAR(1e-6, found.list[0].alpha_s, 1e-8);
	EXPECT_NEAR(1e9, found.list[0].rate, 1e7);
	EXPECT_NEAR(8e-6, found.list[1].alpha_s, 1e-7);
	EXPECT_NEAR(1e10, found.list[1].rate, 2e8);
	free(found.list);
	found = (struct es_model_segments){ NULL, 0, 0, { 0 } };
	samples[3].seconds = 0;
	EXPECT_EQ(PATHS_EINVAL,
	    es_model_fit_segments(samples, count, 0, false, &found));
	EXPECT_EQ(PATHS_EINVAL,
	    es_model_fit_segments(samples, 2, 0, false, &found));
	EXPECT_EQ(PATHS_EINVAL, es_model_fit_paper(samples, 1, false, &found));
	EXPECT_TRUE(found.list == NULL);
}

/* The published breakdown of a level, in seconds. */
struct breakdown {
	double max_rate, queue, contention;
};

/* Checks a level, and returns the relative errors of its three totals. */
static void
level_check(const struct es_model *model, const struct bluewaters_level *level,
    const struct breakdown *want, double errors[3])
{
	static const uint64_t sizes[] = { 100, 1000, 10000 };
	struct es_model_messages messages[9];
	uint64_t received = 0;
	struct es_model_process process = { messages, 9, 16, &received, 1, 0 };
	struct es_model_phase phase = { &process, 1,
		level->byte_hops / level->bytes, level->bytes / 8192, 16 };
	struct es_model_cost cost;
	double sum;

	for (uint32_t n = 0; n < 9; n++) {
		messages[n] = (struct es_model_messages){ n / 3, sizes[n % 3],
			(uint64_t)level->count[n / 3][n % 3],
			(uint64_t)level->size[n / 3][n % 3] };
		received += messages[n].count;
	}
	EXPECT_EQ((uint64_t)level->most, received);
	EXPECT_EQ(0,
	    es_model_phase(model, ES_MODEL_PAPER, ES_MODEL_CONTENDED, &phase,
		&cost));
	sum = cost.latency_s + cost.bandwidth_s;
	EXPECT_NEAR(want->max_rate, sum, 0.01 * want->max_rate);
	EXPECT_NEAR(want->queue, cost.queue_s, 0.01 * want->queue);
	EXPECT_NEAR(want->contention, cost.contention_s,
	    0.01 * want->contention);
	errors[0] = fabs(sum / level->seconds - 1);
	errors[1] = fabs((sum + cost.queue_s) / level->seconds - 1);
	errors[2] = fabs(es_model_total(cost) / level->seconds - 1);
}

static void
multigrid_levels_have_the_published_breakdown(void)
{
	static const struct breakdown want[2][7] = {
		{
		    { 2.99e-4, 1.23e-4, 6.31e-4 },
		    { 4.87e-4, 3.53e-4, 9.67e-4 },
		    { 8.53e-4, 1.17e-3, 1.37e-3 },
		    { 1.68e-3, 4.46e-3, 1.49e-3 },
		    { 1.70e-3, 4.56e-3, 7.01e-4 },
		    { 7.43e-4, 8.76e-4, 9.28e-5 },
		    { 2.28e-4, 8.23e-5, 7.70e-6 },
		},
		{
		    { 4.65e-4, 1.23e-4, 3.35e-3 },
		    { 1.10e-3, 3.53e-4, 7.32e-3 },
		    { 1.09e-3, 1.17e-3, 9.67e-3 },
		    { 2.09e-3, 4.46e-3, 1.29e-2 },
		    { 1.85e-3, 4.56e-3, 5.44e-3 },
		    { 7.79e-4, 8.76e-4, 5.31e-4 },
		    { 2.31e-4, 8.23e-5, 2.60e-5 },
		},
	};
	static const double medians[2][3] = { { 0.49, 0.08, 0.32 },
		{ 0.74, 0.48, 0.30 } };
	struct es_model *model = table1();
	struct bluewaters_level levels[32];
	size_t count = bluewaters_levels(levels, 32);
	double errors[2][3][7], one[3];

	EXPECT_EQ(14, count);
	for (size_t n = 0; n < count; n++) {
		const struct bluewaters_level *l = &levels[n];

		EXPECT_TRUE(l->level < 7);
		level_check(model, l, &want[l->product][l->level], one);
		for (size_t k = 0; k < 3; k++)
			errors[l->product][k][l->level] = one[k];
	}
	for (size_t p = 0; p < 2; p++)
		for (size_t k = 0; k < 3; k++) {
			qsort(errors[p][k], 7, sizeof(double), compare);
			EXPECT_NEAR(medians[p][k], errors[p][k][3], 0.01);
		}
	es_model_free(model);
}

static void
streams_are_interpolated_in_logarithms(void)
{
	uint64_t counts[] = { 1, 100 }, sizes[] = { 1, 10000 };
	double seconds[] = { 1e-6, 1e-4, 1e-7, 1e-5 };
	struct es_model_stream grid = { counts, sizes, 2, 2, seconds };
	struct es_model_messages messages = { 0, 100, 10, 1000 };
	struct es_model_messages mixed[] = { { 0, 1, 9, 9 },
		{ 0, 10000, 1, 10000 } };
	uint64_t received = 10;
	struct es_model_process process = { &messages, 1, 1, &received, 1, 45 };
	struct es_model_phase phase = { &process, 1, NAN, 0, 1 };
	struct es_model_cost cost;
	struct es_model *model;
	uint32_t locality;

	EXPECT_OK(es_model_create(&model));
	EXPECT_OK(es_model_add_locality(model, "all", &locality));
	EXPECT_OK(es_model_set_stream(model, locality, &grid));
	EXPECT_NEAR(1e-6, es_model_stream_s(&grid, 1, 1), 1e-15);
	EXPECT_NEAR(1e-5, es_model_stream_s(&grid, 1, 100), 1e-14);
	EXPECT_NEAR(3.1622777e-6, es_model_stream_s(&grid, 10, 100), 1e-12);
	EXPECT_NEAR(1e-4, es_model_stream_s(&grid, 1000, 100000), 1e-13);
	EXPECT_NEAR(1e-6, es_model_stream_s(&grid, 0.5, 0), 1e-15);
	EXPECT_OK(
	    es_model_add_gamma(model, (struct es_model_gamma){ 10, 2e-9 }));
	(void)es_model_phase(model, ES_MODEL_PAPER, ES_MODEL_STREAMED, &phase,
	    &cost);
	EXPECT_NEAR(10 * 3.1622777e-6, cost.latency_s + cost.bandwidth_s,
	    1e-11);
	EXPECT_NEAR(10 * 3.1622777e-7, cost.latency_s, 1e-12);
	/* All 45 pairs of ten messages: nearly gamma*n^2. */
	EXPECT_NEAR(2 * 2e-9 * 45, cost.queue_s, 1e-15);
	/* The large message is alone in a stream of 10009 bytes. */
	process.messages = mixed;
	process.message_count = 2;
	(void)es_model_phase(model, ES_MODEL_PAPER, ES_MODEL_STREAMED, &phase,
	    &cost);
	EXPECT_NEAR(9 * 3.1622777e-7 + 9.995503e-5,
	    cost.latency_s + cost.bandwidth_s, 1e-11);
	es_model_free(model);
}

TEST_MAIN(messages_have_the_published_times,
    queue_and_contention_have_the_published_times,
    phase_is_the_sum_of_its_messages, paper_fit_rounds_to_the_published_table,
    gamma_and_delta_are_the_published_ones, segment_fit_finds_the_cuts,
    segments_follow_exact_lines, multigrid_levels_have_the_published_breakdown,
    streams_are_interpolated_in_logarithms)
