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
/* Rates of clocks that exist. */
#define CLOCK_HZ_MIN 1000000u
#define CLOCK_HZ_MAX UINT64_C(1000000000000)

enum paths_clock_source paths_clock_how = PATHS_CLOCK_MONOTONIC;

/* All are written by clock_init, before main. */
static bool clock_counter; /* the processor's counter, not CLOCK_MONOTONIC */
static uint64_t clock_hz_measured;
static uint64_t clock_step;
static char clock_domain_text[160];

/* PATHS_CLOCK: reading = base + offset + (raw - base) * rate / 2^63 + wave. */
static uint64_t clock_base;
static int64_t clock_offset_ticks;
static uint64_t clock_rate;
static struct paths__clock_error clock_error;
static double clock_wave_ticks, clock_wave_speed; /* of one tick, in turns */

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

/* Returns how far a wave is off, in its unit, so many ticks after the base.
   Two parabolas look like a sine, and need no libm. */
static double
clock_wave(double size, uint64_t since)
{
	double turn = (double)since * clock_wave_speed;
	double half;

	turn -= (double)(int64_t)turn;
	half = turn < 0.5 ? turn : turn - 0.5;
	return (turn < 0.5 ? size : -size) * 16 * half * (0.5 - half);
}

/* Moves a reading of the raw clock. */
static uint64_t
clock_moved(uint64_t raw)
{
	uint64_t since = raw - clock_base;
	uint64_t moved =
	    (uint64_t)(((unsigned __int128)since * clock_rate) >> 63);

	return clock_base + moved + (uint64_t)clock_offset_ticks +
	    (uint64_t)(int64_t)clock_wave(clock_wave_ticks, since);
}

uint64_t
paths_clock_slow(void)
{
	uint64_t raw = clock_raw();

	return paths_clock_how == PATHS_CLOCK_MOVED ? clock_moved(raw) : raw;
}

/* Moves a time of CLOCK_MONOTONIC or CLOCK_REALTIME like the ticks. */
static uint64_t
clock_move_ns(uint64_t ns, uint64_t since)
{
	double since_ns = (double)since * 1e9 / (double)clock_error.hz;

	return ns + (uint64_t)clock_error.offset_ns +
	    (uint64_t)(int64_t)(since_ns * clock_error.ppm * 1e-6 +
		clock_wave(clock_error.wave_ns, since));
}

void
paths_clock_pair(struct paths_clock_pair *pair)
{
	uint64_t best = UINT64_MAX;
	uint64_t ticks = 0;

	for (int i = 0; i < CLOCK_PAIR_TRIES; i++) {
		uint64_t m0 = clock_gettime_ns(CLOCK_MONOTONIC);
		uint64_t t = clock_raw();
		uint64_t r = clock_gettime_ns(CLOCK_REALTIME);
		uint64_t m1 = clock_gettime_ns(CLOCK_MONOTONIC);

		if (m1 - m0 < best) {
			best = m1 - m0;
			ticks = t;
			pair->monotonic_ns = m0 + best / 2;
			pair->realtime_ns = r;
		}
	}
	pair->ticks = ticks;
	if (paths_clock_how != PATHS_CLOCK_MOVED)
		return;
	pair->ticks = clock_moved(ticks);
	pair->realtime_ns =
	    clock_move_ns(pair->realtime_ns, ticks - clock_base);
	pair->monotonic_ns =
	    clock_move_ns(pair->monotonic_ns, ticks - clock_base);
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

/* Reads a number of at most this size, and the mark behind it; *text: out:
   behind the mark. */
static bool
clock_number(const char **text, char mark, double most, double *number)
{
	char *end;

	/* strtod skips blanks. */
	if (isspace((unsigned char)**text))
		return false;
	*number = strtod(*text, &end);
	if (end == *text || *end != mark)
		return false;
	*text = mark == '\0' ? end : end + 1;
	/* Also false for a value that is not a number. */
	return *number >= -most && *number <= most;
}

/* Reads ",wave_ns,period_s". */
static bool
clock_parse_wave(const char *text, struct paths__clock_error *error)
{
	text++;
	return clock_number(&text, ',', PATHS__CLOCK_WAVE_NS_MAX,
		   &error->wave_ns) &&
	    clock_number(&text, '\0', PATHS__CLOCK_PERIOD_S_MAX,
		&error->period_s) &&
	    /* The rate changes by 8 * wave / period. */
	    error->period_s * 1e9 * PATHS__CLOCK_PPM_MAX * 1e-6 >=
	    8 * (error->wave_ns < 0 ? -error->wave_ns : error->wave_ns);
}

/* Reads "base,hz". */
static bool
clock_parse_base(const char *text, struct paths__clock_error *error)
{
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	error->base = strtoull(text, &end, 10);
	if (errno != 0 || *end != ',' || !isdigit((unsigned char)end[1]))
		return false;
	error->hz = strtoull(end + 1, &end, 10);
	return errno == 0 && *end == '\0' && error->hz >= CLOCK_HZ_MIN &&
	    error->hz <= CLOCK_HZ_MAX;
}

bool
paths__clock_parse(const char *text, struct paths__clock_error *error)
{
	struct paths__clock_error read = { 0 };
	char first[128];
	const char *base = strchr(text, '@');
	const char *at = first;
	char *wave, *end;

	if (strlen(text) >= sizeof(first) || isspace((unsigned char)text[0]))
		return false;
	snprintf(first, sizeof(first), "%s", text);
	if (base != NULL)
		first[base - text] = '\0';
	errno = 0;
	read.offset_ns = strtoll(first, &end, 10);
	if (end == first || errno != 0 || *end != ',' ||
	    read.offset_ns < -PATHS__CLOCK_OFFSET_NS_MAX ||
	    read.offset_ns > PATHS__CLOCK_OFFSET_NS_MAX)
		return false;
	at = end + 1;
	wave = strchr(at, ',');
	if (!clock_number(&at, wave == NULL ? '\0' : ',', PATHS__CLOCK_PPM_MAX,
		&read.ppm) ||
	    (wave != NULL && !clock_parse_wave(wave, &read)) ||
	    (base != NULL && !clock_parse_base(base + 1, &read)))
		return false;
	*error = read;
	return true;
}

/* Moves the clock by the value of PATHS_CLOCK.  Returns false for another text
   than paths__clock_parse reads. */
static bool
clock_move(const char *text)
{
	if (!paths__clock_parse(text, &clock_error))
		return false;
	clock_base = clock_error.base;
	if (clock_error.hz == 0) {
		clock_base = clock_raw();
		clock_error.hz = clock_hz_measured;
	}
	clock_rate =
	    (uint64_t)((1.0 + clock_error.ppm * 1e-6) * 9223372036854775808.0);
	clock_offset_ticks = (int64_t)((double)clock_error.offset_ns * 1e-9 *
	    (double)clock_error.hz);
	clock_wave_ticks = clock_error.wave_ns * 1e-9 * (double)clock_error.hz;
	if (clock_error.wave_ns != 0)
		clock_wave_speed =
		    1 / (clock_error.period_s * (double)clock_error.hz);
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
		paths_log_warn("PATHS_CLOCK=%s: expected "
			       "offset_ns,ppm[,wave_ns,period_s][@base,hz], at "
			       "most %lld,%.0f; the clock is not moved",
		    moved, (long long)PATHS__CLOCK_OFFSET_NS_MAX,
		    PATHS__CLOCK_PPM_MAX);
		moved = NULL;
	}
	clock_name(moved);
}
