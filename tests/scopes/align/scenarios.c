/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/align/scenarios.c - prints how well methods align scenarios
 *
 *	scenarios [-s SEEDS] [-m METHOD] [-r REFERENCE] [SCENARIO...]
 *
 * By hand, for the table of accuracies.  Writes each scenario as event spaces
 * and reads these.  Errors and bounds are in us.  Without -r, errors are
 * relative to the reference that the method chose.
 */

#include "tests/scopes/align/scenario_run.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void
scenario_print(const char *name, uint64_t seed, const char *method,
    uint32_t reference)
{
	struct scenario *s = scenario_create(name, seed);
	struct fake_run *run;
	struct scenario_result r;

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

int
main(int argc, char **argv)
{
	uint32_t reference = SCENARIO_REFERENCE;
	const char *method = "network";
	uint64_t seeds = 1;
	int c;

	while ((c = getopt(argc, argv, "s:m:r:")) != -1) {
		if (c == 's')
			seeds = strtoull(optarg, NULL, 10);
		else if (c == 'm')
			method = optarg;
		else if (c == 'r')
			reference = (uint32_t)strtoul(optarg, NULL, 10);
		else
			return 2;
	}
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
