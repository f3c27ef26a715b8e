/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/fault.c - fetches pages of other ranks when they are read
 *
 * The kernel reports the first read of a page (userfaultfd), and the reader
 * sleeps until the engine has fetched the piece.  When the pieces of all
 * regions reach a limit, those that came first are given back to the kernel,
 * so they are fetched again if they are read again.  A kernel that reports no
 * reads makes each region be fetched whole.
 *
 * Source	userfaultfd(2), ioctl_userfaultfd(2)
 */

#include "scopes/job/fault_private.h"

#include "scopes/job/send_private.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Greatest number of pieces that are kept: 32 MiB. */
#define FAULT_KEPT 512u

/* Pieces that are asked for ahead of a read in sequence. */
#define FAULT_AHEAD 4u

/* Pieces of a whole region that are on their way. */
#define FAULT_FLYING 16u

/* State of a piece. */
enum { PIECE_ABSENT, PIECE_ASKED, PIECE_HERE };

struct kept_piece {
	uint32_t region;
	uint32_t piece;
};

struct es__fault {
	int fd;
	/* The pieces that are here, the oldest at `first`. */
	struct kept_piece kept[FAULT_KEPT];
	size_t first, count;
	/* Without a descriptor: the next piece to ask for. */
	size_t whole_region, whole_piece;
	uint32_t whole_flying;
};

