/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/eventspace_main.c - eventspace: executes eventspace-VERB
 *
 * Each floor has its commands: `eventspace VERB ARGS` executes the program
 * eventspace-VERB of a folder in EVENTSPACE_EXEC_PATH (folders separated by
 * colons) or, without that, of the installed folder.  A verb prints one line
 * for --about.  eventspace is linked to no library of the tree, so it starts
 * quickly.
 */

#include "libpaths/base/command.h"
#include "libpaths/base/command_help.h"
#include "libpaths/base/verb.h"
#include "libpaths/nearest.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAIN_VERBS 64

/* Verbs that were found, in alphabetical order. */
struct verbs {
	char names[MAIN_VERBS][NAME_MAX + 1];
	size_t count;
};

struct eventspace {
	char **words; /* the verb and its arguments, ended by NULL */
};

/* Inserts a verb in alphabetical order, unless it is there already. */
static void
verbs_add(struct verbs *verbs, const char *name)
{
	size_t n = 0;

	while (n < verbs->count && strcmp(verbs->names[n], name) < 0)
		n++;
	if (verbs->count == MAIN_VERBS ||
	    (n < verbs->count && strcmp(verbs->names[n], name) == 0))
		return;
	memmove(verbs->names[n + 1], verbs->names[n],
	    (verbs->count++ - n) * sizeof(verbs->names[0]));
	snprintf(verbs->names[n], sizeof(verbs->names[n]), "%s", name);
}

static void
verbs_find(struct verbs *verbs)
{
	const char *folders = paths_verb_folders();
	char folder[PATH_MAX], file[PATH_MAX];
	const struct dirent *entry;

	verbs->count = 0;
	while (paths_verb_next_folder(&folders, folder)) {
		DIR *dir = opendir(folder);

		while (dir != NULL && (entry = readdir(dir)) != NULL) {
			const char *verb =
			    entry->d_name + strlen(PATHS_VERB_PREFIX);

			if (strncmp(entry->d_name, PATHS_VERB_PREFIX,
				strlen(PATHS_VERB_PREFIX)) == 0 &&
			    paths_verb_is_in(folder, verb, file))
				verbs_add(verbs, verb);
		}
		if (dir != NULL)
			closedir(dir);
	}
}

/* Prints a verb and the line that it prints for --about. */
static void
main_print_verb(const char *verb)
{
	char file[PATH_MAX], about[128] = "";
	FILE *answer;

	if (!paths_verb_find(verb, file) ||
	    setenv("EVENTSPACE_PROGRAM", file, 1) != 0)
		return;
	answer = popen("exec \"$EVENTSPACE_PROGRAM\" --about 2>/dev/null "
		       "</dev/null",
	    "r");
	if (answer != NULL && fgets(about, sizeof(about), answer) != NULL)
		about[strcspn(about, "\n")] = '\0';
	if (answer != NULL)
		pclose(answer);
	printf("  %-10s %s\n", verb, about);
}

static void
main_print_verbs(void)
{
	static struct verbs verbs;

	verbs_find(&verbs);
	printf("\nVerbs:\n");
	fflush(stdout);
	for (size_t n = 0; n < verbs.count; n++)
		main_print_verb(verbs.names[n]);
	printf("\n\"eventspace VERB --help\" prints the help of a verb.\n");
}

static const struct paths_command main_command = {
	.verb = "",
	.about = "watch the communication of parallel programs",
	.usage = "VERB [ARGS]",
	.text = "",
	.more = main_print_verbs,
	.exits = "  that of VERB; 2 when there is no such verb\n",
	.rest = PATHS_COMMAND_AFTER_OPTIONS,
	.rest_at = offsetof(struct eventspace, words),
};

static int
main_unknown(const char *verb)
{
	static struct verbs verbs;
	struct paths_nearest nearest;

	verbs_find(&verbs);
	paths_nearest_init(&nearest, verb);
	for (size_t n = 0; n < verbs.count; n++)
		paths_nearest_try(&nearest, verbs.names[n]);
	return paths_command_wrong("", "%s: no such verb%s", verb,
	    paths_nearest_hint(&nearest));
}

/* Lets programs in Tcl find the packages of eventspace. */
static bool
main_set_packages(void)
{
	const char *before = getenv("TCLLIBPATH");
	char *packages;
	bool set;

	if (before == NULL || *before == '\0')
		return setenv("TCLLIBPATH", MAIN_PACKAGES, 1) == 0;
	if (asprintf(&packages, "%s %s", before, MAIN_PACKAGES) < 0)
		return false;
	set = setenv("TCLLIBPATH", packages, 1) == 0;
	free(packages);
	return set;
}

int
main(int argc, char **argv)
{
	struct eventspace e;
	/* The verbs print their lines of the help. */
	bool set = main_set_packages();
	int status = paths_command_read(&main_command, &e, argc, argv);
	char file[PATH_MAX];

	if (status != PATHS_COMMAND_GO_ON)
		return status;
	if (e.words[0] == NULL)
		return paths_command_wrong("", "VERB is missing");
	if (strcmp(e.words[0], "help") == 0)
		return paths_command_help(&main_command);
	if (!paths_verb_find(e.words[0], file))
		return main_unknown(e.words[0]);
	if (!set)
		return paths_command_fail("", "out of memory");
	return paths_verb_become("", e.words[0], e.words);
}
