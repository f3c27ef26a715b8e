/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/fatal.c - notes the signal, or the error, that ends a
 * rank
 */

#include "collectors/mpi/process/fatal_private.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Faults, abort(3), and the signals of users, launchers and batch systems. */
static const int fatal_signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
	SIGTERM, SIGINT, SIGHUP, SIGXCPU };

#define FATAL_SIGNALS (sizeof(fatal_signals) / sizeof(fatal_signals[0]))

static bool fatal_free[FATAL_SIGNALS];
static struct sigaction fatal_before[FATAL_SIGNALS];
static struct es_mpi_control *fatal_control;
/* The process that watches; a child after fork(2) notes nothing. */
static pid_t fatal_process;

/* Returns whether a handler only prints the stack and ends the process: that of
   UCX, which MPICH uses, or of the library of gfortran. */
static bool
fatal_only_prints(const struct sigaction *handler)
{
	void *function;
	Dl_info about;
	const char *name;

	/* Copies whichever member of the union is set. */
	memcpy(&function, &handler->sa_handler, sizeof(function));
	if (dladdr(function, &about) == 0 || about.dli_fname == NULL)
		return false;
	name = strrchr(about.dli_fname, '/');
	name = name == NULL ? about.dli_fname : name + 1;
	return strncmp(name, "libucs.", strlen("libucs.")) == 0 ||
	    strncmp(name, "libgfortran.", strlen("libgfortran.")) == 0;
}

void
mpi_fatal_look(void)
{
	struct sigaction now;

	for (size_t n = 0; n < FATAL_SIGNALS; n++)
		fatal_free[n] = sigaction(fatal_signals[n], NULL, &now) == 0 &&
		    (now.sa_handler == SIG_DFL || fatal_only_prints(&now));
}

/* Returns whether a signal comes again by itself: a fault does, when its
   instruction is repeated.  The kernel also sends signals that do not, such as
   SIGINT of a terminal. */
static bool
fatal_comes_again(int number, const siginfo_t *info)
{
	return info->si_code > 0 &&
	    (number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
		number == SIGILL);
}

/* Notes the signal, and passes it on to the previous handler.  Calls only
   functions that are safe in signal handlers. */
static void
fatal_note(int number, siginfo_t *info, void *context)
{
	uint32_t none = 0;

	(void)context;
	/* Relaxed: nothing else is published. */
	if (getpid() == fatal_process)
		atomic_compare_exchange_strong_explicit(&fatal_control->signal,
		    &none, (uint32_t)number, memory_order_relaxed,
		    memory_order_relaxed);
	for (size_t n = 0; n < FATAL_SIGNALS; n++)
		if (fatal_signals[n] == number)
			(void)sigaction(number, &fatal_before[n], NULL);
	if (!fatal_comes_again(number, info))
		(void)raise(number);
}

void
mpi_fatal_watch(struct es_mpi_control *control)
{
	struct sigaction note = { .sa_sigaction = fatal_note,
		.sa_flags = SA_SIGINFO | SA_ONSTACK };

	if (fatal_control != NULL)
		return;
	fatal_control = control;
	fatal_process = getpid();
	for (size_t n = 0; n < FATAL_SIGNALS; n++)
		if (fatal_free[n])
			(void)sigaction(fatal_signals[n], &note,
			    &fatal_before[n]);
}

void
mpi_fatal_error(bool begins)
{
	uint32_t before = begins ? ES_MPI_RUNNING : ES_MPI_FAILED;

	/* Relaxed: nothing else is published. */
	if (fatal_control != NULL && getpid() == fatal_process)
		atomic_compare_exchange_strong_explicit(&fatal_control->state,
		    &before, begins ? ES_MPI_FAILED : ES_MPI_RUNNING,
		    memory_order_relaxed, memory_order_relaxed);
}
