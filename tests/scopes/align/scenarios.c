/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/align/scenarios.c - prints how well methods align scenarios
 *
 *	scenarios [-s SEEDS] [-m METHOD] [-r REFERENCE] [SCENARIO...]
 *	scenarios -c [-s SEEDS] [SCENARIO...]
 *
 * By hand, for the table of accuracies.  Writes each scenario as event spaces
 * and reads these.  Errors and bounds are in us.  Without -r, errors are
 * relative to the reference that the method chose.
 *
 * -c compares all methods on the same data, 5 seeds each: the medians over the
 * seeds of the median and of the 99 % quantile, and the worst of the latter.
 * The default method must meet the goals, all its operations must arrive after
 * they were sent, all errors must be within their bounds, and no other method
 * may be better by more than 10 % or 0.3 us.  The status is 1 if it is not so.
 */

#include "tests/scopes/align/scenario_run.h"

#include "tests/test.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEEDS_MOST 100u
/* The default method, and others on the same data. */
#define METHODS 4u

static const char *const methods[METHODS] = { "network", "line", "minimum",
	"average" };

/* Goals of the default method, of the errors relative to a host. */
static const struct goal {
	const char *scenario;
	uint32_t reference;
	double median, p99; /* us; 0: none */
	bool alone;	    /* it is not compared with other methods */
} goals[] = {
	{ "e1", 0, 0.05, 0.15, false },
	{ "e1n50", 0, 1.5, 8, false },
	{ "e2", 0, 0.5, 2.5, false },
	/* Its bulk goes one way: no method can tell how long that takes. */
	{ "e2b", 0, 0, 0, false },
	{ "e2s", 0, 8, 17, false },
	/* Asymmetric: a smaller error is chance. */
	{ "e3", 9, 650, 680, true },
	{ "e4", 0, 0.15, 0.55, false },
	{ "e5", 0, 0.07, 0.30, false },
};

#define GOALS (sizeof(goals) / sizeof(goals[0]))

/* Results of a method on a scenario, of each seed. */
struct results {
	double median[SEEDS_MOST], p99[SEEDS_MOST];
	uint64_t operations, correct;
	double covered; /* the least */
};

static void
scenario_print(const char *name, uint64_t seed, const char *method,
    uint32_t reference)
{
	struct scenario *s = scenario_create(name, seed);
	struct fake_run *run;
	struct accuracy_result r;

	EXPECT_TRUE(s != NULL);
	run = scenario_run_create(s);
	r = scenario_run_check(s, fake_run_dir(run), method, reference);
	printf("%s\t%s\t%llu\t%u\t%.4f\t%.3f\t%.3f\t%.3f\t%.3f\t%.1f\t%.2f\t"
	       "%.3f\n",
	    name, method, (unsigned long long)seed, r.reference,
	    100 * (double)r.correct / (double)r.operations, r.median, r.mean,
	    r.p99, r.most, r.bound, 100 * r.bounded, 100 * r.covered);
	fflush(stdout);
	fake_run_remove(run);
	scenario_destroy(s);
}

