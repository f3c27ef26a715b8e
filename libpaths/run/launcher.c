/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/launcher.c - the commands that start processes on other hosts
 *
 * They start run-agent there.  All that the agent needs comes over its
 * connection, so a command line shows only the name of the process.
 */

#include "libpaths/run/launcher_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAUNCHER_AGENT "run-agent"

/* Words that a command has besides those of the launcher, at most. */
#define LAUNCHER_WORDS 10

/* ---- words of the command line */

/* Copies one word without its quotes.  Returns what follows it; NULL: a quote
   is not closed. */
static const char *
launcher_word(const char *at, char *to)
{
	char quote = '\0';

	for (; *at != '\0'; at++) {
		if (quote == '\0' && (*at == ' ' || *at == '\t' || *at == '\n'))
			break;
		if (quote == '\0' && (*at == '\'' || *at == '"')) {
			quote = *at;
		} else if (*at == quote) {
			quote = '\0';
		} else if (*at == '\\' && quote != '\'' && at[1] != '\0' &&
		    (quote == '\0' || strchr("\"\\$`", at[1]) != NULL)) {
			*to++ = *++at;
		} else {
			*to++ = *at;
		}
	}
	*to = '\0';
	return quote == '\0' ? at : NULL;
}

paths_status
run_launcher_split(struct run *run, const char *text)
{
	static const char blanks[] = " \t\n";
	const char *at = text + strspn(text, blanks);
	size_t count = 0;
	char *to;

	free(run->launcher_text);
	free(run->launcher);
	run->launcher_text = malloc(strlen(text) + 2);
	run->launcher = calloc(strlen(text) + 2, sizeof(*run->launcher));
	if (run->launcher_text == NULL || run->launcher == NULL)
		return paths_log_fail(PATHS_ENOMEM, "out of memory");
	for (to = run->launcher_text; *at != '\0'; at += strspn(at, blanks)) {
		run->launcher[count++] = to;
		at = launcher_word(at, to);
		if (at == NULL)
			return paths_log_fail(PATHS_ESYNTAX,
			    "a quote is not closed");
		to += strlen(to) + 1;
	}
	return PATHS_OK;
}

/* ---- commands */

const char *
run_launcher_host(const struct run *run, uint32_t process)
{
	const struct paths_map_host *host =
	    &run->map->hosts[run->map->processes[process].host];

	return host->address == NULL ? host->name : host->address;
}

const char *
run_launcher_name(const struct run *run)
{
	const char *word = run->launcher[run->how == RUN_COMMAND];
	const char *slash = strrchr(word, '/');

	return slash == NULL ? word : slash + 1;
}

/* Finds run-agent in the folder of this program or, in a build tree, above
   it. */
static void
launcher_agent(const struct run *run, char file[PATH_MAX])
{
	char self[PATH_MAX / 2];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n < 0 ? 0 : n] = '\0';
	snprintf(file, PATH_MAX, "%s",
	    run->agent_file != NULL ? run->agent_file : LAUNCHER_AGENT);
	for (int folder = 0; run->agent_file == NULL && folder < 2; folder++) {
		char *slash = strrchr(self, '/');

		if (slash == NULL)
			return;
		*slash = '\0';
		snprintf(file, PATH_MAX, "%s/" LAUNCHER_AGENT, self);
		if (access(file, X_OK) == 0)
			return;
	}
}

/* Prints a word for a shell. */
static void
launcher_quote(FILE *to, const char *word)
{
	fputc('\'', to);
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			fputs("'\\''", to);
		else
			fputc(*word, to);
	}
	fputc('\'', to);
}

/* A command that is being made. */
struct making {
	const struct run *run;
	uint32_t process;
	char agent[PATH_MAX];
	char grace[24];
	char **words;
	size_t count;
	bool whole; /* the template has {command} */
	bool failed;
};

static void
making_add(struct making *m, const char *word)
{
	m->words[m->count] = strdup(word);
	m->failed |= m->words[m->count] == NULL;
	m->count += m->words[m->count] != NULL;
}

