/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/abi_test.c - the interposer as a whole, with MPIs for
 * tests
 *
 * A child opens the interposer with RTLD_GLOBAL, like a preloaded one, and then
 * a program and its MPI with RTLD_LOCAL.  The test reads the event space that
 * the child leaves.
 */

#include "collectors/mpi_function.h"
#include "collectors/mpi_space.h"
#include "collectors/space.h"

#include "tests/test.h"

#include <dlfcn.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS 32u

/* The results of a child. */
struct left {
	int status;	   /* of the child; 0: all its checks passed */
	char printed[512]; /* on stderr */
	bool recorded, closed;
	struct es_mpi_control control;
	struct es_mpi_thread thread;
	struct es_tuple_mpi call[CALLS];
	uint64_t calls;
};

static void
child_open(const char *module, int mode, void **handle)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", test_builddir(), module);
	*handle = dlopen(path, RTLD_NOW | mode);
	if (*handle == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		_exit(99);
	}
}

static _Noreturn void
child(const char *const *modules, const char *what, int to)
{
	int (*stub_main)(const char *what) = NULL;
	void *handle;

	dup2(to, STDERR_FILENO);
	child_open("collectors/mpi/.libs/libeventspace-mpi.so", RTLD_GLOBAL,
	    &handle);
	for (unsigned n = 0; modules[n] != NULL; n++) {
		char path[128];

		snprintf(path, sizeof(path), "tests/collectors/mpi/.libs/%s.so",
		    modules[n]);
		child_open(path, RTLD_LOCAL, &handle);
		if (n == 0)
			*(void **)&stub_main = dlsym(handle, "stub_main");
	}
	_exit(stub_main == NULL ? 98 : stub_main(what));
}

static void
read_rows(const struct es_space *space, struct left *left)
{
	struct es_space_rows rows;

	for (uint32_t n = 0; es_space_rows(space, n, &rows) == PATHS_OK; n++) {
		if (rows.what == ES_MPI_CONTROL)
			memcpy(&left->control, rows.rows,
			    sizeof(left->control));
		if (rows.what == ES_MPI_THREAD)
			memcpy(&left->thread, rows.rows, sizeof(left->thread));
	}
}

