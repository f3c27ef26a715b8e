/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/command.h - the command line of every command
 *
 * A command is a table of options and operands, with the offsets of their
 * values in a struct.  All commands have --help, --about and --version, and
 * refuse unknown options in the same way.  Linked into each command; not part
 * of libpaths, not installed.
 */

#ifndef LIBPATHS_BASE_COMMAND_H
#define LIBPATHS_BASE_COMMAND_H

#include "libpaths/base/command_report.h"
#include "libpaths/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returned by paths_command_read when the command goes on, instead of the exit
   status. */
#define PATHS_COMMAND_GO_ON (-1)

/* Reads the word of an option into the values of its command.  A failure is
   reported with the text of paths_log_last. */
typedef paths_status paths_command_call(const char *word, void *values);

/* Checks the word of an option.  A failure is reported with the text of
   paths_log_last, too. */
typedef paths_status paths_command_check(const char *word);

enum paths_command_kind {
	PATHS_COMMAND_HEADING, /* not an option: about is printed */
	PATHS_COMMAND_SET,     /* no word; sets an int, an enum or a bool */
	PATHS_COMMAND_WORD,    /* the word itself */
	PATHS_COMMAND_LIST,    /* the words of all its uses */
	PATHS_COMMAND_NUMBER,  /* a number with a unit, within bounds */
	PATHS_COMMAND_CALL     /* the word is read by a function */
};

/* Greatest number of uses of an option that takes a list. */
#define PATHS_COMMAND_LIST_MOST 32

/* The words of an option that may be repeated, in their order. */
struct paths_command_list {
	const char *words[PATHS_COMMAND_LIST_MOST];
	size_t count;
};

struct paths_command_option {
	const char *name;     /* "output" of --output */
	char letter;	      /* 'o' of -o; 0: none */
	const char *argument; /* "FILE"; NULL: it takes no word */
	const char *about;    /* a phrase or a sentence, for --help */
	unsigned group;	      /* over 0: at most one option of a group */
	enum paths_command_kind kind;
	size_t at;   /* offset of the value in the values */
	size_t size; /* SET: of the value */
	union {
		int set;
		struct {
			enum paths_unit unit;
			uint64_t least, most;
		} number;
		paths_command_call *call;
		paths_command_check *check; /* of a word; NULL: any */
	} as;
};

/*
 * These macros are the last members of an option.  They take the struct of the
 * values and the field, and check the type of the field:
 *
 *	{ "limit", 0, "N", "Rows of a table.", 0,
 *	    PATHS_COMMAND_TO_NUMBER(struct show, limit, COUNT, 0, INT64_MAX) }
 */
#define PATHS_COMMAND_AT(values, field, type) \
	_Generic(((values *)0)->field, type : offsetof(values, field))

#define PATHS_COMMAND_TO_FLAG(values, field) \
	PATHS_COMMAND_SET, PATHS_COMMAND_AT(values, field, bool), \
	    sizeof(bool), \
	{ \
		.set = true \
	}

#define PATHS_COMMAND_TO_SET(values, field, value) \
	PATHS_COMMAND_SET, offsetof(values, field), \
	    sizeof(((values *)0)->field), \
	{ \
		.set = (value) \
	}

#define PATHS_COMMAND_TO_WORD(values, field) \
	PATHS_COMMAND_TO_CHECKED(values, field, NULL)

#define PATHS_COMMAND_TO_CHECKED(values, field, function) \
	PATHS_COMMAND_WORD, PATHS_COMMAND_AT(values, field, const char *), 0, \
	{ \
		.check = (function) \
	}

#define PATHS_COMMAND_TO_LIST(values, field) \
	PATHS_COMMAND_LIST, \
	    PATHS_COMMAND_AT(values, field, struct paths_command_list), 0, \
	{ \
		.set = 0 \
	}

#define PATHS_COMMAND_TO_NUMBER(values, field, unit, least, most) \
	PATHS_COMMAND_NUMBER, PATHS_COMMAND_AT(values, field, uint64_t), 0, \
	{ \
		.number = { PATHS_UNIT_##unit, least, most } \
	}

#define PATHS_COMMAND_TO_CALL(function) \
	PATHS_COMMAND_CALL, 0, 0, \
	{ \
		.call = (function) \
	}

/* A heading between options. */
#define PATHS_COMMAND_TITLE(text) \
	{ \
		.about = (text), .kind = PATHS_COMMAND_HEADING \
	}

/* The option --quiet. */
#define PATHS_COMMAND_QUIET(values, field) \
	{ \
		"quiet", 'q', NULL, "no output but errors", 0, \
		    PATHS_COMMAND_TO_FLAG(values, field) \
	}

/* A word of the command line that is not an option. */
struct paths_command_operand {
	const char *name; /* "RUN" */
	bool optional;
	size_t at; /* const char *; PATHS_COMMAND_TO_OPERAND checks it */
};

#define PATHS_COMMAND_TO_OPERAND(values, field) \
	PATHS_COMMAND_AT(values, field, const char *)

/* The command line of another program, at the end of this one. */
enum paths_command_rest {
	PATHS_COMMAND_NO_REST,
	PATHS_COMMAND_AFTER_DASHES,  /* begins behind "--" */
	PATHS_COMMAND_AFTER_OPTIONS, /* begins with the first operand */
	PATHS_COMMAND_MORE_OPERANDS, /* not another program, but operands
					behind those of the table */
};

/* The members of struct paths_command for its tables. */
#define PATHS_COMMAND_OPTIONS(table) \
	.options = (table), .option_count = sizeof(table) / sizeof((table)[0])
#define PATHS_COMMAND_OPERANDS(table) \
	.operands = (table), .operand_count = sizeof(table) / sizeof((table)[0])

struct paths_command {
	const char *verb;  /* "show" of eventspace show; "": eventspace */
	const char *about; /* one line */
	const char *usage; /* words behind the verb; "\n" separates forms */
	const char *text;  /* description, behind the usage; "": none */
	const struct paths_command_option *options;
	size_t option_count;
	const struct paths_command_operand *operands;
	size_t operand_count;
	void (*more)(void); /* prints text behind the options; NULL */
	const char *exits;  /* lines of exit status; NULL: 0, 1 and 2 */
	enum paths_command_rest rest;
	size_t rest_at; /* offset of a char **, which ends with NULL */
};

/*
 * Reads a command line into values and checks its operands.  Overwrites words
 * of argv: the operands are moved to the front.
 *
 * Returns PATHS_COMMAND_GO_ON, or the exit status.
 */
int paths_command_read(const struct paths_command *command, void *values,
    int argc, char **argv);

#endif
