/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/start.c - starts the processes of a map
 *
 * A process of this machine gets its settings by its environment and by open
 * sockets.  Processes of other hosts are started by the script of script.c.
 */

#include "libpaths/run/start_private.h"

#include "libpaths/run/fail_private.h"
#include "libpaths/run/listen_private.h"
#include "libpaths/run/script_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- commands */

/* Words that command_make adds to those of the launcher, at most. */
#define COMMAND_WORDS 10

/* Returns the host of a process, for a launcher. */
static const char *
command_host(const struct run *run, uint32_t process)
{
	const struct paths_map_host *host =
	    &run->map->hosts[run->map->processes[process].host];

	return host->address == NULL ? host->name : host->address;
}

/* Words of a command that command_make writes. */
struct command_text {
	char script[PATH_MAX * 4 + 64]; /* command with the quoted script */
	char plain[PATH_MAX + 64];
	char option[PATHS_MAP_NAME_BYTES_MAX + 32];
};

static bool
command_quote(const char *script, const char *name, char *text, size_t room)
{
	FILE *to = fmemopen(text, room, "w");

	if (to == NULL)
		return false;
	fputs("sh ", to);
	run_script_word(to, script);
	fprintf(to, " %s", name);
	return fclose(to) == 0;
}

/* Makes the command for a process; under mpirun, for all processes. */
static bool
command_make(const struct run *run, uint32_t process, struct command_text *text,
    const char **word)
{
	const char *name = run->map->processes[process].name;

	for (char **w = run->launcher; *w != NULL; w++)
		*word++ = *w;
	snprintf(text->plain, sizeof(text->plain), "%s/" RUN_SCRIPT,
	    run->dir->name);
	if (run->how == RUN_SSH) {
		*word++ = "-oBatchMode=yes";
		*word++ = command_host(run, process);
		*word++ = text->script;
		return command_quote(text->plain, name, text->script,
		    sizeof(text->script));
	}
	if (run->how == RUN_SRUN) {
		snprintf(text->option, sizeof(text->option), "--nodelist=%s",
		    command_host(run, process));
		*word++ = "--nodes=1";
		*word++ = "--ntasks=1";
		*word++ = "--overlap";
		*word++ = text->option;
	} else {
		snprintf(text->option, sizeof(text->option), "%u",
		    run->map->process_count);
		*word++ = "-n";
		*word++ = text->option;
	}
	*word++ = "sh";
	*word++ = text->plain;
	if (run->how == RUN_SRUN)
		*word++ = name;
	return true;
}

/* ---- starting */

/* A process that is being started. */
struct start {
	const struct run *run;
	uint32_t process;
	bool sockets; /* it inherits its sockets */
	int input;    /* its standard input; -1: none */
	const char *const *word;
};

