/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/command/job.c - the run directory that the ranks of a job
 * share
 *
 * The ranks agree on it without communication, also on several hosts: they
 * derive a token from values that their launcher gives to all of them.  The
 * file "job" in a run directory holds the token of its owner; another job never
 * writes there.  Its second line tells scopes that the job has several hosts.
 */

#include "collectors/mpi/command/job_private.h"

#include "collectors/mpi/command/fail_private.h"
#include "collectors/mpi_space.h"

#include "libpaths/log.h"
#include "libpaths/topology.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Prefix of the files of ranks that try to claim the directory. */
#define JOB_TRYING ".job."

/* Variables that hold the rank, by launcher. */
static const char *const job_ranks[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
	"PMI_RANK", "MV2_COMM_WORLD_RANK", "PALS_RANKID", "FLUX_TASK_RANK",
	"JSM_NAMESPACE_RANK", "ALPS_APP_PE" };
/* Variables that identify the job; one of them is enough. */
static const char *const job_names[] = { "EVENTSPACE_MPI_JOB",
	"OMPI_MCA_orte_precondition_transports", "PMIX_NAMESPACE", "PMI_JOBID",
	"PALS_APID", "FLUX_JOB_ID" };

/* Pairs of variables: the ranks on this host, and all ranks. */
static const char *const job_sizes[][2] = { { "OMPI_COMM_WORLD_LOCAL_SIZE",
						"OMPI_COMM_WORLD_SIZE" },
	{ "MPI_LOCALNRANKS", "PMI_SIZE" },
	{ "MV2_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_SIZE" } };
/* Variables with the number of hosts of a job step. */
static const char *const job_hosts[] = { "SLURM_STEP_NUM_NODES",
	"FLUX_JOB_NNODES" };

/* The token of a job: one line, equal in all its ranks and in no other job. */
#define JOB_TOKEN_BYTES 256u

#define JOB_COUNT(a) (sizeof(a) / sizeof((a)[0]))

long
job_rank(void)
{
	const char *step = getenv("SLURM_STEP_ID");
	const char *rank = NULL;

	for (size_t i = 0; rank == NULL && i < JOB_COUNT(job_ranks); i++)
		rank = getenv(job_ranks[i]);
	/* The script of a batch job has SLURM_PROCID too, but no step. */
	if (rank == NULL && step != NULL)
		rank = getenv("SLURM_PROCID");
	return rank == NULL ? -1 : strtol(rank, NULL, 10);
}

/* Reads a small file of /proc.  Returns its length. */
static size_t
job_read(long pid, const char *what, char *text, size_t bytes)
{
	char name[64];
	ssize_t n = 0;
	int fd;

	snprintf(name, sizeof(name), "/proc/%ld/%s", pid, what);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, bytes - 1);
		close(fd);
	}
	if (n < 0)
		n = 0;
	text[n] = 0;
	return (size_t)n;
}

/* Returns the parent of a process.  began: start of the process, in clock ticks
   since the host booted */
static long
job_parent(long pid, unsigned long long *began)
{
	char text[1024];
	long parent = 0;
	char *at;

	*began = 0;
	job_read(pid, "stat", text, sizeof(text));
	/* The name in parentheses may contain any character. */
	at = strrchr(text, ')');
	if (at == NULL ||
	    sscanf(at + 1,
		" %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d "
		"%*d %*d %*d %*d %llu",
		&parent, began) != 2)
		return 0;
	return parent;
}

/* Makes a token for a job of Hydra, the launcher of MPICH.  Hydra does not name
   its jobs, but the command line of all its proxies has the same address. */
static bool
job_hydra(char token[JOB_TOKEN_BYTES])
{
	static const char option[] = "--control-port";
	unsigned long long began;
	char words[4096];
	long pid = job_parent(getpid(), &began);

	for (; pid > 1; pid = job_parent(pid, &began)) {
		size_t bytes = job_read(pid, "cmdline", words, sizeof(words));
		const char *at = memmem(words, bytes, option, sizeof(option));

		if (at == NULL)
			continue;
		snprintf(token, JOB_TOKEN_BYTES, "%s %s", option,
		    at + sizeof(option));
		return true;
	}
	return false;
}

static void
job_token(char token[JOB_TOKEN_BYTES])
{
	const char *step = getenv("SLURM_STEP_ID");
	unsigned long long began, unused;
	char host[64] = "";
	long pid;

	for (size_t i = 0; i < JOB_COUNT(job_names); i++) {
		const char *name = getenv(job_names[i]);

		if (name != NULL && name[0] != 0) {
			snprintf(token, JOB_TOKEN_BYTES, "%s %s", job_names[i],
			    name);
			return;
		}
	}
	if (step != NULL && getenv("SLURM_JOB_ID") != NULL) {
		snprintf(token, JOB_TOKEN_BYTES, "SLURM_JOB_ID %s.%s",
		    getenv("SLURM_JOB_ID"), step);
		return;
	}
	if (job_rank() >= 0 && job_hydra(token))
		return;
	/* A job without a name is identified by the parent of the rank.  A
	   process without a launcher is a job of its own. */
	pid = getpid();
	if (job_rank() >= 0)
		pid = job_parent(pid, &unused);
	(void)job_parent(pid, &began);
	gethostname(host, sizeof(host) - 1);
	snprintf(token, JOB_TOKEN_BYTES, "process %s %ld %llu", host, pid,
	    began);
}

