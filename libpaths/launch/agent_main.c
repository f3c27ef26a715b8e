/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/agent_main.c - run-agent: runs a process of a map on a host
 * for eventspace run
 *
 * run-agent GRACE_NS [PROCESS] is started by ssh, srun, mpirun or a command.
 * It talks with the launcher over its standard input and output or, when
 * PATHS_LAUNCH is set, over TCP.  Two processes: a worker, which starts the
 * program, and a keeper, which ends what the worker and the program leave
 * behind.  Without PROCESS the rank of an MPI job selects the process.
 */

#include "libpaths/launch/agent_private.h"
#include "libpaths/launch/keep_private.h"
#include "libpaths/launch/meet_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int
main_fail(const char *what, const char *why)
{
	fprintf(stderr, "eventspace run: agent: %s: %s\n", what, why);
	return 1;
}

/* Returns the rank of an MPI job, as the launcher wrote it, or "". */
static const char *
main_rank(void)
{
	static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK",
		"PMIX_RANK", "SLURM_PROCID" };

	for (size_t n = 0; n < sizeof(ranks) / sizeof(ranks[0]); n++) {
		const char *rank = getenv(ranks[n]);

		if (rank != NULL)
			return rank;
	}
	return "";
}

/* Opens the channel to the launcher and sends the name of the process or its
   rank. */
static bool
main_meet(struct launch_channel *c, const char *process)
{
	struct launch_bytes content = { .memory = NULL };
	const char *text = getenv(LAUNCH_MEET_VARIABLE);

	if (text == NULL)
		text = getenv(LAUNCH_MEET_OMPI_VARIABLE);
	if (text == NULL) {
		/* Not inherited by the program. */
		launch_channel_open(c,
		    fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1),
		    fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
		dup2(STDERR_FILENO, STDOUT_FILENO);
		launch_channel_send_raw(c, PATHS__LAUNCH_MAGIC,
		    sizeof(PATHS__LAUNCH_MAGIC) - 1);
	} else if (!launch_meet(c, text)) {
		return false;
	}
	launch_put_text(&content, process);
	launch_put_text(&content, process[0] == '\0' ? main_rank() : "");
	launch_channel_send_bytes(c, LAUNCH_HELLO, &content);
	return true;
}

static int
main_worker(struct agent_shared *shared, const struct run_keep *keep,
    const char *process)
{
	struct agent agent = { .shared = shared,
		.pipes = { -1, -1 },
		.report = -1 };
	bool done;

	prctl(PR_SET_NAME, "run-agent-work");
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	signal(SIGPIPE, SIG_IGN);
	agent.setup.grace_ns = keep->grace_ns;
	agent.serves = getenv("PATHS_SPACES") != NULL;
	agent.signals =
	    signalfd(-1, &keep->signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (agent.signals < 0)
		return main_fail("signals", strerror(errno));
	if (!main_meet(&agent.channel, process))
		return main_fail("no launcher", agent.channel.why);
	done = agent_work(&agent);
	launch_channel_close(&agent.channel);
	launch_setup_fini(&agent.setup);
	return done ? 0 : 1;
}

/* Runs the worker, and ends and removes what it leaves behind. */
static int
main_keep(struct agent_shared *shared, struct run_keep *keep,
    const char *process)
{
	const pid_t self = getpid();

	keep->child = fork();
	if (keep->child == 0) {
		if (getppid() != self)
			return 1;
		return main_worker(shared, keep, process);
	}
	if (keep->child < 0)
		return main_fail("fork", strerror(errno));
	run_keep_wait(keep);
	/* Acquire: pairs with the release in launch_folder_make. */
	if (!atomic_load(&shared->dismissed) &&
	    atomic_load_explicit(&shared->folder.made, memory_order_acquire))
		launch_folder_clean(&shared->folder);
	return atomic_load(&shared->dismissed) ? 0 : 1;
}

int
main(int argc, char **argv)
{
	const pid_t parent = getppid();
	struct agent_shared *shared;
	struct run_keep keep;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: run-agent GRACE_NS [PROCESS]\n");
		return 2;
	}
	if (!paths__launch_init())
		return main_fail("libsodium", "no random numbers");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return main_fail("memory", strerror(errno));
	run_keep_init(&keep, strtoull(argv[1], NULL, 10));
	keep.limited = true;
	if (!run_keep_parent(&keep, parent))
		return 1;
	return main_keep(shared, &keep, argc > 2 ? argv[2] : "");
}
