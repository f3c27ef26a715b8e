/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/bytes.c - a queue of bytes, and the numbers and texts in the
 * frames of a launcher
 *
 * A number has eight bytes in the order of the machine.  A text is preceded by
 * its length as a number, and ends with a zero byte that the length includes.
 */

#include "libpaths/launch/bytes_private.h"

#include "libpaths/base/array.h"

#include <string.h>

uint8_t *
launch_bytes_add(struct launch_bytes *b, size_t count)
{
	if (b->begin > 0 && (b->begin == b->end || b->begin > b->room / 2)) {
		memmove(b->memory, b->memory + b->begin, b->end - b->begin);
		b->end -= b->begin;
		b->begin = 0;
	}
	if (!paths__array_reserve(&b->memory, b->end + count, &b->room, 1)) {
		b->lost = true;
		return NULL;
	}
	/* There may be no memory yet, for no bytes. */
	if (count == 0)
		return b->memory;
	b->end += count;
	return b->memory + b->end - count;
}

void
launch_bytes_take(struct launch_bytes *b, size_t count)
{
	b->begin += count;
}

void
launch_bytes_fini(struct launch_bytes *b)
{
	if (b->memory != NULL)
		explicit_bzero(b->memory, b->room);
	free(b->memory);
	*b = (struct launch_bytes){ .memory = NULL };
}

void
launch_put_bytes(struct launch_bytes *b, const void *bytes, size_t count)
{
	uint8_t *at = launch_bytes_add(b, count);

	if (at != NULL && count > 0)
		memcpy(at, bytes, count);
}

void
launch_put_number(struct launch_bytes *b, uint64_t number)
{
	launch_put_bytes(b, &number, sizeof(number));
}

void
launch_put_text(struct launch_bytes *b, const char *text)
{
	const size_t count = strlen(text) + 1;

	launch_put_number(b, count);
	launch_put_bytes(b, text, count);
}

bool
launch_get_bytes(struct launch_get *get, void *bytes, size_t count)
{
	if (get->wrong || get->left < count) {
		get->wrong = true;
		memset(bytes, 0, count);
		return false;
	}
	memcpy(bytes, get->at, count);
	get->at += count;
	get->left -= count;
	return true;
}

uint64_t
launch_get_number(struct launch_get *get)
{
	uint64_t number;

	launch_get_bytes(get, &number, sizeof(number));
	return number;
}

const char *
launch_get_text(struct launch_get *get)
{
	const uint64_t count = launch_get_number(get);
	const char *text = (const char *)get->at;

	if (get->wrong || count == 0 || count > get->left ||
	    memchr(text, '\0', count) != text + count - 1) {
		get->wrong = true;
		return "";
	}
	get->at += count;
	get->left -= count;
	return text;
}

bool
launch_get_ends(const struct launch_get *get)
{
	return !get->wrong && get->left == 0;
}
