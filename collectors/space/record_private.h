/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_private.h - a space that is being recorded
 */

#ifndef COLLECTORS_SPACE_RECORD_PRIVATE_H
#define COLLECTORS_SPACE_RECORD_PRIVATE_H

#include "collectors/record.h"

#include <limits.h>
#include <pthread.h>
#include <sys/types.h>

/* An open file of an event space. */
struct es__record_file {
	int fd;
	dev_t device;
	ino_t inode;
	uint64_t exited; /* offset of the exit status */
};

struct es_record {
	char file[PATH_MAX];
	int fd;
	int lock;    /* held by this descriptor, see record_slot.c; -1: none */
	bool forked; /* it is that of the parent of this process */
	bool buffer; /* a server keeps the space */
	bool full;   /* no memory for rings; used by record_ahead.c */
	char *base;
	uint64_t bytes; /* of the mapping; 0: not mapped */
	uint64_t hz;
	uint64_t serial; /* no other record of the process has it; not 0 */
	_Atomic uint64_t
	    clock_due; /* ticks; written by the owner of clock_busy */
	_Atomic bool
	    clock_busy; /* owned by the thread that writes the live pair */
	pthread_mutex_t adding;
	uint64_t end;			/* of the file; under `adding` */
	struct es__record_added *added; /* latest part; under `adding` */
	struct es__record_file exit;	/* used by record_exit.c */
	struct es_record *next_open;	/* used by record_exit.c */
	struct es__chunks *chunks;	/* of the collectors of the spec */
	struct es_record *next_sealed;	/* used by record_seal.c */
};

#endif
