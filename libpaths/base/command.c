/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/command.c - reads the command line of a command
 *
 * getopt_long splits the words.  The value of a long option is its index in a
 * table that has the options of the command and then those of all commands.
 */

#include "libpaths/base/command.h"

#include "libpaths/base/command_help.h"
#include "libpaths/log.h"
#include "libpaths/nearest.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

/* Greatest number of options of a command, headings included. */
#define COMMAND_MOST 40

/* Values of long options begin here; smaller ones are letters. */
#define COMMAND_LONG 256

enum command_common { COMMAND_HELP, COMMAND_ABOUT, COMMAND_VERSION };

static const char *const command_common[] = { [COMMAND_HELP] = "help",
	[COMMAND_ABOUT] = "about",
	[COMMAND_VERSION] = "version" };

#define COMMAND_COMMON (sizeof(command_common) / sizeof(command_common[0]))

/* A command line that is being read. */
struct command_line {
	const struct paths_command *command;
	char *values;
	char **argv;
	int operands; /* count, from argv[1]: they are moved there */
	bool given[COMMAND_MOST];
	/* The tables of getopt_long. */
	char letters[2 * COMMAND_MOST + 4];
	struct option longs[COMMAND_MOST + COMMAND_COMMON + 1];
};

static bool
option_is_heading(const struct paths_command_option *option)
{
	return option->kind == PATHS_COMMAND_HEADING;
}

/* Fills the tables of getopt_long. */
static void
line_tables(struct command_line *line)
{
	const struct paths_command *command = line->command;
	char *letter = line->letters;
	struct option *l = line->longs;

	assert(command->option_count <= COMMAND_MOST);
	/* "+": stop at the first operand; "-": return operands in order. */
	*letter++ = command->rest == PATHS_COMMAND_AFTER_OPTIONS ? '+' : '-';
	*letter++ = ':';
	*letter++ = 'h';
	for (size_t n = 0; n < command->option_count; n++) {
		const struct paths_command_option *o = &command->options[n];

		if (option_is_heading(o))
			continue;
		*l++ = (struct option){ o->name, o->argument != NULL, NULL,
			COMMAND_LONG + (int)n };
		if (o->letter != '\0')
			*letter++ = o->letter;
		if (o->letter != '\0' && o->argument != NULL)
			*letter++ = ':';
	}
	for (size_t n = 0; n < COMMAND_COMMON; n++)
		*l++ = (struct option){ command_common[n], no_argument, NULL,
			COMMAND_LONG + COMMAND_MOST + (int)n };
}

/* Returns the option for a value of getopt_long; NULL: the command has no such
   option, but all commands may. */
static const struct paths_command_option *
line_option(const struct command_line *line, int value)
{
	const struct paths_command *command = line->command;

	if (value >= COMMAND_LONG + COMMAND_MOST)
		return NULL;
	if (value >= COMMAND_LONG)
		return &command->options[value - COMMAND_LONG];
	for (size_t n = 0; n < command->option_count; n++)
		if (!option_is_heading(&command->options[n]) &&
		    command->options[n].letter == value)
			return &command->options[n];
	return NULL;
}

/* Refuses an option whose group has another one already. */
static int
line_check_group(struct command_line *line,
    const struct paths_command_option *option)
{
	const struct paths_command *command = line->command;

	for (size_t n = 0; n < command->option_count; n++) {
		const struct paths_command_option *o = &command->options[n];

		if (o != option && line->given[n] && option->group != 0 &&
		    o->group == option->group)
			return paths_command_wrong(command->verb,
			    "--%s and --%s: only one of them was expected",
			    o->name, option->name);
	}
	line->given[option - command->options] = true;
	return PATHS_COMMAND_GO_ON;
}

static paths_status
option_add(struct paths_command_list *list, const char *word)
{
	if (list->count == PATHS_COMMAND_LIST_MOST)
		return paths_log_fail(PATHS_EINVAL,
		    "at most %d of them were expected",
		    PATHS_COMMAND_LIST_MOST);
	list->words[list->count++] = word;
	return PATHS_OK;
}

static paths_status
option_keep(const struct paths_command_option *option, const char *word,
    char *values)
{
	char *to = values + option->at;

	switch (option->kind) {
	case PATHS_COMMAND_SET:
		if (option->size == sizeof(bool))
			*(bool *)to = option->as.set != 0;
		else
			memcpy(to, &option->as.set, sizeof(option->as.set));
		break;
	case PATHS_COMMAND_WORD:
		memcpy(to, &word, sizeof(word));
		return option->as.check == NULL ? PATHS_OK :
						  option->as.check(word);
	case PATHS_COMMAND_LIST:
		return option_add((struct paths_command_list *)(void *)to,
		    word);
	case PATHS_COMMAND_NUMBER:
		return paths_unit_parse(option->as.number.unit, word,
		    option->as.number.least, option->as.number.most,
		    (uint64_t *)(void *)to);
	case PATHS_COMMAND_CALL:
		return option->as.call(word, values);
	case PATHS_COMMAND_HEADING:
		break;
	}
	return PATHS_OK;
}

static int
line_take(struct command_line *line, const struct paths_command_option *option,
    const char *word)
{
	int status = line_check_group(line, option);

	if (status != PATHS_COMMAND_GO_ON ||
	    option_keep(option, word, line->values) == PATHS_OK)
		return status;
	return paths_command_wrong(line->command->verb, "--%s %s: %s",
	    option->name, word, paths_log_last());
}