/* Returns true if the launcher says that a job has ranks on other hosts. */
static bool
job_is_elsewhere(void)
{
	for (size_t i = 0; i < JOB_COUNT(job_sizes); i++) {
		const char *here = getenv(job_sizes[i][0]);
		const char *all = getenv(job_sizes[i][1]);

		if (here != NULL && all != NULL)
			return strtol(here, NULL, 10) < strtol(all, NULL, 10);
	}
	for (size_t i = 0; i < JOB_COUNT(job_hosts); i++) {
		const char *hosts = getenv(job_hosts[i]);

		if (hosts != NULL)
			return strtol(hosts, NULL, 10) > 1;
	}
	return false;
}

/* Owner of a run directory.  NONE: it has no file "job"; OTHER: another job, or
   the file cannot be read. */
enum job_owner { JOB_NONE, JOB_OWN, JOB_OTHER };

static enum job_owner
job_owner(const char *directory, const char *token)
{
	char file[PATH_MAX], text[JOB_TOKEN_BYTES + 1] = "";
	FILE *from;

	snprintf(file, sizeof(file), "%s/%s", directory, ES_MPI_JOB_FILE);
	from = fopen(file, "re");
	if (from == NULL)
		return errno == ENOENT ? JOB_NONE : JOB_OTHER;
	if (fgets(text, sizeof(text), from) == NULL)
		text[0] = 0;
	fclose(from);
	text[strcspn(text, "\n")] = 0;
	return strcmp(text, token) == 0 ? JOB_OWN : JOB_OTHER;
}

/* Returns whether a directory is empty, apart from the files of ranks that try
   to claim it. */
static bool
job_is_empty(const char *directory)
{
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	bool empty = dir != NULL;

	while (empty && (entry = readdir(dir)) != NULL)
		empty = strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0 ||
		    strncmp(entry->d_name, JOB_TRYING, strlen(JOB_TRYING)) == 0;
	if (dir != NULL)
		closedir(dir);
	return empty;
}

/* Returns true if a directory is that which eventspace run made for this
   process. */
static bool
job_is_launched(const char *directory)
{
	const char *run = getenv("PATHS_RUN");
	struct stat a, b;

	return run != NULL && stat(run, &a) == 0 && stat(directory, &b) == 0 &&
	    a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Writes the file "job", unless another rank or job did.  Returns false, after
   a message, if it cannot be written. */
static bool
job_claim(const char *directory, const char *token)
{
	char file[PATH_MAX], trying[PATH_MAX], host[64] = "";
	bool done;
	FILE *to;

	gethostname(host, sizeof(host) - 1);
	snprintf(file, sizeof(file), "%s/%s", directory, ES_MPI_JOB_FILE);
	snprintf(trying, sizeof(trying), "%s/%s%s.%ld", directory, JOB_TRYING,
	    host, (long)getpid());
	to = fopen(trying, "wxe");
	if (to == NULL)
		return MPI_FAIL("%s: %s", trying, strerror(errno));
	fprintf(to, "%s\n%s", token,
	    job_is_elsewhere() ? ES_MPI_JOB_HOSTS "\n" : "");
	done = fclose(to) == 0;
	/* link() makes the file visible with its whole content. */
	done = done && (link(trying, file) == 0 || errno == EEXIST);
	if (!done)
		(void)paths_command_fail("mpi", "%s: %s", file,
		    strerror(errno));
	unlink(trying);
	return done;
}

static bool
job_take(const char *directory, const char *token)
{
	enum job_owner owner = job_owner(directory, token);

	if (owner == JOB_NONE) {
		if (!job_is_empty(directory) && !job_is_launched(directory) &&
		    job_owner(directory, token) == JOB_NONE)
			return MPI_FAIL("%s: is not empty, and no run",
			    directory);
		/* Only the owner may read a run. */
		if (chmod(directory, 0700) != 0)
			return MPI_FAIL("%s: %s", directory, strerror(errno));
		if (!job_claim(directory, token))
			return false;
		owner = job_owner(directory, token);
	}
	return owner == JOB_OWN || MPI_FAIL("%s: holds another run", directory);
}

/* Makes the default name, as solver.run-1f0c22e9: equal in all ranks. */
static void
job_name(const char *program, const char *token, char name[PATH_MAX])
{
	const char *slash = strrchr(program, '/');
	uint32_t hash = 2166136261u;

	for (const char *c = token; *c != 0; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	snprintf(name, PATH_MAX, "%s.run-%08x",
	    slash == NULL ? program : slash + 1, hash);
}

bool
job_directory(const char *name, const char *program, char directory[PATH_MAX])
{
	char token[JOB_TOKEN_BYTES], named[PATH_MAX];

	job_token(token);
	if (name == NULL) {
		job_name(program, token, named);
		name = named;
	}
	if ((mkdir(name, 0700) != 0 && errno != EEXIST) ||
	    realpath(name, directory) == NULL)
		return MPI_FAIL("%s: %s", name, strerror(errno));
	return job_take(directory, token);
}

void
job_topology(const char *directory)
{
	char file[PATH_MAX], host[64] = "";

	gethostname(host, sizeof(host) - 1);
	if (snprintf(file, sizeof(file), "%s/%s.topology", directory, host) >=
		(int)sizeof(file) ||
	    paths_topology_save(file) != PATHS_OK)
		paths_log_warn("no topology of %s: %s", host, paths_log_last());
}