static void
read_space(const char *folder, struct left *left)
{
	struct es_space_run run = { .count = CALLS };
	struct es_space_info info;
	struct es_space *space;
	char pattern[128];
	glob_t files;

	/* In a session the file name also has the host and the process. */
	snprintf(pattern, sizeof(pattern), "%s/r0*.space", folder);
	left->recorded = glob(pattern, 0, NULL, &files) == 0;
	if (!left->recorded)
		return;
	EXPECT_EQ(1, files.gl_pathc);
	EXPECT_OK(es_space_open(files.gl_pathv[0], &space));
	globfree(&files);
	es_space_info(space, &info);
	left->closed = info.closed;
	read_rows(space, left);
	EXPECT_OK(es_space_read(space, 0, &run, left->call));
	left->calls = run.count;
	es_space_close(space);
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* Runs a program, the first of modules, with the case `what`. */
static struct left
run(const char *const *modules, const char *what)
{
	char folder[] = "/tmp/eventspace-abi-XXXXXX";
	struct left left = { 0 };
	int pipes[2];
	ssize_t bytes;
	pid_t pid;

	EXPECT_TRUE(mkdtemp(folder) != NULL);
	EXPECT_OK(setenv("EVENTSPACE_MPI_RUN", folder, 1));
	EXPECT_OK(setenv("EVENTSPACE_MPI_KEEP", "64", 1));
	EXPECT_OK(pipe(pipes));
	pid = fork();
	if (pid == 0)
		child(modules, what, pipes[1]);
	close(pipes[1]);
	bytes = read(pipes[0], left.printed, sizeof(left.printed) - 1);
	EXPECT_TRUE(bytes >= 0);
	close(pipes[0]);
	EXPECT_EQ(pid, waitpid(pid, &left.status, 0));
	read_space(folder, &left);
	nftw(folder, remove_one, 4, FTW_DEPTH | FTW_PHYS);
	return left;
}

static struct left
run_one(const char *module, const char *what)
{
	return run((const char *const[]){ module, NULL }, what);
}

/* Expects the calls of stub_program.c, in their order. */
static void
expect_messages(const struct left *left)
{
	const struct es_tuple_mpi *c = left->call;

	EXPECT_STR_EQ("", left->printed);
	EXPECT_EQ(0, left->status);
	EXPECT_TRUE(left->recorded);
	EXPECT_TRUE(left->closed);
	EXPECT_EQ(8, left->calls);
	EXPECT_EQ(es_mpi_function_find("MPI_Init"), c[0].op);
	EXPECT_EQ(es_mpi_function_find("MPI_Send"), c[1].op);
	EXPECT_EQ(0, c[1].peer);
	EXPECT_EQ(5, c[1].tag);
	EXPECT_EQ(12, c[1].bytes);
	EXPECT_EQ(ES_MPI_COMM_WORLD, c[1].comm);
	/* The program ignored the status; the wrapper passed one of its own. */
	EXPECT_EQ(es_mpi_function_find("MPI_Recv"), c[2].op);
	EXPECT_EQ(0, c[2].peer);
	EXPECT_EQ(5, c[2].tag);
	EXPECT_EQ(12, c[2].bytes);
	EXPECT_EQ(ES_MPI_PEER_PROC_NULL, c[3].peer);
	EXPECT_EQ(0, c[3].bytes);
	/* The large-count form has the number of the same function. */
	EXPECT_EQ(es_mpi_function_find("MPI_Send"), c[4].op);
	EXPECT_EQ(UINT64_C(5) << 34, c[4].bytes);
	EXPECT_EQ(8, c[5].tag);
	EXPECT_EQ(es_mpi_function_find("MPI_Barrier"), c[6].op);
	EXPECT_EQ(ES_MPI_COMM_WORLD, c[6].comm);
	EXPECT_EQ(es_mpi_function_find("MPI_Finalize"), c[7].op);
	EXPECT_EQ(0, left->thread.nested);
}

static void
records_in_the_abi_of_mpi_5(void)
{
	struct left left = run_one("stub_program", "messages");

	expect_messages(&left);
	EXPECT_EQ(3, left.control.abi);
}

static void
narrow_handles_are_masked(void)
{
	struct left left = run_one("stub_program_narrow", "messages");

	expect_messages(&left);
	EXPECT_EQ(2, left.control.abi);
}

static void
expect_fortran(const struct left *left)
{
	EXPECT_STR_EQ("", left->printed);
	EXPECT_EQ(0, left->status);
	EXPECT_EQ(9, left->calls);
	for (unsigned n = 0; n < 6; n++) {
		const struct es_tuple_mpi *c = &left->call[1 + n];

		EXPECT_EQ(es_mpi_function_find("MPI_Send"), c->op);
		EXPECT_EQ(4 * (n + 1), c->bytes);
		EXPECT_EQ(n, c->tag);
		EXPECT_EQ(ES_MPI_COMM_WORLD, c->comm);
	}
	EXPECT_EQ(0, left->thread.nested);
}

/* Each call is recorded once, though Fortran's procedures call those of C. */
static void
records_every_spelling_of_fortran(void)
{
	struct left left = run_one("stub_program", "fortran");

	expect_fortran(&left);
	left = run_one("stub_program_narrow", "fortran");
	expect_fortran(&left);
}

/* A tool above the interposer that wraps MPI_ names calls PMPI_ names. */
static void
records_calls_by_their_profiling_names(void)
{
	struct left left = run_one("stub_program", "profiling");

	EXPECT_STR_EQ("", left.printed);
	EXPECT_EQ(0, left.status);
	EXPECT_EQ(3, left.calls);
	EXPECT_EQ(es_mpi_function_find("MPI_Send"), left.call[1].op);
	EXPECT_EQ(8, left.call[1].bytes);
	EXPECT_EQ(0, left.thread.nested);
}

static void
reports_an_unknown_mpi_and_passes_calls_on(void)
{
	struct left left = run_one("stub_program_unknown", "messages");

	EXPECT_EQ(0, left.status);
	EXPECT_TRUE(!left.recorded);
	EXPECT_STR_EQ("eventspace mpi: unknown MPI "
		      "\"An MPI that nobody knows\": its MPI calls are not "
		      "recorded\n",
	    left.printed);
}

static void
reports_two_mpis_and_passes_calls_on(void)
{
	struct left left =
	    run((const char *const[]){ "stub_program", "libmpi_narrow", NULL },
		"messages");

	EXPECT_EQ(0, left.status);
	EXPECT_TRUE(!left.recorded);
	EXPECT_STR_EQ("eventspace mpi: two MPI libraries in one process: its "
		      "MPI calls are not recorded\n",
	    left.printed);
}

/* Without the interposer the dynamic linker ends the program. */
static void
ends_a_program_that_calls_a_procedure_its_mpi_lacks(void)
{
	struct left left = run_one("stub_program", "ssend");

	EXPECT_TRUE(WIFEXITED(left.status));
	EXPECT_EQ(127, WEXITSTATUS(left.status));
	EXPECT_STR_EQ(
	    "eventspace mpi: the MPI of this program has no MPI_Ssend\n",
	    left.printed);
}

/* Expects three messages with the tags 1, 2 and 3. */
static void
expect_sessions(const struct left *left)
{
	int32_t sent = 0;

	EXPECT_STR_EQ("", left->printed);
	EXPECT_EQ(0, left->status);
	EXPECT_TRUE(left->recorded);
	for (uint64_t n = 0; n < left->calls; n++)
		if (left->call[n].op == es_mpi_function_find("MPI_Send"))
			EXPECT_EQ(++sent, left->call[n].tag);
	EXPECT_EQ(3, sent);
}

/* Calls in a later session are recorded too. */
static void
a_process_ends_with_its_last_session(void)
{
	struct left left = run_one("stub_program", "again");

	expect_sessions(&left);
	EXPECT_EQ(ES_MPI_FINALIZED, left.control.state);
	EXPECT_TRUE(left.closed);
}

static void
a_process_with_an_open_session_has_not_ended(void)
{
	struct left left = run_one("stub_program", "open");

	expect_sessions(&left);
	EXPECT_EQ(ES_MPI_RUNNING, left.control.state);
	EXPECT_TRUE(!left.closed);
}

static void
a_process_whose_session_ended_resumes_with_init(void)
{
	struct left left = run_one("stub_program", "init");

	EXPECT_STR_EQ("", left.printed);
	EXPECT_EQ(0, left.status);
	EXPECT_EQ(ES_MPI_RUNNING, left.control.state);
	EXPECT_TRUE(!left.closed);
	EXPECT_EQ(es_mpi_function_find("MPI_Send"),
	    left.call[left.calls - 1].op);
	EXPECT_EQ(2, left.call[left.calls - 1].tag);
}

TEST_MAIN(records_in_the_abi_of_mpi_5, narrow_handles_are_masked,
    records_every_spelling_of_fortran, records_calls_by_their_profiling_names,
    reports_an_unknown_mpi_and_passes_calls_on,
    reports_two_mpis_and_passes_calls_on,
    ends_a_program_that_calls_a_procedure_its_mpi_lacks,
    a_process_ends_with_its_last_session,
    a_process_with_an_open_session_has_not_ended,
    a_process_whose_session_ended_resumes_with_init)
