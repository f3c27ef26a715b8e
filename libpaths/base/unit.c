/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/unit.c - reads and prints numbers with units
 */

#include "libpaths/unit.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Units, the smallest of each kind first. */
static const struct {
	enum paths_unit unit;
	const char *name;    /* is printed and read */
	const char *also[2]; /* are read, too */
	double size;
} scales[] = {
	{ PATHS_UNIT_COUNT, "", { NULL }, 1.0 },
	{ PATHS_UNIT_COUNT, "k", { NULL }, 1e3 },
	{ PATHS_UNIT_COUNT, "M", { NULL }, 1e6 },
	{ PATHS_UNIT_COUNT, "G", { NULL }, 1e9 },
	{ PATHS_UNIT_TIME, "ns", { NULL }, 1.0 },
	{ PATHS_UNIT_TIME, "us", { NULL }, 1e3 },
	{ PATHS_UNIT_TIME, "ms", { NULL }, 1e6 },
	{ PATHS_UNIT_TIME, "s", { NULL }, 1e9 },
	{ PATHS_UNIT_BYTES, "B", { "", NULL }, 1.0 },
	{ PATHS_UNIT_BYTES, "KiB", { "k", "K" }, 0x1p10 },
	{ PATHS_UNIT_BYTES, "MiB", { "M", NULL }, 0x1p20 },
	{ PATHS_UNIT_BYTES, "GiB", { "G", NULL }, 0x1p30 },
	{ PATHS_UNIT_BYTES, "TiB", { "T", NULL }, 0x1p40 },
	{ PATHS_UNIT_RATE, "B/s", { "", NULL }, 1.0 },
	{ PATHS_UNIT_RATE, "kB/s", { "k", NULL }, 1e3 },
	{ PATHS_UNIT_RATE, "MB/s", { "M", NULL }, 1e6 },
	{ PATHS_UNIT_RATE, "GB/s", { "G", NULL }, 1e9 },
	{ PATHS_UNIT_RATE, "TB/s", { "T", NULL }, 1e12 },
	{ PATHS_UNIT_SHARE, "%", { NULL }, 0.01 },
	{ PATHS_UNIT_WHOLE, "", { NULL }, 1.0 },
	{ PATHS_UNIT_PLAIN, "", { NULL }, 1.0 },
};

#define SCALE_COUNT (sizeof(scales) / sizeof(scales[0]))

/* Values from here on are printed with an exponent. */
#define UNIT_LARGE 1e15

static enum paths_unit
unit_kind(enum paths_unit unit)
{
	return unit == PATHS_UNIT_SECONDS ? PATHS_UNIT_TIME : unit;
}

const char *
paths_unit_hint(enum paths_unit unit)
{
	switch (unit) {
	case PATHS_UNIT_TIME:
		return "a duration such as 500us or 1.5s";
	case PATHS_UNIT_SECONDS:
		return "a duration such as 10, 500ms or 1.5s";
	case PATHS_UNIT_BYTES:
		return "a size such as 4096, 64K or 1MiB";
	case PATHS_UNIT_RATE:
		return "bytes per second such as 100M";
	default:
		return "a whole number";
	}
}

/* A number that is being read. */
struct parse {
	enum paths_unit unit;
	const char *at; /* the remainder of the text */
	uint64_t number;
	uint64_t divisor; /* ten to the count of digits after the point */
	uint64_t least, most;
};

static paths_status
parse_refuse(const struct parse *p, const char *reason)
{
	return paths_log_fail(PATHS_ESYNTAX, "%s: expected %s", reason,
	    paths_unit_hint(p->unit));
}

/* Refuses a number outside the bounds.  The message has the exact bound of a
   count, and three digits of other bounds. */
static paths_status
parse_refuse_range(const struct parse *p, bool large)
{
	uint64_t bound = large ? p->most : p->least;
	char text[PATHS_UNIT_TEXT_BYTES];

	if (p->unit == PATHS_UNIT_COUNT)
		snprintf(text, sizeof(text), "%" PRIu64, bound);
	else
		(void)paths_unit_text(p->unit, (double)bound, text);
	return paths_log_fail(PATHS_ERANGE, "too %s: expected at %s %s",
	    large ? "large" : "small", large ? "most" : "least", text);
}

/* Appends digits to the number.  Returns false when it does not fit. */
static bool
parse_digits(struct parse *p)
{
	for (; *p->at >= '0' && *p->at <= '9'; p->at++) {
		if (__builtin_mul_overflow(p->number, 10, &p->number) ||
		    __builtin_add_overflow(p->number, (uint64_t)(*p->at - '0'),
			&p->number))
			return false;
	}
	return true;
}

/* Reads the digits after the point. */
static paths_status
parse_fraction(struct parse *p)
{
	const char *first = ++p->at;

	if (!parse_digits(p) || p->at - first > 19)
		return parse_refuse(p, "too many digits");
	if (p->at == first)
		return parse_refuse(p, "no digit after the point");
	for (; first < p->at; first++)
		p->divisor *= 10;
	return PATHS_OK;
}

/* Reads the number up to its unit. */
static paths_status
parse_number(struct parse *p)
{
	const char *first = p->at;

	if (*first == '\0')
		return parse_refuse(p, "empty");
	if (*first == '-')
		return parse_refuse(p, "negative");
	if (!parse_digits(p))
		return parse_refuse_range(p, true);
	if (p->at == first)
		return parse_refuse(p, "not a number");
	if (*p->at == '.' && p->unit != PATHS_UNIT_COUNT)
		return parse_fraction(p);
	return PATHS_OK;
}

