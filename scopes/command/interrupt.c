/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/interrupt.c - notes the signals that end a command
 */

#include "scopes/command/interrupt_private.h"

#include <signal.h>
#include <stddef.h>

/* The signal that was caught, or 0.  Written by the handler. */
static volatile sig_atomic_t interrupt_number;

/* Calls of es__interrupt_catch without es__interrupt_release. */
static unsigned interrupt_catches;

static void
interrupt_take(int number)
{
	interrupt_number = number;
}

static const int interrupt_signals[] = { SIGINT, SIGTERM, SIGHUP };

#define INTERRUPT_SIGNALS \
	(sizeof(interrupt_signals) / sizeof(interrupt_signals[0]))

/* Sets the handler `to` for the signals that have the handler `from`. */
static void
interrupt_handle(void (*from)(int), void (*to)(int))
{
	/* The second signal has its default effect. */
	struct sigaction action = { .sa_handler = to,
		.sa_flags = SA_RESETHAND };
	struct sigaction old;

	for (size_t i = 0; i < INTERRUPT_SIGNALS; i++)
		if (sigaction(interrupt_signals[i], NULL, &old) == 0 &&
		    old.sa_handler == from)
			(void)sigaction(interrupt_signals[i], &action, NULL);
}

/* Leaves ignored signals ignored, as nohup requires. */
void
es__interrupt_catch(void)
{
	if (interrupt_catches++ == 0)
		interrupt_handle(SIG_DFL, interrupt_take);
}

void
es__interrupt_release(void)
{
	if (--interrupt_catches == 0)
		interrupt_handle(interrupt_take, SIG_DFL);
}

bool
es__interrupt_caught(void)
{
	return interrupt_number != 0;
}
