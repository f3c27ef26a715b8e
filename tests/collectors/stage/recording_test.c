/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/stage/recording_test.c - recorded operations make no system
 * call and take no page fault
 *
 * A process writes on a path with a collector.  A filter of the kernel
 * (seccomp(2)) turns each system call of the writing thread into a signal, so
 * the process ends without closing anything.
 */

#include "tests/collectors/program.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Tuples of a ring that has grown, and operations in modes without a ring. */
#define GROWN UINT64_C(65536)

/* Exit statuses of the writing process. */
enum { CALLED = 1, FAULTED, FAILED, UNFILTERED = 77 };

static volatile sig_atomic_t calls;

/* Counts system calls that were refused. */
static void
recording_called(int signal)
{
	(void)signal;
	calls++;
}

#define ALLOW(call) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), \
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Refuses the system calls of this thread from now on.  The calibration, about
   once a second, reads clocks, which is a call on some machines. */
static bool
recording_filter(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, nr)),
		ALLOW(clock_gettime),
		ALLOW(getrusage),
		ALLOW(rt_sigreturn),
		ALLOW(exit_group),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
	};
	const struct sock_fprog filter = {
		.len = sizeof(code) / sizeof(code[0]),
		.filter = code,
	};
	struct sigaction action = { .sa_handler = recording_called };

	return sigaction(SIGSYS, &action, NULL) == 0 &&
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

struct retained {
	uint64_t count, first;
};

static void
recording_counter(void *to, uint32_t number, uint64_t value)
{
	struct retained *r = to;

	if (number == 0)
		r->count = value;
	else
		r->first = value;
}

/* Returns true when the ring has grown and its oldest tuples are overwritten,
   or when there is no ring. */
static bool
recording_is_complete(const struct paths_path *path, bool traced)
{
	struct retained r = { 0, 0 };

	return !traced ||
	    (paths_path_stat(path, 0, recording_counter, &r) == PATHS_OK &&
		r.count - r.first == GROWN && r.count > 3 * GROWN);
}

/* Writes until the recording is complete.  Returns an exit status. */
static int
recording_writes(struct paths_path *path, bool traced)
{
	struct rusage before, after;
	uint64_t value = 0;
	long faults;

	if (getrusage(RUSAGE_THREAD, &before) != 0)
		return FAILED;
	do
		for (uint64_t n = 0; n < GROWN; n++, value++)
			if (paths_path_write(path, &value, sizeof(value)) !=
			    PATHS_OK)
				return FAILED;
	while (!recording_is_complete(path, traced));
	if (calls > 0)
		return CALLED;
	if (getrusage(RUSAGE_THREAD, &after) != 0)
		return FAILED;
	/* A fault is minor or major depending on the file system.  A ring has
	   576 pages; a few faults are the kernel's own. */
	faults = after.ru_minflt - before.ru_minflt;
	faults += after.ru_majflt - before.ru_majflt;
	return faults < 20 ? 0 : FAULTED;
}

/* Runs process p0, until one operation has been recorded without a filter. */
static int
recording_process(struct paths_program *program, const char *process)
{
	struct paths_thread *thread = team_thread(program, "t0");
	struct paths_path *path = team_path(thread, "e0");
	const char *map = paths_program_map(program)->text;
	const struct rlimit no_files = { .rlim_cur = 0, .rlim_max = 0 };
	bool traced = strstr(map, "-mode") == NULL;
	uint64_t value = 0;

	(void)process;
	/* A thread that cannot open its file in /proc takes no samples of the
	   time without a core, which are system calls. */
	if (setrlimit(RLIMIT_NOFILE, &no_files) != 0)
		return FAILED;
	if (paths_path_write(path, &value, sizeof(value)) != PATHS_OK)
		return FAILED;
	if (!recording_filter())
		return UNFILTERED;
	_exit(recording_writes(path, traced));
}

static void
records_without_calls(const char *options)
{
	struct team *team;
	char map[512];
	int status;

	if (TEST_SANITIZED)
		TEST_SKIP("a sanitizer adds page faults");
	(void)snprintf(map, sizeof(map),
	    PROGRAM_HEAD "thread t0 -process p0\n"
			 "element e0 -process p0 -type u64 -keep 2 "
			 "-full discard\n"
			 "path t0 e0 {{collector %s} {element e0}}\n",
	    options);
	team = team_open(map);
	status = team_wait(team_start(team, "p0", recording_process));
	team_close(team);
	if (status == UNFILTERED)
		TEST_SKIP("this machine has no filters of system calls");
	EXPECT_EQ(0, status);
}

static void
a_growing_ring_takes_no_call_and_no_fault(void)
{
	records_without_calls("");
}

static void
a_ring_of_fixed_size_takes_no_call_and_no_fault(void)
{
	records_without_calls("-keep 65536");
}

static void
a_profile_takes_no_call_and_no_fault(void)
{
	records_without_calls("-mode profile");
}

static void
a_matrix_takes_no_call_and_no_fault(void)
{
	records_without_calls("-mode matrix");
}

TEST_MAIN(a_growing_ring_takes_no_call_and_no_fault,
    a_ring_of_fixed_size_takes_no_call_and_no_fault,
    a_profile_takes_no_call_and_no_fault, a_matrix_takes_no_call_and_no_fault)
