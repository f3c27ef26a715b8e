/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/base/command_test.c - proves libpaths/base/command.c,
 * command_help.c and command_report.c
 */

#include "libpaths/base/command.h"

#include "libpaths/log.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum form { FORM_TEXT, FORM_CSV, FORM_JSON };

struct values {
	const char *run, *view, *output;
	uint64_t limit, interval_ns;
	enum form form;
	int shape;
	bool quiet;
	struct paths_command_list added;
	char **rest;
};

static paths_status
read_shape(const char *word, void *values)
{
	struct values *v = values;

	if (strcmp(word, "round") != 0)
		return paths_log_fail(PATHS_ESYNTAX, "expected round");
	v->shape = 7;
	return PATHS_OK;
}

static const struct paths_command_option options[] = {
	{ "csv", 0, NULL, "Output as comma-separated values.", 1,
	    PATHS_COMMAND_TO_SET(struct values, form, FORM_CSV) },
	{ "json", 0, NULL, "Output as an array of objects.", 1,
	    PATHS_COMMAND_TO_SET(struct values, form, FORM_JSON) },
	PATHS_COMMAND_TITLE("Bounds:"),
	{ "limit", 'l', "N", "Rows at most.", 0,
	    PATHS_COMMAND_TO_NUMBER(struct values, limit, COUNT, 1, 100) },
	{ "interval", 0, "TIME", "Time between.", 0,
	    PATHS_COMMAND_TO_NUMBER(struct values, interval_ns, SECONDS, 0,
		UINT64_MAX) },
	{ "output", 'o', "FILE",
	    "A file with a sentence about it that is so long that it takes "
	    "two lines of the help.",
	    0, PATHS_COMMAND_TO_WORD(struct values, output) },
	{ "shape-of-everything", 0, "SHAPE", "Shape.", 0,
	    PATHS_COMMAND_TO_CALL(read_shape) },
	{ "add", 0, "WORD", "Word to add.", 0,
	    PATHS_COMMAND_TO_LIST(struct values, added) },
	PATHS_COMMAND_QUIET(struct values, quiet),
};

static const struct paths_command_operand operands[] = {
	{ "RUN", false, PATHS_COMMAND_TO_OPERAND(struct values, run) },
	{ "VIEW", true, PATHS_COMMAND_TO_OPERAND(struct values, view) },
};

static void
print_more(void)
{
	printf("\nMore of it.\n");
}

static struct paths_command show = {
	.verb = "show",
	.about = "views of a run",
	.usage = "[OPTIONS] RUN [VIEW]\n--list",
	.text = "Shows it.",
	PATHS_COMMAND_OPTIONS(options),
	.operands = operands,
	.operand_count = 2,
	.more = print_more,
};

/* A command with one operand, followed by the command line of a program. */
static struct paths_command run = {
	.verb = "run",
	PATHS_COMMAND_OPTIONS(options),
	.operands = operands,
	.operand_count = 1,
	.rest_at = offsetof(struct values, rest),
};

static char output[4096]; /* of the last `read_line`, both streams */

/* Reads a command line whose words are separated by one blank. */
static int
read_line(const struct paths_command *command, struct values *values,
    const char *line)
{
	static char words[512];
	char *argv[80] = { words }, *at;
	int argc = 0, status, saved[2] = { dup(1), dup(2) };
	FILE *file = tmpfile();
	size_t bytes;

	snprintf(words, sizeof(words), "eventspace-test %s", line);
	for (char *w = strtok_r(words, " ", &at); w != NULL;
	     w = strtok_r(NULL, " ", &at))
		argv[argc++] = w;
	fflush(stdout);
	dup2(fileno(file), 1);
	dup2(fileno(file), 2);
	*values = (struct values){ .limit = 50 };
	status = paths_command_read(command, values, argc, argv);
	fflush(stdout);
	dup2(saved[0], 1);
	dup2(saved[1], 2);
	close(saved[0]);
	close(saved[1]);
	rewind(file);
	bytes = fread(output, 1, sizeof(output) - 1, file);
	output[bytes] = '\0';
	fclose(file);
	return status;
}

