/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/interrupt_private.h - notes the signals that end a command
 */

#ifndef SCOPES_COMMAND_INTERRUPT_PRIVATE_H
#define SCOPES_COMMAND_INTERRUPT_PRIVATE_H

#include <stdbool.h>

/* Catches the first SIGINT, SIGTERM or SIGHUP from here on. */
void es__interrupt_catch(void);

/* Stops catching them, once for each call of es__interrupt_catch. */
void es__interrupt_release(void);

/* Returns true after a signal was caught. */
bool es__interrupt_caught(void);

#endif
