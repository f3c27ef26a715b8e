/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/calibrate/steady_test.c - the reference of a calibration
 */

#include "scopes/calibrate/steady_private.h"
#include "scopes/calibrate/turns_private.h"

#include "tests/test.h"

/* Factor of the machine: the times of a fast one are 200 ns and 10 us. */
static double slower;

double
es__turns_median(struct es__calibrate *c, struct es__turns ping)
{
	(void)c;
	return (ping.bytes == 8 ? 200e-9 : 10e-6) * slower;
}

/* A machine that is slower in each third look. */
static struct es__calibrate_look
glance(struct es__calibrate *c, int n)
{
	slower = n % 3 == 2 ? 2.5 : 1;
	return es__steady_look(c, &c->classes[0]);
}

/* Visits a stream; a repeat takes as long as the machine was slow. */
static void
visit(struct es__calibrate *c, struct es__steady_repeats *to, int n)
{
	to->looks[to->visits++] = glance(c, n);
	to->seconds[to->count++] = slower;
	to->seconds[to->count++] = slower * 1.01;
}

/* Repeats count only if the reference was at its level beside them. */
static void
repeats_at_the_level_count(void)
{
	static struct es__calibrate_class class;
	static struct es__steady_repeats some, none;
	struct es__calibrate c = { .classes = &class, .class_count = 1 };

	class = (struct es__calibrate_class){ 0 };
	some = none = (struct es__steady_repeats){ 0 };
	for (int n = 0; n < 60; n++)
		(void)glance(&c, n);
	for (int n = 0; n < 3; n++)
		visit(&c, &some, n);
	visit(&c, &none, 2);
	es__steady_level(&class);
	EXPECT_NEAR(200e-9, class.level[0], 1e-12);
	EXPECT_NEAR(1.5, class.spread, 1e-9);
	EXPECT_TRUE(es__steady_reached(&class, &some));
	EXPECT_TRUE(!es__steady_reached(&class, &none));
	EXPECT_TRUE(es__steady_value(&class, &some) < 1.011);
	EXPECT_NEAR(0, es__steady_drift(&c), 1e-9);
	EXPECT_TRUE(es__steady_value(&class, &none) >= 2.5);
	EXPECT_NEAR(1.5, es__steady_drift(&c), 1e-9);
}

/* Without looks, as in a quick calibration, the extremes are the drift. */
static void
references_alone_have_extremes(void)
{
	static struct es__calibrate_class class;
	static struct es__steady_repeats repeats;
	struct es__calibrate c = { .classes = &class,
		.class_count = 1,
		.quick = true };

	class = (struct es__calibrate_class){ 0 };
	repeats = (struct es__steady_repeats){ 0 };
	visit(&c, &repeats, 2);
	visit(&c, &repeats, 0);
	es__steady_level(&class);
	EXPECT_TRUE(es__steady_reached(&class, &repeats));
	slower = 1;
	es__steady_reference(&c);
	slower = 1.2;
	es__steady_reference(&c);
	EXPECT_NEAR(0.2, es__steady_drift(&c), 1e-9);
}

/* Looks at long messages would take longer than what they check. */
static void
slow_links_have_no_looks(void)
{
	static struct es__calibrate_class class;
	struct es__calibrate c = { .classes = &class, .class_count = 1 };
	struct es__calibrate_look look;

	class = (struct es__calibrate_class){ 0 };
	slower = 100;
	(void)es__steady_look(&c, &class);
	look = es__steady_look(&c, &class);
	EXPECT_TRUE(look.seconds[0] == 0);
	EXPECT_EQ(1, class.look_count);
	slower = 100;
	es__steady_reference(&c);
	slower = 150;
	es__steady_reference(&c);
	EXPECT_NEAR(0.5, es__steady_drift(&c), 1e-9);
}

TEST_MAIN(repeats_at_the_level_count, references_alone_have_extremes,
    slow_links_have_no_looks)
