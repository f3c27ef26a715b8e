/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/type.c - reads, prints and registers types of tuples
 *
 * The kinds of values are a table.  The names of tuples with fields are in a
 * list to which names are only added, so it is read without a lock.
 */

#include "libpaths/type.h"

#include "libpaths/base/type_private.h"
#include "libpaths/log.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define TYPE_NAMES_MAX 64

static const struct {
	char name[4];
	uint32_t bytes;
} type_kinds[] = {
	[PATHS_TYPE_I8] = { "i8", 1 },
	[PATHS_TYPE_U8] = { "u8", 1 },
	[PATHS_TYPE_I16] = { "i16", 2 },
	[PATHS_TYPE_U16] = { "u16", 2 },
	[PATHS_TYPE_I32] = { "i32", 4 },
	[PATHS_TYPE_U32] = { "u32", 4 },
	[PATHS_TYPE_I64] = { "i64", 8 },
	[PATHS_TYPE_U64] = { "u64", 8 },
	[PATHS_TYPE_F32] = { "f32", 4 },
	[PATHS_TYPE_F64] = { "f64", 8 },
};

struct type_name {
	char name[PATHS_TYPE_NAME_BYTES];
	uint32_t bytes;
};

static struct {
	pthread_mutex_t lock; /* held by the thread that adds a name */
	struct type_name names[TYPE_NAMES_MAX];
	_Atomic uint32_t count; /* stored after the name is written */
} type_registry = { .lock = PTHREAD_MUTEX_INITIALIZER };

static enum paths_type_kind
type_kind(const char *word, size_t length)
{
	for (int kind = PATHS_TYPE_I8; kind <= PATHS_TYPE_F64; kind++) {
		if (strlen(type_kinds[kind].name) == length &&
		    memcmp(type_kinds[kind].name, word, length) == 0)
			return (enum paths_type_kind)kind;
	}
	return PATHS_TYPE_NONE;
}

static const struct type_name *
type_name_find(const char *word, size_t length)
{
	/* Acquire: pairs with the release in type_add. */
	uint32_t count =
	    atomic_load_explicit(&type_registry.count, memory_order_acquire);

	for (uint32_t n = 0; n < count; n++) {
		const struct type_name *name = &type_registry.names[n];

		if (strlen(name->name) == length &&
		    memcmp(name->name, word, length) == 0)
			return name;
	}
	return NULL;
}

/* Reads the part before "*", a kind of value or a name.  Sets all but count. */
static bool
type_parse_word(const char *word, size_t length, struct paths_type *type)
{
	const struct type_name *name;

	memset(type, 0, sizeof(*type));
	type->kind = type_kind(word, length);
	if (type->kind != PATHS_TYPE_NONE) {
		type->bytes = type_kinds[type->kind].bytes;
		return true;
	}
	name = type_name_find(word, length);
	if (name == NULL)
		return false;
	type->kind = PATHS_TYPE_NAMED;
	type->bytes = name->bytes;
	memcpy(type->name, name->name, sizeof(type->name));
	return true;
}

/* Reads a number.  One that does not fit becomes UINT32_MAX. */
static bool
type_parse_count(const char *digits, uint32_t *count)
{
	uint64_t n = 0;

	if (*digits == '\0')
		return false;
	for (; *digits != '\0'; digits++) {
		if (*digits < '0' || *digits > '9')
			return false;
		n = n * 10 + (uint64_t)(*digits - '0');
		if (n > UINT32_MAX)
			n = UINT32_MAX;
	}
	*count = (uint32_t)n;
	return true;
}

paths_status
paths_type_parse(const char *text, struct paths_type *type)
{
	struct paths_type t;
	size_t length = strcspn(text, "*");
	const char *digits = text + length + (text[length] == '*');
	bool varies = strncmp(digits, "..", 2) == 0;
	uint32_t count = 1;

	if (!type_parse_word(text, length, &t) ||
	    (text[length] == '*' &&
		!type_parse_count(digits + (varies ? 2 : 0), &count)))
		return paths_log_fail(PATHS_ESYNTAX,
		    "\"%.64s\" is not a tuple type", text);
	if (count == 0 || count > PATHS_TYPE_BYTES_MAX / t.bytes)
		return paths_log_fail(PATHS_ERANGE,
		    "a tuple \"%.64s\" is not from 1 to %u bytes", text,
		    PATHS_TYPE_BYTES_MAX);
	t.count = count;
	t.value_bytes = t.bytes;
	t.bytes *= count;
	t.varies = varies;
	*type = t;
	return PATHS_OK;
}

char *
paths_type_text(const struct paths_type *type, char text[48])
{
	const char *word = type->kind == PATHS_TYPE_NAMED ?
	    type->name :
	    type_kinds[type->kind].name;

	if (type->kind == PATHS_TYPE_NONE)
		snprintf(text, 48, "unknown");
	else if (type->kind == PATHS_TYPE_NAMED && type->count == 1 &&
	    !type->varies)
		snprintf(text, 48, "%s", word);
	else
		snprintf(text, 48, "%s*%s%u", word, type->varies ? ".." : "",
		    type->count);
	return text;
}

bool
paths_type_equal(const struct paths_type *a, const struct paths_type *b)
{
	return a->kind == b->kind && a->count == b->count &&
	    a->bytes == b->bytes && a->varies == b->varies &&
	    (a->kind != PATHS_TYPE_NAMED || strcmp(a->name, b->name) == 0);
}

bool
paths__type_is_word(const char *name, size_t bytes_max)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz"
				      "0123456789._-";
	size_t length = strlen(name);

	return length > 0 && length <= bytes_max && name[0] != '-' &&
	    strspn(name, letters) == length;
}

/* Adds a name; the registry is locked. */
static paths_status
type_add(const char *name, uint32_t bytes)
{
	const struct type_name *known = type_name_find(name, strlen(name));
	uint32_t count = atomic_load_explicit(&type_registry.count,
	    memory_order_relaxed); /* only written under the lock */

	if (known != NULL && known->bytes != bytes)
		return paths_log_fail(PATHS_EBUSY,
		    "tuple type %s has %u bytes already, not %u", name,
		    known->bytes, bytes);
	if (known != NULL)
		return PATHS_OK;
	if (count == TYPE_NAMES_MAX)
		return paths_log_fail(PATHS_ENOMEM,
		    "tuple type %s is one more than %d", name, TYPE_NAMES_MAX);
	strcpy(type_registry.names[count].name, name);
	type_registry.names[count].bytes = bytes;
	/* Release: pairs with the acquire in type_name_find. */
	atomic_store_explicit(&type_registry.count, count + 1,
	    memory_order_release);
	return PATHS_OK;
}

paths_status
paths_type_register(const char *name, uint32_t bytes)
{
	paths_status st;

	if (name == NULL ||
	    !paths__type_is_word(name, PATHS_TYPE_NAME_BYTES - 1) ||
	    type_kind(name, strlen(name)) != PATHS_TYPE_NONE)
		return paths_log_fail(PATHS_EINVAL,
		    "\"%.64s\" cannot name a tuple type",
		    name == NULL ? "" : name);
	if (bytes == 0 || bytes > PATHS_TYPE_BYTES_MAX)
		return paths_log_fail(PATHS_EINVAL,
		    "tuple type %s: %u bytes is not from 1 to %u", name, bytes,
		    PATHS_TYPE_BYTES_MAX);
	pthread_mutex_lock(&type_registry.lock);
	st = type_add(name, bytes);
	pthread_mutex_unlock(&type_registry.lock);
	return st;
}