/* Opens a descriptor for faults; -1: this kernel has none, or forbids it. */
static int
fault_descriptor(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	/* Without privileges only reads of this program are reported, none of
	   the kernel's for it. */
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		fd = (int)syscall(SYS_userfaultfd,
		    O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
	if (fd >= 0 && ioctl(fd, UFFDIO_API, &api) != 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

paths_status
es__fault_open(struct es__job *job)
{
	struct es__fault *fault = calloc(1, sizeof(*fault));

	if (fault == NULL)
		return PATHS_ENOMEM;
	fault->fd = fault_descriptor();
	job->regions->fault = fault;
	return PATHS_OK;
}

void
es__fault_close(struct es__job *job)
{
	if (job->regions->fault->fd >= 0)
		close(job->regions->fault->fd);
	free(job->regions->fault);
}

int
es__fault_fd(const struct es__job *job)
{
	return job->regions->fault->fd;
}

static size_t
fault_pieces(const struct es__region *region)
{
	return (region->bytes + ES__REGION_PIECE - 1) / ES__REGION_PIECE;
}

paths_status
es__fault_watch(struct es__job *job, struct es__region *region)
{
	struct uffdio_register range = {
		.range = { .start = (uintptr_t)region->base,
		    .len = fault_pieces(region) * ES__REGION_PIECE },
		.mode = UFFDIO_REGISTER_MODE_MISSING
	};

	if (job->regions->fault->fd < 0) {
		region->missing = fault_pieces(region);
		return PATHS_OK;
	}
	if (ioctl(job->regions->fault->fd, UFFDIO_REGISTER, &range) != 0)
		return paths_log_fail(PATHS_EIO,
		    "memory of another rank cannot be mapped: %s",
		    strerror(errno));
	return PATHS_OK;
}

/* Asks the owner for a piece, unless it is here or on its way.  Called with the
   lock. */
static void
fault_ask(struct es__job *job, size_t n, size_t piece)
{
	struct es__region *region = &job->regions->list[n];
	struct es__control *ask;
	size_t offset = piece * ES__REGION_PIECE, rest;

	if (piece >= fault_pieces(region) ||
	    region->pieces[piece] != PIECE_ABSENT)
		return;
	region->pieces[piece] = PIECE_ASKED;
	rest = region->bytes - offset;
	ask = malloc(sizeof(*ask));
	if (ask == NULL) {
		job->exchange->abort();
		return;
	}
	*ask = (struct es__control){ .kind = ES__CONTROL_FETCH,
		.region = (uint32_t)n,
		.offset = offset,
		.bytes =
		    (uint32_t)(rest < ES__REGION_PIECE ? rest :
							 ES__REGION_PIECE) };
	es__send_control(job, region->owner, ask, 0);
	job->asked++;
}

/* Finds the region of an address; returns the count of regions if there is
   none.  Called with the lock. */
static size_t
fault_region(const struct es__regions *regions, uint64_t address)
{
	size_t n = 0;

	for (; n < regions->count; n++) {
		const struct es__region *r = &regions->list[n];

		if (r->pieces != NULL && address >= (uintptr_t)r->base &&
		    address - (uintptr_t)r->base <
			fault_pieces(r) * ES__REGION_PIECE)
			break;
	}
	return n;
}

/* Lets a reader go on that has missed a piece which has come since. */
static void
fault_wake(const struct es__fault *fault, const struct es__region *region,
    size_t piece)
{
	struct uffdio_range range = { .start = (uintptr_t)region->base +
		    piece * ES__REGION_PIECE,
		.len = ES__REGION_PIECE };

	(void)ioctl(fault->fd, UFFDIO_WAKE, &range);
}

/* Takes the read of a missing page. */
static void
fault_take(struct es__job *job, uint64_t address)
{
	struct es__region *region;
	size_t n, piece;

	pthread_mutex_lock(&job->lock);
	n = fault_region(job->regions, address);
	if (n < job->regions->count) {
		region = &job->regions->list[n];
		piece = (address - (uintptr_t)region->base) / ES__REGION_PIECE;
		if (region->pieces[piece] == PIECE_HERE)
			fault_wake(job->regions->fault, region, piece);
		fault_ask(job, n, piece);
		for (size_t a = 1; a <= FAULT_AHEAD &&
		     piece - region->last <= FAULT_AHEAD + 1;
		     a++)
			fault_ask(job, n, piece + a);
		region->last = piece;
	}
	pthread_mutex_unlock(&job->lock);
}

/* Asks for the next pieces of regions that are fetched whole. */
static bool
fault_whole(struct es__job *job)
{
	struct es__fault *f = job->regions->fault;
	bool asked = false;

	pthread_mutex_lock(&job->lock);
	while (!job->ending && f->whole_region < job->regions->count &&
	    f->whole_flying < FAULT_FLYING) {
		struct es__region *r = &job->regions->list[f->whole_region];

		if (r->missing == 0 || f->whole_piece == fault_pieces(r)) {
			f->whole_region++;
			f->whole_piece = 0;
			continue;
		}
		fault_ask(job, f->whole_region, f->whole_piece++);
		f->whole_flying++;
		asked = true;
	}
	pthread_mutex_unlock(&job->lock);
	return asked;
}

bool
es__fault_progress(struct es__job *job)
{
	struct uffd_msg message;
	bool any = false;

	if (job->regions->fault->fd < 0)
		return fault_whole(job);
	while (read(job->regions->fault->fd, &message, sizeof(message)) ==
	    (ssize_t)sizeof(message)) {
		if (message.event == UFFD_EVENT_PAGEFAULT)
			fault_take(job, message.arg.pagefault.address);
		any = true;
	}
	return any;
}

/* Gives the piece that came first back to the kernel. */
static void
fault_give_back(struct es__job *job)
{
	struct es__fault *f = job->regions->fault;
	const struct kept_piece *old = &f->kept[f->first];
	struct es__region *region = &job->regions->list[old->region];

	f->first = (f->first + 1) % FAULT_KEPT;
	f->count--;
	if (region->pieces == NULL) /* dropped since */
		return;
	(void)madvise(region->base + old->piece * ES__REGION_PIECE,
	    ES__REGION_PIECE, MADV_DONTNEED);
	region->pieces[old->piece] = PIECE_ABSENT;
}

/* Puts a piece into its place, of which nothing is there. */
static void
fault_copy(const struct es__fault *fault, uint8_t *to, uint8_t *from)
{
	struct uffdio_copy copy = { .dst = (uintptr_t)to,
		.src = (uintptr_t)from,
		.len = ES__REGION_PIECE };

	/* Interrupted by a change of mappings: it goes on with the rest. */
	while (ioctl(fault->fd, UFFDIO_COPY, &copy) != 0 && errno == EAGAIN) {
		if (copy.copy > 0) {
			copy.dst += (uint64_t)copy.copy;
			copy.src += (uint64_t)copy.copy;
			copy.len -= (uint64_t)copy.copy;
		}
		copy.copy = 0;
	}
}

/* Keeps a piece that has arrived.  Called with the lock. */
static void
fault_keep(struct es__job *job, const struct es__control *answer,
    uint8_t *bytes)
{
	struct es__fault *f = job->regions->fault;
	struct es__region *region = &job->regions->list[answer->region];
	uint32_t piece = (uint32_t)(answer->offset / ES__REGION_PIECE);
	uint8_t *to = region->base + answer->offset;

	if (region->pieces == NULL) /* dropped since */
		return;
	region->pieces[piece] = PIECE_HERE;
	if (f->fd < 0) {
		memcpy(to, bytes, answer->bytes);
		f->whole_flying--;
		if (--region->missing == 0)
			pthread_cond_broadcast(&job->moved);
		return;
	}
	if (f->count == FAULT_KEPT)
		fault_give_back(job);
	fault_copy(f, to, bytes);
	f->kept[(f->first + f->count++) % FAULT_KEPT] =
	    (struct kept_piece){ answer->region, piece };
}

bool
es__fault_fill(struct es__job *job, const struct es__control *answer,
    uint8_t *bytes)
{
	uint8_t *whole;

	if (answer->status != PATHS_OK)
		return false;
	/* Pages are whole: behind the end of the region they are zeros. */
	whole = calloc(1, ES__REGION_PIECE);
	if (whole == NULL)
		return false;
	memcpy(whole, bytes, answer->bytes);
	pthread_mutex_lock(&job->lock);
	fault_keep(job, answer, whole);
	pthread_mutex_unlock(&job->lock);
	free(whole);
	return true;
}