/* Prints the command of the agent for a shell. */
static void
making_shell(const struct making *m, FILE *to)
{
	launcher_quote(to, m->agent);
	fprintf(to, " %s %s", m->grace,
	    m->run->map->processes[m->process].name);
}

/* Prints what stands for a placeholder.  Returns its length; 0: none. */
static size_t
making_placeholder(struct making *m, const char *at, FILE *to)
{
	static const char *const names[] = { "{host}", "{process}",
		"{command}" };
	size_t n = 0;

	while (n < 3 && strncmp(at, names[n], strlen(names[n])) != 0)
		n++;
	if (n == 0)
		fputs(run_launcher_host(m->run, m->process), to);
	else if (n == 1)
		fputs(m->run->map->processes[m->process].name, to);
	else if (n == 2)
		making_shell(m, to);
	m->whole |= n == 2;
	return n < 3 ? strlen(names[n]) : 0;
}

/* Adds a word in which placeholders are replaced. */
static void
making_add_template(struct making *m, const char *word)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (to == NULL) {
		m->failed = true;
		return;
	}
	while (*word != '\0') {
		const size_t length = making_placeholder(m, word, to);

		if (length == 0)
			fputc(*word, to);
		word += length == 0 ? 1 : length;
	}
	if (fclose(to) == 0)
		making_add(m, text);
	else
		m->failed = true;
	free(text);
}

static void
making_add_agent(struct making *m)
{
	making_add(m, m->agent);
	making_add(m, m->grace);
	if (m->run->how != RUN_MPIRUN)
		making_add(m, m->run->map->processes[m->process].name);
}

static void
making_ssh(struct making *m)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	making_add(m, "-oBatchMode=yes");
	making_add(m, run_launcher_host(m->run, m->process));
	if (to != NULL)
		making_shell(m, to);
	if (to != NULL && fclose(to) == 0)
		making_add(m, text);
	else
		m->failed = true;
	free(text);
}

static void
making_srun(struct making *m)
{
	char option[PATHS_MAP_NAME_BYTES_MAX + 32];

	snprintf(option, sizeof(option), "--nodelist=%s",
	    run_launcher_host(m->run, m->process));
	making_add(m, "--nodes=1");
	making_add(m, "--ntasks=1");
	making_add(m, "--overlap");
	making_add(m, option);
	making_add_agent(m);
}

static void
making_mpirun(struct making *m)
{
	char ranks[16];

	snprintf(ranks, sizeof(ranks), "%u", m->run->map->process_count);
	making_add(m, "-n");
	making_add(m, ranks);
	making_add_agent(m);
}

static void
making_words(struct making *m)
{
	char **word = m->run->launcher + (m->run->how == RUN_COMMAND);

	for (; *word != NULL; word++) {
		if (m->run->how == RUN_COMMAND)
			making_add_template(m, *word);
		else
			making_add(m, *word);
	}
	if (m->run->how == RUN_SSH)
		making_ssh(m);
	else if (m->run->how == RUN_SRUN)
		making_srun(m);
	else if (m->run->how == RUN_MPIRUN)
		making_mpirun(m);
	else if (!m->whole)
		making_add_agent(m);
}

char **
run_launcher_command(const struct run *run, uint32_t process)
{
	struct making m = { .run = run, .process = process };
	size_t room = LAUNCHER_WORDS;

	for (char **word = run->launcher; *word != NULL; word++)
		room++;
	m.words = calloc(room, sizeof(*m.words));
	if (m.words == NULL)
		return NULL;
	launcher_agent(run, m.agent);
	snprintf(m.grace, sizeof(m.grace), "%llu",
	    (unsigned long long)run->grace_ns);
	making_words(&m);
	if (!m.failed)
		return m.words;
	run_launcher_free(m.words);
	return NULL;
}

void
run_launcher_free(char **words)
{
	for (char **word = words; words != NULL && *word != NULL; word++)
		free(*word);
	free(words);
}
