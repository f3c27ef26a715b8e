/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_exit.c - writes the exit status of the process into
 * its event spaces
 *
 * A handler of on_exit writes it into all spaces that are open then, and into
 * the one that was closed last.  The status stays unknown when a signal or
 * _exit ends the process.  The handler also adds the checksums that the open
 * spaces lack.
 */

#include "collectors/space/record_exit_private.h"

#include "collectors/space/record_file_private.h"
#include "collectors/space/record_part_private.h"
#include "collectors/space/record_seal_private.h"
#include "collectors/space/record_slot_private.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t exit_lock = PTHREAD_MUTEX_INITIALIZER;

/* Under exit_lock. */
static struct es_record *exit_open; /* the records that are open */
static struct es__record_file exit_kept = { .fd = -1 };
static bool exit_registered;

static void
exit_write(const struct es__record_file *file, int status)
{
	uint32_t word = ((uint32_t)status & 0xff) + 1;

	/* Readers check one half against the other. */
	word |= ~word << 16;

	/* A status that cannot be written stays unknown. */
	if (es__record_file_is_same(file) &&
	    pwrite(file->fd, &word, sizeof(word), (off_t)file->exited) < 0)
		return;
}

static void
exit_write_all(int status, void *unused)
{
	(void)unused;
	pthread_mutex_lock(&exit_lock);
	for (struct es_record *r = exit_open; r != NULL; r = r->next_open) {
		es__record_seal(r);
		exit_write(&r->exit, status);
	}
	exit_write(&exit_kept, status);
	pthread_mutex_unlock(&exit_lock);
}

static void
exit_before_fork(void)
{
	pthread_mutex_lock(&exit_lock);
	for (struct es_record *r = exit_open; r != NULL; r = r->next_open)
		pthread_mutex_lock(&r->adding);
}

static void
exit_after_fork(void)
{
	for (struct es_record *r = exit_open; r != NULL; r = r->next_open)
		pthread_mutex_unlock(&r->adding);
	pthread_mutex_unlock(&exit_lock);
}

/* Forgets the spaces in a forked process, because they are those of its parent.
   Their locks must end with the parent, and the child must not write to
   them. */
static void
exit_forked(void)
{
	for (struct es_record *r = exit_open; r != NULL; r = r->next_open) {
		r->forked = true;
		es__record_part_make_private(r,
		    es__record_file_is_same(&r->exit));
		es__record_slot_release(r);
	}
	exit_after_fork();
	exit_open = NULL;
	exit_kept.fd = -1;
}

static void
exit_register_locked(void)
{
	if (!exit_registered)
		exit_registered = pthread_atfork(exit_before_fork,
				      exit_after_fork, exit_forked) == 0 &&
		    on_exit(exit_write_all, NULL) == 0;
}

void
es__record_exit_add(struct es_record *record)
{
	const struct es_space_head *h =
	    (const struct es_space_head *)record->base;
	struct stat status;

	if (fstat(record->fd, &status) != 0)
		return;
	record->exit = (struct es__record_file){ .fd = record->fd,
		.device = status.st_dev,
		.inode = status.st_ino,
		.exited =
		    h->live_offset + offsetof(struct es_space_live, exited) };
	pthread_mutex_lock(&exit_lock);
	record->next_open = exit_open;
	exit_open = record;
	exit_register_locked();
	pthread_mutex_unlock(&exit_lock);
}

void
es__record_exit_keep(struct es_record *record)
{
	struct es_record **r = &exit_open;

	pthread_mutex_lock(&exit_lock);
	while (*r != NULL && *r != record)
		r = &(*r)->next_open;
	if (*r != NULL) {
		*r = record->next_open;
		if (es__record_file_is_same(&exit_kept))
			close(exit_kept.fd);
		exit_kept = record->exit;
		record->fd = -1;
	}
	pthread_mutex_unlock(&exit_lock);
}
