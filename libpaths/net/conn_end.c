/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/conn_end.c - the end of a connection and its reason
 */

#include "libpaths/net/conn_private.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void conn_break(struct paths__conn *conn, const char *fmt, va_list ap)
    PATHS_PRINTF(2, 0);

static void
conn_break(struct paths__conn *conn, const char *fmt, va_list ap)
{
	if (conn->broken)
		return;
	vsnprintf(conn->why, sizeof(conn->why), fmt, ap);
	conn->broken = true;
}

void
paths__conn_break(struct paths__conn *conn, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	conn_break(conn, fmt, ap);
	va_end(ap);
}

void
paths__conn_lose(struct paths__conn *conn, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	paths__conn_lock(conn);
	conn_break(conn, fmt, ap);
	paths__conn_unlock(conn);
	va_end(ap);
}

const char *
paths__conn_error(const struct paths__conn *conn, int error)
{
	switch (error) {
	case ETIMEDOUT:
	case ENETDOWN:
	case ENETUNREACH:
	case EHOSTDOWN:
	case EHOSTUNREACH:
		/* Acquire: pairs with paths__silence_limit. */
		return atomic_load_explicit(&conn->limited,
			   memory_order_acquire) ?
		    conn->silent :
		    strerror(error);
	default:
		return strerror(error);
	}
}