/* Returns the size of a unit; 0: this kind of number has no such unit. */
static uint64_t
parse_size(enum paths_unit unit, const char *name)
{
	for (size_t i = 0; i < SCALE_COUNT; i++) {
		if (scales[i].unit != unit)
			continue;
		if (strcmp(scales[i].name, name) == 0)
			return (uint64_t)scales[i].size;
		for (size_t n = 0; n < 2 && scales[i].also[n] != NULL; n++)
			if (strcmp(scales[i].also[n], name) == 0)
				return (uint64_t)scales[i].size;
	}
	return 0;
}

/* Reads the unit and multiplies the number by it. */
static paths_status
parse_unit(struct parse *p)
{
	bool time = unit_kind(p->unit) == PATHS_UNIT_TIME;
	const char *name = p->at;
	uint64_t size;

	if (name[0] == ' ' && name[1] != '\0' && p->unit != PATHS_UNIT_COUNT)
		name++;
	if (name[0] == '\0' && (p->number == 0 || p->unit == PATHS_UNIT_COUNT))
		return PATHS_OK;
	if (name[0] == '\0' && time)
		name = p->unit == PATHS_UNIT_SECONDS ? "s" : "";
	size = parse_size(unit_kind(p->unit), name);
	if (size == 0 && name[0] == '\0')
		return parse_refuse(p, "no unit");
	if (size == 0 || p->unit == PATHS_UNIT_COUNT)
		return paths_log_fail(PATHS_ESYNTAX,
		    "\"%.20s\" after the number: expected %s", p->at,
		    paths_unit_hint(p->unit));
	if (__builtin_mul_overflow(p->number, size, &p->number))
		return parse_refuse_range(p, true);
	if (p->number % p->divisor != 0)
		return parse_refuse(p,
		    time ? "not a whole number of ns" :
			   "not a whole number of bytes");
	p->number /= p->divisor;
	return PATHS_OK;
}

paths_status
paths_unit_parse(enum paths_unit unit, const char *text, uint64_t least,
    uint64_t most, uint64_t *number)
{
	struct parse p = { .unit = unit,
		.at = text,
		.divisor = 1,
		.least = least,
		.most = most };
	paths_status st = parse_number(&p);

	if (st == PATHS_OK)
		st = parse_unit(&p);
	if (st != PATHS_OK)
		return st;
	if (p.number > most)
		return parse_refuse_range(&p, true);
	if (p.number < least)
		return parse_refuse_range(&p, false);
	*number = p.number;
	return PATHS_OK;
}

static double
unit_abs(double number)
{
	return number < 0.0 ? -number : number;
}

double
paths_unit_scale(enum paths_unit unit, double largest, const char **name)
{
	double size = 0.0;

	unit = unit_kind(unit);
	/* 999.6 would be printed as 1000, so the next unit is used. */
	largest = unit_abs(largest) * 1.0005;
	for (size_t i = 0; i < SCALE_COUNT; i++) {
		if (scales[i].unit != unit ||
		    (size > 0.0 && largest < scales[i].size))
			continue;
		size = scales[i].size;
		*name = scales[i].name;
	}
	return size;
}

/* Returns the count of decimals of three significant digits. */
static int
text_decimals(double number)
{
	double size = unit_abs(number);

	if (!(size < 99.95) || size == (double)(int)size)
		return 0;
	return size >= 9.995 ? 1 : 2;
}

static const char *
text_unit(double number, int decimals, const char *name,
    char text[PATHS_UNIT_TEXT_BYTES])
{
	const char *blank = name[0] == '\0' ? "" : " ";

	if (unit_abs(number) < UNIT_LARGE)
		snprintf(text, PATHS_UNIT_TEXT_BYTES, "%.*f%s%s", decimals,
		    number, blank, name);
	else
		snprintf(text, PATHS_UNIT_TEXT_BYTES, "%.3g%s%s", number, blank,
		    name);
	return text;
}

/* Prints a whole number with a blank between groups of three digits. */
static const char *
text_whole(double value, char text[PATHS_UNIT_TEXT_BYTES])
{
	char digits[24];
	size_t count;
	char *to = text;

	snprintf(digits, sizeof(digits), "%.0f", unit_abs(value));
	count = strlen(digits);
	if (value <= -0.5)
		*to++ = '-';
	for (size_t n = 0; n < count; n++) {
		if (n > 0 && (count - n) % 3 == 0)
			*to++ = ' ';
		*to++ = digits[n];
	}
	*to = '\0';
	return text;
}

const char *
paths_unit_text(enum paths_unit unit, double value,
    char text[PATHS_UNIT_TEXT_BYTES])
{
	const char *name;
	/* The addition makes 0 of -0. */
	double number = value / paths_unit_scale(unit, value, &name) + 0.0;

	if (unit == PATHS_UNIT_WHOLE && unit_abs(value) < UNIT_LARGE)
		return text_whole(value, text);
	if (unit == PATHS_UNIT_PLAIN) {
		snprintf(text, PATHS_UNIT_TEXT_BYTES, "%.10g", value);
		return text;
	}
	return text_unit(number, text_decimals(number), name, text);
}

const char *
paths_unit_text_step(enum paths_unit unit, double value, double step,
    double largest, char text[PATHS_UNIT_TEXT_BYTES])
{
	const char *name;
	double size = unit_abs(value);
	double scale;
	int decimals = 0;

	if (size < largest)
		size = largest;
	if (size < step)
		size = step;
	scale = paths_unit_scale(unit, size, &name);
	/* Halves and quarters of a power of two need more than one decimal. */
	if (unit == PATHS_UNIT_BYTES && step < scale)
		decimals = step < scale / 4.0 ? 3 : 2;
	else
		for (; decimals < 9 && step < scale * (1 - 1e-9); step *= 10.0)
			decimals++;
	return text_unit(value / scale, decimals, name, text);
}