static void
values_are_stored_at_the_offsets_of_the_table(void)
{
	struct values v;

	EXPECT_EQ(PATHS_COMMAND_GO_ON,
	    read_line(&show, &v, "--csv -l7 --interval=1.5s there -o out -q"));
	EXPECT_EQ(FORM_CSV, v.form);
	EXPECT_EQ(7, v.limit);
	EXPECT_EQ(1500000000, v.interval_ns);
	EXPECT_STR_EQ("out", v.output);
	EXPECT_STR_EQ("there", v.run);
	EXPECT_TRUE(v.view == NULL && v.quiet);
	EXPECT_EQ(PATHS_COMMAND_GO_ON,
	    read_line(&show, &v, "--shape-of-everything round a b"));
	EXPECT_EQ(7, v.shape);
	EXPECT_STR_EQ("b", v.view);
	EXPECT_EQ(50, v.limit);
	EXPECT_STR_EQ("", output);
}

static void
the_last_value_of_an_option_counts(void)
{
	struct values v;

	EXPECT_EQ(PATHS_COMMAND_GO_ON,
	    read_line(&show, &v, "--csv --csv -l 1 -l 2 run"));
	EXPECT_EQ(2, v.limit);
}

static void
a_list_has_the_words_of_all_its_uses(void)
{
	struct values v;
	char line[512] = "run";

	EXPECT_EQ(PATHS_COMMAND_GO_ON,
	    read_line(&show, &v, "--add b run --add=a --add b"));
	EXPECT_EQ(3, v.added.count);
	EXPECT_STR_EQ("b", v.added.words[0]);
	EXPECT_STR_EQ("a", v.added.words[1]);
	EXPECT_STR_EQ("b", v.added.words[2]);
	for (int n = 0; n < PATHS_COMMAND_LIST_MOST; n++)
		strcat(line, " --add x");
	EXPECT_EQ(PATHS_COMMAND_GO_ON, read_line(&show, &v, line));
	EXPECT_EQ(PATHS_COMMAND_WRONG,
	    read_line(&show, &v, strcat(line, " --add y")));
	EXPECT_STR_EQ("eventspace show: --add y: at most 32 of them were "
		      "expected, see eventspace show --help\n",
	    output);
}

static void
operands_may_be_anywhere_and_behind_dashes(void)
{
	struct values v;

	EXPECT_EQ(PATHS_COMMAND_GO_ON,
	    read_line(&show, &v, "run -q -- --view"));
	EXPECT_STR_EQ("run", v.run);
	EXPECT_STR_EQ("--view", v.view);
	EXPECT_TRUE(v.quiet);
}

static void
the_rest_is_left_to_another_program(void)
{
	struct values v;

	run.rest = PATHS_COMMAND_AFTER_DASHES;
	EXPECT_EQ(PATHS_COMMAND_GO_ON,
	    read_line(&run, &v, "map -q -- ./a -q b"));
	EXPECT_STR_EQ("map", v.run);
	EXPECT_STR_EQ("./a", v.rest[0]);
	EXPECT_STR_EQ("-q", v.rest[1]);
	EXPECT_STR_EQ("b", v.rest[2]);
	EXPECT_TRUE(v.rest[3] == NULL);
	EXPECT_EQ(PATHS_COMMAND_WRONG, read_line(&run, &v, "map ./a"));
	EXPECT_STR_EQ("eventspace run: ./a: not expected, see eventspace run "
		      "--help\n",
	    output);

	run.rest = PATHS_COMMAND_AFTER_OPTIONS;
	run.operand_count = 0;
	EXPECT_EQ(PATHS_COMMAND_GO_ON, read_line(&run, &v, "-q ./a -l x"));
	EXPECT_STR_EQ("./a", v.rest[0]);
	EXPECT_STR_EQ("-l", v.rest[1]);
	EXPECT_EQ(PATHS_COMMAND_GO_ON, read_line(&run, &v, "-- -a"));
	EXPECT_STR_EQ("-a", v.rest[0]);
	EXPECT_EQ(PATHS_COMMAND_GO_ON, read_line(&run, &v, ""));
	EXPECT_TRUE(v.rest[0] == NULL);
	run.operand_count = 1;
}