static int
number_order(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* Aligns the scenario of a seed by all methods. */
static void
compare_seed(const struct goal *goal, unsigned seed, struct results *results)
{
	struct scenario *s = scenario_create(goal->scenario, seed + 1);
	struct fake_run *run;

	EXPECT_TRUE(s != NULL);
	run = scenario_run_create(s);
	for (unsigned n = 0; n < METHODS; n++) {
		struct accuracy_result r = scenario_run_check(s,
		    fake_run_dir(run), methods[n], goal->reference);

		results[n].median[seed] = r.median;
		results[n].p99[seed] = r.p99;
		results[n].operations += r.operations;
		results[n].correct += r.correct;
		results[n].covered = fmin(results[n].covered, r.covered);
	}
	fake_run_remove(run);
	scenario_destroy(s);
}

/* Returns whether an error is worse than another by too much. */
static bool
is_worse(double error, double other)
{
	return error - other > fmax(0.1 * other, 0.3);
}

/* Returns how the first method misses its goal; NULL: it does not. */
static const char *
compare_miss(const struct goal *goal, const struct results *results,
    unsigned middle)
{
	const struct results *first = &results[0];

	if (first->correct < first->operations)
		return "operations are wrong";
	if (first->covered < 1)
		return "errors exceed bounds";
	if (goal->median > 0 && first->median[middle] > goal->median)
		return "median";
	if (goal->p99 > 0 && first->p99[middle] > goal->p99)
		return "p99";
	for (unsigned n = 1; n < METHODS && !goal->alone; n++)
		if (is_worse(first->median[middle],
			results[n].median[middle]) ||
		    is_worse(first->p99[middle], results[n].p99[middle]))
			return methods[n];
	return NULL;
}

/* Prints the lines of a scenario; returns whether its goals are met. */
static bool
compare_goal(const struct goal *goal, unsigned seeds)
{
	struct results *results = calloc(METHODS, sizeof(*results));
	const char *miss;

	EXPECT_TRUE(results != NULL);
	for (unsigned n = 0; n < METHODS; n++)
		results[n].covered = 1;
	for (unsigned seed = 0; seed < seeds; seed++)
		compare_seed(goal, seed, results);
	for (unsigned n = 0; n < METHODS; n++) {
		qsort(results[n].median, seeds, sizeof(double), number_order);
		qsort(results[n].p99, seeds, sizeof(double), number_order);
	}
	miss = compare_miss(goal, results, seeds / 2);
	for (unsigned n = 0; n < METHODS; n++) {
		const struct results *r = &results[n];

		printf("%s\t%s\t%.4f\t%.3f\t%.3f\t%.3f\t%g\t%g\t%s%s\n",
		    goal->scenario, methods[n],
		    100 * (double)r->correct / (double)r->operations,
		    r->median[seeds / 2], r->p99[seeds / 2], r->p99[seeds - 1],
		    goal->median, goal->p99,
		    n > 0	     ? "" :
			miss == NULL ? "met" :
				       "missed: ",
		    n > 0 || miss == NULL ? "" : miss);
	}
	fflush(stdout);
	free(results);
	return miss == NULL;
}

/* Compares all methods on some scenarios, or on all that have goals. */
static int
compare(unsigned seeds, char *const *names)
{
	bool met = true;

	puts("scenario\tmethod\tcorrect_%\tmedian\tp99\tworst_p99"
	     "\tgoal_median\tgoal_p99\tgoal");
	for (size_t n = 0; n < GOALS; n++) {
		bool named = names[0] == NULL;

		for (unsigned i = 0; names[i] != NULL; i++)
			named |= strcmp(names[i], goals[n].scenario) == 0;
		if (named)
			met = compare_goal(&goals[n], seeds) && met;
	}
	return met ? 0 : 1;
}

int
main(int argc, char **argv)
{
	uint32_t reference = ACCURACY_REFERENCE;
	const char *method = "network";
	unsigned long seeds = 0;
	bool all = false;
	int c;

	while ((c = getopt(argc, argv, "cs:m:r:")) != -1) {
		if (c == 's')
			seeds = strtoul(optarg, NULL, 10);
		else if (c == 'c')
			all = true;
		else if (c == 'm')
			method = optarg;
		else if (c == 'r')
			reference = (uint32_t)strtoul(optarg, NULL, 10);
		else
			return 2;
	}
	if (seeds > SEEDS_MOST)
		return 2;
	if (all)
		return compare(seeds > 0 ? (unsigned)seeds : 5, argv + optind);
	seeds = seeds > 0 ? seeds : 1;
	puts("scenario\tmethod\tseed\treference\tcorrect_%\tmedian\tmean\tp99"
	     "\tmost\tbound\tbounded_%\tcovered_%");
	for (uint64_t seed = 1; optind < argc && seed <= seeds; seed++)
		for (int n = optind; n < argc; n++)
			scenario_print(argv[n], seed, method, reference);
	for (uint64_t seed = 1; optind == argc && seed <= seeds; seed++)
		for (unsigned n = 0; n < scenario_count(); n++)
			scenario_print(scenario_name(n), seed, method,
			    reference);
	return 0;
}
