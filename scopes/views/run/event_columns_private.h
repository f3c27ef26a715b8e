/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/event_columns_private.h - columns that the tables event and
 * interval share
 */

#ifndef SCOPES_VIEWS_RUN_EVENT_COLUMNS_PRIVATE_H
#define SCOPES_VIEWS_RUN_EVENT_COLUMNS_PRIVATE_H

#include "scopes/column.h"

#define ES__EVENT_SEQ \
	{ \
		"seq", ES_INTEGER, \
		    .about = "number of the operation on its path, or of " \
			     "the MPI call" \
	}

#define ES__EVENT_START \
	{ \
		"start_ns", ES_INTEGER, .about = "start of the operation", \
					.unit = ES_UNIT_NS \
	}

#define ES__EVENT_STOP \
	{ \
		"stop_ns", ES_INTEGER, \
		    .about = \
			"end of the operation; NULL: it has not returned", \
		    .unit = ES_UNIT_NS \
	}

#define ES__EVENT_OP \
	{ \
		"op", ES_TEXT, \
		    .about = "kind of operation (write, read, exchange, " \
			     "delete), or MPI function" \
	}

#define ES__EVENT_ELEMENT \
	{ \
		"element", ES_INTEGER, \
		    .about = "element that the path leads to", \
		    .refers = "element" \
	}

#define ES__EVENT_STEP \
	{ \
		"step", ES_INTEGER, .about = "step that the program had set" \
	}

#define ES__EVENT_BYTES \
	{ \
		"bytes", ES_INTEGER, \
		    .about = "size of the tuple, or of the MPI message", \
		    .unit = ES_UNIT_BYTES \
	}

#endif
