/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/descriptor.c - sockets that a forked process closes
 *
 * A forked process that kept the sockets of its parent would hide the end of
 * the parent from the peers, and keep its ports in use.  A bitmap has a bit for
 * each socket.  Without memory for it, a forked process keeps the socket.
 */

#include "libpaths/net/descriptor_private.h"

#include "libpaths/base/array.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define DESCRIPTOR_WORD_BITS 64u

static pthread_mutex_t descriptor_lock = PTHREAD_MUTEX_INITIALIZER;

/* Under descriptor_lock. */
static uint64_t *descriptor_words;
static size_t descriptor_room;

static uint64_t
descriptor_bit(int fd)
{
	return UINT64_C(1) << ((unsigned)fd % DESCRIPTOR_WORD_BITS);
}

static void
descriptor_set_locked(int fd)
{
	size_t word = (unsigned)fd / DESCRIPTOR_WORD_BITS;
	size_t before = descriptor_room;

	if (!paths__array_reserve(&descriptor_words, word + 1, &descriptor_room,
		sizeof(*descriptor_words)))
		return;
	memset(descriptor_words + before, 0,
	    (descriptor_room - before) * sizeof(*descriptor_words));
	descriptor_words[word] |= descriptor_bit(fd);
}

void
paths__descriptor_add(int fd)
{
	pthread_mutex_lock(&descriptor_lock);
	descriptor_set_locked(fd);
	pthread_mutex_unlock(&descriptor_lock);
}

void
paths__descriptor_close(int fd)
{
	size_t word = (unsigned)fd / DESCRIPTOR_WORD_BITS;

	pthread_mutex_lock(&descriptor_lock);
	if (word < descriptor_room)
		descriptor_words[word] &= ~descriptor_bit(fd);
	close(fd);
	pthread_mutex_unlock(&descriptor_lock);
}

void
paths__descriptor_prepare(void)
{
	pthread_mutex_lock(&descriptor_lock);
}

void
paths__descriptor_parent(void)
{
	pthread_mutex_unlock(&descriptor_lock);
}

void
paths__descriptor_child(void)
{
	for (size_t word = 0; word < descriptor_room; word++)
		for (; descriptor_words[word] != 0;
		     descriptor_words[word] &= descriptor_words[word] - 1)
			close((int)(word * DESCRIPTOR_WORD_BITS) +
			    __builtin_ctzll(descriptor_words[word]));
	pthread_mutex_unlock(&descriptor_lock);
}
