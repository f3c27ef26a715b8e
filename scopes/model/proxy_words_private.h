/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/proxy_words_private.h - the sentences about operations through
 * proxies under a model
 *
 * Formats of printf in C, for `eventspace model`, and of that in SQL, for the
 * view cost_proxy.  They have no quotes, which would end a string in SQL.
 */

#ifndef SCOPES_MODEL_PROXY_WORDS_PRIVATE_H
#define SCOPES_MODEL_PROXY_WORDS_PRIVATE_H

#include <inttypes.h>

/* Numbers of operations and proxies; an ending: "y" or "ies". */
#define ES__PROXY_COMPARED \
	"%" PRIu64 " operations through %" PRIu64 \
	" prox%s are compared with the model."

/* A number of operations. */
#define ES__PROXY_MISPLACED \
	"The model has no locality for %" PRIu64 \
	" of the operations, which cost as those of its last one."

/* A number of proxies; "y is" or "ies are".  Without a full stop. */
#define ES__PROXY_HIDDEN \
	"%" PRIu64 \
	" prox%s left out: their time is known only with a collector before " \
	"and behind them"

/* Names of the proxy and of its two processes; a number of operations; their
   time; that predicted; the largest part of it. */
#define ES__PROXY_DEVIATES \
	"The proxy %s from %s to %s deviates most from the model: its " \
	"%" PRIu64 " operations take %s, and %s are predicted, most of it %s."

#endif