/* Turns the child into the program.  Returns the error when that fails. */
static int
start_become(const struct start *start, pid_t launcher)
{
	const struct run *run = start->run;
	int input = start->input;
	sigset_t none;

	/* Its own group: a signal reaches it and its children, once. */
	setpgid(0, 0);
	/* The process ends when the launcher is killed. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != launcher)
		return ECHILD;
	if (input < 0)
		input = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (input < 0 || dup2(input, STDIN_FILENO) < 0)
		return errno;
	for (uint32_t n = 0; start->sockets && n < run->socket_count; n++) {
		if (run->sockets[n].process == start->process &&
		    fcntl(run->sockets[n].fd, F_SETFD, 0) != 0)
			return errno;
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execvp(start->word[0], (char *const *)(uintptr_t)start->word);
	return errno;
}

/* Starts a child.  The pipe from the child is closed by the exec of the
   program, or contains the error.  Returns 0 or that error. */
static int
start_fork(const struct start *start, pid_t *pid)
{
	const pid_t launcher = getpid();
	int report[2];
	int error = 0;

	if (pipe2(report, O_CLOEXEC) != 0)
		return errno;
	*pid = fork();
	if (*pid == 0) {
		error = start_become(start, launcher);
		_exit(write(report[1], &error, sizeof(error)) < 0 ? 126 : 127);
	}
	if (*pid < 0)
		error = errno;
	close(report[1]);
	if (*pid > 0) {
		setpgid(*pid, *pid); /* the child does the same */
		if (read(report[0], &error, sizeof(error)) > 0)
			waitpid(*pid, NULL, 0);
	}
	close(report[0]);
	return error;
}

static bool
start_job(struct run *run, const struct start *start)
{
	struct run_job *job = &run->jobs[run->job_count];
	int error = start_fork(start, &job->pid);

	if (error != 0)
		return run_fail("%s: %s", start->word[0], strerror(error));
	job->running = true;
	run->job_count++;
	return true;
}

/* Sets PATHS_PROCESS and PATHS_LISTEN_FDS for a process of this machine. */
static bool
start_environment(const struct run *run, uint32_t process)
{
	char endpoint[RUN_ENDPOINT_BYTES];
	char *list = NULL;
	size_t bytes;
	FILE *to = open_memstream(&list, &bytes);
	bool done = to != NULL;

	for (uint32_t n = 0; done && n < run->socket_count; n++) {
		const struct run_socket *socket = &run->sockets[n];

		if (socket->process == process)
			fprintf(to, "%s%s=%d", ftell(to) > 0 ? " " : "",
			    run_listen_text(run, socket, endpoint), socket->fd);
	}
	done = done && fclose(to) == 0 &&
	    setenv("PATHS_LISTEN_FDS", list, 1) == 0 &&
	    setenv("PATHS_PROCESS", run->map->processes[process].name, 1) == 0;
	free(list);
	return done || run_fail("out of memory");
}

static bool
start_local(struct run *run, uint32_t process)
{
	const struct start start = { run, process, true, -1,
		(const char *const *)(uintptr_t)run->program };

	run->jobs[process].name = run->map->processes[process].name;
	run->jobs[process].input = -1;
	return start_environment(run, process) && start_job(run, &start);
}

/* Starts a process by the launcher.  Under ssh its input is a pipe, whose end
   is the sign that eventspace-run is gone. */
static bool
start_remote(struct run *run, uint32_t process, const char **word)
{
	struct run_job *job = &run->jobs[process];
	struct command_text text;
	struct start start = { run, process, false, -1, word };
	int pipe_fds[2] = { -1, -1 };
	bool done;

	job->name = run->how == RUN_MPIRUN ? run->launcher[0] :
					     run->map->processes[process].name;
	job->input = -1;
	if (!command_make(run, process, &text, word))
		return run_fail("out of memory");
	if (run->how == RUN_SSH && pipe2(pipe_fds, O_CLOEXEC) != 0)
		return run_fail("%s: %s", job->name, strerror(errno));
	job->input = pipe_fds[1];
	start.input = pipe_fds[0];
	done = start_job(run, &start);
	if (pipe_fds[0] >= 0)
		close(pipe_fds[0]);
	return done;
}

static bool
start_remotes(struct run *run)
{
	const uint32_t count =
	    run->how == RUN_MPIRUN ? 1 : run->map->process_count;
	size_t words = COMMAND_WORDS;
	const char **word;
	bool done;

	while (run->launcher[words - COMMAND_WORDS] != NULL)
		words++;
	done = run_script_write(run);
	for (uint32_t n = 0; done && n < count; n++) {
		word = calloc(words, sizeof(*word));
		done = word != NULL ? start_remote(run, n, word) :
				      run_fail("out of memory");
		free(word);
	}
	return done;
}

/* Sets the environment that all processes share. */
static bool
start_shared_environment(const struct run *run)
{
	char file[PATH_MAX + 16], space[24];
	bool done;

	unsetenv("PATHS_PROCESS");
	unsetenv("PATHS_LISTEN_FDS");
	snprintf(file, sizeof(file), "%s/map", run->dir->name);
	done = setenv("PATHS_MAP", file, 1) == 0 &&
	    setenv("PATHS_RUN", run->dir->name, 1) == 0;
	snprintf(file, sizeof(file), "%s/secret", run->dir->name);
	done = done && setenv("PATHS_SECRET_FILE", file, 1) == 0;
	snprintf(space, sizeof(space), "%llu", (unsigned long long)run->space);
	if (run->space != 0)
		done = done && setenv("PATHS_SPACE_BYTES", space, 1) == 0;
	return done || run_fail("out of memory");
}

bool
run_start(struct run *run)
{
	bool done = true;

	run->jobs = calloc(run->map->process_count + 1, sizeof(*run->jobs));
	if (run->jobs == NULL)
		return run_fail("out of memory");
	if (!start_shared_environment(run))
		return false;
	if (run->how != RUN_LOCAL)
		return start_remotes(run);
	for (uint32_t n = 0; done && n < run->map->process_count; n++)
		done = start_local(run, n);
	return done;
}
