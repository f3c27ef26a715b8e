/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/clock.c - chooses, calibrates and moves the clock
 *
 * The time stamp counter is used if the processor reports that it is constant
 * and does not stop, the kernel lists it (or kvm-clock) as a clock source, and
 * a check across the processors of this machine finds no step backward.
 */

#include "libpaths/base/clock_private.h"

#include "libpaths/clock.h"
#include "libpaths/log.h"

#include <ctype.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CLOCK_CALIBRATE_NS 4000000u
#define CLOCK_PAIR_TRIES 16
#define CLOCK_NS_PER_S UINT64_C(1000000000)

enum paths_clock_source paths_clock_how = PATHS_CLOCK_MONOTONIC;

/* All are written by clock_init, before main. */
static bool clock_counter; /* the processor's counter, not CLOCK_MONOTONIC */
static uint64_t clock_hz_measured;
static uint64_t clock_step;
static char clock_domain_text[160];

/* PATHS_CLOCK: reading = base + offset + (raw - base) * rate / 2^63. */
static uint64_t clock_base;
static int64_t clock_offset_ticks;
static uint64_t clock_rate;
static struct paths__clock_error clock_error;
static uint64_t clock_base_mono_ns;

static uint64_t
clock_gettime_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * CLOCK_NS_PER_S + (uint64_t)ts.tv_nsec;
}

static uint64_t
clock_raw(void)
{
#if defined(__x86_64__)
	if (clock_counter) {
		_mm_lfence();
		return __rdtsc();
	}
#elif defined(__aarch64__)
	if (clock_counter) {
		uint64_t t;

		__asm__ volatile("isb; mrs %0, cntvct_el0"
				 : "=r"(t)
				 :
				 : "memory");
		return t;
	}
#endif
	return clock_gettime_ns(CLOCK_MONOTONIC);
}

uint64_t
paths_clock_slow(void)
{
	uint64_t raw = clock_raw();
	uint64_t moved;

	if (paths_clock_how != PATHS_CLOCK_MOVED)
		return raw;
	moved =
	    (uint64_t)(((unsigned __int128)(raw - clock_base) * clock_rate) >>
		63);
	return clock_base + moved + (uint64_t)clock_offset_ticks;
}

/* Moves a time of CLOCK_MONOTONIC or CLOCK_REALTIME like the ticks. */
static uint64_t
clock_move_ns(uint64_t ns, uint64_t since_base)
{
	if (paths_clock_how != PATHS_CLOCK_MOVED)
		return ns;
	return ns + (uint64_t)clock_error.offset_ns +
	    (uint64_t)(int64_t)((double)since_base * clock_error.ppm * 1e-6);
}

void
paths_clock_pair(struct paths_clock_pair *pair)
{
	uint64_t best = UINT64_MAX;
	uint64_t mono = 0, real = 0, ticks = 0;

	for (int i = 0; i < CLOCK_PAIR_TRIES; i++) {
		uint64_t m0 = clock_gettime_ns(CLOCK_MONOTONIC);
		uint64_t t = paths_clock_slow();
		uint64_t r = clock_gettime_ns(CLOCK_REALTIME);
		uint64_t m1 = clock_gettime_ns(CLOCK_MONOTONIC);

		if (m1 - m0 < best) {
			best = m1 - m0;
			mono = m0 + best / 2;
			real = r;
			ticks = t;
		}
	}
	pair->ticks = ticks;
	pair->realtime_ns = clock_move_ns(real, mono - clock_base_mono_ns);
	pair->monotonic_ns = clock_move_ns(mono, mono - clock_base_mono_ns);
}

uint64_t
paths_clock_hz(void)
{
	return clock_hz_measured;
}

uint64_t
paths_clock_ns_to_ticks(uint64_t ns)
{
	return (uint64_t)((unsigned __int128)ns * clock_hz_measured /
	    CLOCK_NS_PER_S);
}

uint64_t
paths_clock_ticks_to_ns(uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * CLOCK_NS_PER_S /
	    clock_hz_measured);
}

uint64_t
paths_clock_resolution(void)
{
	return clock_step;
}

const char *
paths_clock_domain(void)
{
	return clock_domain_text;
}

static bool
clock_file_has(const char *file, const char *word)
{
	char text[4096];
	FILE *f = fopen(file, "re");
	size_t n;

	if (!f)
		return false;
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	return strstr(text, word) != NULL;
}

/* Reads the counter on each processor in turn.  Returns true when a reading is
   before the previous one. */
static bool
clock_steps_back(void)
{
	cpu_set_t before, one;
	uint64_t last = 0;
	bool back = false;

	if (sched_getaffinity(0, sizeof(before), &before) != 0)
		return false;
	for (int round = 0; round < 2 && !back; round++)
		for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
			uint64_t now;

			if (!CPU_ISSET(cpu, &before))
				continue;
			CPU_ZERO(&one);
			CPU_SET(cpu, &one);
			if (sched_setaffinity(0, sizeof(one), &one) != 0)
				continue;
			now = clock_raw();
			back |= now < last;
			last = now;
		}
	sched_setaffinity(0, sizeof(before), &before);
	return back;
}