static int
command_answer(const char *text)
{
	if (puts(text) >= 0 && fflush(stdout) == 0)
		return PATHS_COMMAND_DONE;
	return PATHS_COMMAND_FAILED;
}

/* Carries out an option that all commands have. */
static int
line_common(const struct command_line *line, int value)
{
	const struct paths_command *command = line->command;
	char text[64];

	switch (value - COMMAND_LONG - COMMAND_MOST) {
	case COMMAND_ABOUT:
		return command_answer(command->about);
	case COMMAND_VERSION:
		snprintf(text, sizeof(text), "eventspace%s%s %s",
		    command->verb[0] == '\0' ? "" : " ", command->verb,
		    PACKAGE_VERSION);
		return command_answer(text);
	default:
		return paths_command_help(command);
	}
}

/* Refuses an unknown long option, or the beginning of several. */
static int
line_unknown(const struct command_line *line, const char *word)
{
	size_t length = strcspn(word, "=");
	struct paths_nearest nearest;
	char name[PATHS_NEAREST_BYTES] = "", option[PATHS_NEAREST_BYTES];
	unsigned beginnings = 0;

	if (length < sizeof(name))
		snprintf(name, sizeof(name), "%.*s", (int)length, word);
	paths_nearest_init(&nearest, name);
	for (const struct option *l = line->longs; l->name != NULL; l++) {
		snprintf(option, sizeof(option), "--%s", l->name);
		beginnings +=
		    length < sizeof(name) && strncmp(option, name, length) == 0;
		paths_nearest_try(&nearest, option);
	}
	return paths_command_wrong(line->command->verb, "%.*s: %s%s",
	    (int)length, word,
	    beginnings > 1 ? "the beginning of several options" :
			     "no such option",
	    beginnings > 1 ? "" : paths_nearest_hint(&nearest));
}

/* Refuses what getopt_long did not understand. */
static int
line_refuse(const struct command_line *line, int value)
{
	const struct paths_command_option *o = line_option(line, optopt);
	const char *verb = line->command->verb;

	if (value == ':' && optopt < COMMAND_LONG)
		return paths_command_wrong(verb, "-%c: %s is missing", optopt,
		    o->argument);
	if (value == ':')
		return paths_command_wrong(verb, "--%s: %s is missing", o->name,
		    o->argument);
	if (optopt == 0)
		return line_unknown(line, line->argv[optind - 1]);
	if (optopt < COMMAND_LONG)
		return paths_command_wrong(verb, "-%c: no such option", optopt);
	return paths_command_wrong(verb, "%s: takes no value",
	    line->argv[optind - 1]);
}

static int
line_value(struct command_line *line, int value)
{
	const struct paths_command_option *option;

	switch (value) {
	case 1:
		/* This place of argv has been read already. */
		line->argv[1 + line->operands++] = optarg;
		return PATHS_COMMAND_GO_ON;
	case ':':
	case '?':
		return line_refuse(line, value);
	default:
		option = line_option(line, value);
		return option != NULL ? line_take(line, option, optarg) :
					line_common(line, value);
	}
}

/* Stores the operands behind those of the table, ended by NULL. */
static void
line_more(const struct command_line *line)
{
	const struct paths_command *command = line->command;
	char **more = &line->argv[1 + command->operand_count];

	line->argv[1 + line->operands] = NULL;
	memcpy(line->values + command->rest_at, &more, sizeof(more));
}

/* Stores the operands in the values of the command. */
static int
line_operands(const struct command_line *line)
{
	const struct paths_command *command = line->command;
	size_t count = (size_t)line->operands;

	for (size_t n = 0; n < command->operand_count; n++) {
		const struct paths_command_operand *o = &command->operands[n];

		if (n < count)
			memcpy(line->values + o->at, &line->argv[1 + n],
			    sizeof(line->argv[0]));
		else if (!o->optional)
			return paths_command_wrong(command->verb,
			    "%s is missing", o->name);
	}
	if (command->rest == PATHS_COMMAND_MORE_OPERANDS) {
		line_more(line);
		return PATHS_COMMAND_GO_ON;
	}
	if (count > command->operand_count)
		return paths_command_wrong(command->verb, "%s: not expected",
		    line->argv[1 + command->operand_count]);
	return PATHS_COMMAND_GO_ON;
}

/* Stores the words behind the options: the rest, or operands behind "--". */
static void
line_rest(struct command_line *line, int argc)
{
	bool operands = line->command->rest == PATHS_COMMAND_NO_REST ||
	    line->command->rest == PATHS_COMMAND_MORE_OPERANDS;
	char **rest = line->argv + optind;

	if (!operands)
		memcpy(line->values + line->command->rest_at, &rest,
		    sizeof(rest));
	for (; operands && optind < argc; optind++)
		line->argv[1 + line->operands++] = line->argv[optind];
}

int
paths_command_read(const struct paths_command *command, void *values, int argc,
    char **argv)
{
	struct command_line line = { .command = command,
		.values = values,
		.argv = argv };
	int status = PATHS_COMMAND_GO_ON;
	int value;

	line_tables(&line);
	opterr = 0;
	optind = 0; /* getopt_long begins again with the first word */
	while (status == PATHS_COMMAND_GO_ON &&
	    (value = getopt_long(argc, argv, line.letters, line.longs, NULL)) !=
		-1)
		status = line_value(&line, value);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	line_rest(&line, argc);
	return line_operands(&line);
}