static void
wrong_usage_is_one_line_and_status_2(void)
{
	static const char see[] = ", see eventspace show --help";
	static const struct {
		const char *line, *why;
		bool see;
	} wrong[] = {
		{ "", "RUN is missing", true },
		{ "a b c", "c: not expected", true },
		{ "--csv --json a",
		    "--csv and --json: only one of them was "
		    "expected",
		    true },
		{ "--limti 3 a",
		    "--limti: no such option, did you mean "
		    "--limit?",
		    false },
		{ "--limti=3 a",
		    "--limti: no such option, did you mean "
		    "--limit?",
		    false },
		{ "--colour a", "--colour: no such option", true },
		{ "--verbose a", "--verbose: no such option", true },
		{ "-x a", "-x: no such option", true },
		{ "-qx a", "-x: no such option", true },
		{ "--csv=1 a", "--csv=1: takes no value", true },
		{ "a --limit", "--limit: N is missing", true },
		{ "a -l", "-l: N is missing", true },
		{ "a -l 0", "--limit 0: too small: expected at least 1", true },
		{ "a -l 101", "--limit 101: too large: expected at most 100",
		    true },
		{ "a --limit=x",
		    "--limit x: not a number: expected a whole "
		    "number",
		    true },
		{ "a --limit=", "--limit : empty: expected a whole number",
		    true },
		{ "a --shape-of-everything flat",
		    "--shape-of-everything flat: expected round", true },
	};
	struct values v;
	char line[256];

	for (size_t n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++) {
		snprintf(line, sizeof(line), "eventspace show: %s%s\n",
		    wrong[n].why, wrong[n].see ? see : "");
		EXPECT_EQ(PATHS_COMMAND_WRONG,
		    read_line(&show, &v, wrong[n].line));
		EXPECT_STR_EQ(line, output);
	}
}

/* getopt_long completes the beginning of exactly one option. */
static void
an_option_may_be_abbreviated_unless_it_is_ambiguous(void)
{
	struct values v;

	EXPECT_EQ(PATHS_COMMAND_GO_ON, read_line(&show, &v, "--outp x a"));
	EXPECT_STR_EQ("x", v.output);
	EXPECT_EQ(PATHS_COMMAND_WRONG, read_line(&show, &v, "--= a"));
	EXPECT_STR_EQ("eventspace show: --: the beginning of several options, "
		      "see eventspace show --help\n",
	    output);
}

static void
words_of_any_length_are_refused(void)
{
	struct values v;
	char line[200];

	memset(line, 'o', sizeof(line));
	memcpy(line, "--", 2);
	line[sizeof(line) - 1] = '\0';
	EXPECT_EQ(PATHS_COMMAND_WRONG, read_line(&show, &v, line));
	EXPECT_TRUE(strstr(output, "ooo: no such option, see") != NULL);
}

static void
all_commands_print_their_version_and_description(void)
{
	struct values v;

	EXPECT_EQ(PATHS_COMMAND_DONE, read_line(&show, &v, "--about"));
	EXPECT_STR_EQ("views of a run\n", output);
	EXPECT_EQ(PATHS_COMMAND_DONE, read_line(&show, &v, "a --version"));
	EXPECT_STR_EQ("eventspace show " PACKAGE_VERSION "\n", output);
}

static void
help_is_aligned(void)
{
	struct values v;

	EXPECT_EQ(PATHS_COMMAND_DONE, read_line(&show, &v, "--help"));
	EXPECT_STR_EQ(
	    "usage: eventspace show [OPTIONS] RUN [VIEW]\n"
	    "       eventspace show --list\n"
	    "\n"
	    "Shows it.\n"
	    "\n"
	    "Options:\n"
	    "  --csv              Output as comma-separated values.\n"
	    "  --json             Output as an array of objects.\n"
	    "\n"
	    "Bounds:\n"
	    "  -l, --limit N      Rows at most.\n"
	    "  --interval TIME    Time between.\n"
	    "  -o, --output FILE  A file with a sentence about it that is so "
	    "long that it\n"
	    "                     takes two lines of the help.\n"
	    "  --shape-of-everything SHAPE\n"
	    "                     Shape.\n"
	    "  --add WORD         Word to add.\n"
	    "  -q, --quiet        no output but errors\n"
	    "  -h, --help         this text\n"
	    "  --about            one line about the command\n"
	    "  --version          version of eventspace\n"
	    "\n"
	    "More of it.\n"
	    "\n"
	    "Exit status:\n"
	    "  0  done\n"
	    "  1  failed; the reason is on standard error\n"
	    "  2  wrong usage\n",
	    output);
	EXPECT_EQ(PATHS_COMMAND_DONE, read_line(&show, &v, "-h"));
}

TEST_MAIN(values_are_stored_at_the_offsets_of_the_table,
    the_last_value_of_an_option_counts, a_list_has_the_words_of_all_its_uses,
    operands_may_be_anywhere_and_behind_dashes,
    the_rest_is_left_to_another_program, wrong_usage_is_one_line_and_status_2,
    an_option_may_be_abbreviated_unless_it_is_ambiguous,
    words_of_any_length_are_refused,
    all_commands_print_their_version_and_description, help_is_aligned)