/* Returns true when the counter can be the clock.  On x86-64 also sets
   clock_counter, so that clock_steps_back reads the counter. */
static bool
clock_check_counter(void)
{
#if defined(__x86_64__)
	/* The kernel drops the counter from this list when it finds steps
	   between processors. */
	static const char source[] = "/sys/devices/system/clocksource/"
				     "clocksource0/available_clocksource";
	bool listed = clock_file_has(source, "tsc") ||
	    clock_file_has(source, "kvm-clock");

	clock_counter = listed &&
	    clock_file_has("/proc/cpuinfo", " constant_tsc") &&
	    clock_file_has("/proc/cpuinfo", " nonstop_tsc");
	return clock_counter && !clock_steps_back();
#elif defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

/* Returns ticks per second, from two pairs a few milliseconds apart. */
static uint64_t
clock_calibrate(void)
{
	struct paths_clock_pair a, b;

	if (!clock_counter)
		return CLOCK_NS_PER_S;
	paths_clock_pair(&a);
	do
		paths_clock_pair(&b);
	while (b.monotonic_ns - a.monotonic_ns < CLOCK_CALIBRATE_NS);
	return (uint64_t)((unsigned __int128)(b.ticks - a.ticks) *
	    CLOCK_NS_PER_S / (b.monotonic_ns - a.monotonic_ns));
}

static uint64_t
clock_smallest_step(void)
{
	uint64_t smallest = UINT64_MAX;
	uint64_t last = paths_clock_ticks();

	for (int i = 0; i < 1000; i++) {
		uint64_t now = paths_clock_ticks();

		if (now > last && now - last < smallest)
			smallest = now - last;
		last = now;
	}
	return smallest == UINT64_MAX ? 1 : smallest;
}

bool
paths__clock_parse(const char *text, struct paths__clock_error *error)
{
	char *end;
	long long offset_ns;
	double ppm;

	/* strtoll and strtod skip blanks. */
	if (isspace((unsigned char)text[0]))
		return false;
	errno = 0;
	offset_ns = strtoll(text, &end, 10);
	if (end == text || errno != 0 || *end != ',' ||
	    isspace((unsigned char)end[1]))
		return false;
	text = end + 1;
	ppm = strtod(text, &end);
	if (end == text || *end != '\0' ||
	    offset_ns < -PATHS__CLOCK_OFFSET_NS_MAX ||
	    offset_ns > PATHS__CLOCK_OFFSET_NS_MAX)
		return false;
	/* Also false for a value that is not a number. */
	if (!(ppm >= -PATHS__CLOCK_PPM_MAX && ppm <= PATHS__CLOCK_PPM_MAX))
		return false;
	*error = (struct paths__clock_error){ offset_ns, ppm };
	return true;
}

/* Moves the clock by the value of PATHS_CLOCK.  Returns false unless it is
   offset_ns,ppm. */
static bool
clock_move(const char *text)
{
	if (!paths__clock_parse(text, &clock_error))
		return false;
	clock_rate =
	    (uint64_t)((1.0 + clock_error.ppm * 1e-6) * 9223372036854775808.0);
	clock_base = clock_raw();
	clock_base_mono_ns = clock_gettime_ns(CLOCK_MONOTONIC);
	clock_offset_ticks = (int64_t)((double)clock_error.offset_ns * 1e-9 *
	    (double)clock_hz_measured);
	paths_clock_how = PATHS_CLOCK_MOVED;
	return true;
}

static void
clock_name(const char *moved)
{
	char boot[64] = "unknown";
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (f) {
		if (fgets(boot, sizeof(boot), f))
			boot[strcspn(boot, "\n")] = '\0';
		fclose(f);
	}
	snprintf(clock_domain_text, sizeof(clock_domain_text), "%s/%s%s%s",
	    boot, clock_counter ? "counter" : "monotonic", moved ? "/" : "",
	    moved ? moved : "");
}

__attribute__((constructor)) static void
clock_init(void)
{
	const char *moved = getenv("PATHS_CLOCK");

	clock_counter = clock_check_counter();
	if (clock_counter)
		paths_clock_how = PATHS_CLOCK_RAW;
	clock_hz_measured = clock_calibrate();
	clock_step = clock_smallest_step();
	if (moved && !clock_move(moved)) {
		paths_log_warn("PATHS_CLOCK=%s: expected offset_ns,ppm, at "
			       "most %lld,%.0f; the clock is not moved",
		    moved, (long long)PATHS__CLOCK_OFFSET_NS_MAX,
		    PATHS__CLOCK_PPM_MAX);
		moved = NULL;
	}
	clock_name(moved);
}
