/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/rankfile.c - writes a placement for launchers
 *
 * Open MPI counts packages, and cores of a package, in hwloc's order.  Hydra
 * (MPICH) and Slurm take the kernel's numbers of PUs, in one list for all
 * hosts: entry n is for process n of a host.  For Hydra, a host begins again
 * where its name stands after another one.
 */

#include "scopes/cluster/rankfile_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const rankfile_names[] = {
	[ES__RANKFILE_TABLE] = "table",
	[ES__RANKFILE_OPENMPI] = "openmpi",
	[ES__RANKFILE_OPENMPI5] = "openmpi5",
	[ES__RANKFILE_MPICH] = "mpich",
	[ES__RANKFILE_SLURM] = "slurm",
	[ES__RANKFILE_CRAY] = "cray",
	[ES__RANKFILE_SPLIT] = "split",
	[ES__RANKFILE_MAP] = "map",
	[ES__RANKFILE_MOVES] = "moves",
};

paths_status
es__rankfile_find(const char *name, enum es__rankfile_format *format)
{
	for (size_t n = ES__RANKFILE_TABLE;
	     n < sizeof(rankfile_names) / sizeof(*rankfile_names); n++) {
		if (strcmp(rankfile_names[n], name) == 0) {
			*format = (enum es__rankfile_format)n;
			return PATHS_OK;
		}
	}
	return paths_log_fail(PATHS_EINVAL,
	    "%s: expected openmpi, openmpi5, mpich, slurm, cray, table, split, "
	    "map or moves",
	    name);
}

static const struct es__slot *
ranks_slot(const struct es__ranks *ranks, uint32_t rank)
{
	return &ranks->slots->slots[ranks->at[rank]];
}

static const char *
ranks_host(const struct es__ranks *ranks, uint32_t rank)
{
	return ranks->slots->cluster->hosts[ranks_slot(ranks, rank)->host].name;
}

static void
table_write(const struct es__ranks *ranks, FILE *to)
{
	fputs("# rank host package core pu kernel\n", to);
	for (uint32_t n = 0; n < ranks->count; n++) {
		const struct es__slot *slot = ranks_slot(ranks, n);

		fprintf(to, "%u %s %u %u %u %u\n", n, ranks_host(ranks, n),
		    slot->package, slot->core, slot->pu, slot->kernel);
	}
}

static void
openmpi_write(const struct es__ranks *ranks, bool five, FILE *to)
{
	if (five)
		fprintf(to, "# mpirun --map-by rankfile:file=FILE%s%s\n",
		    ranks->pus ? ":hwtcpus" : "",
		    ranks->several ? " --bind-to :overload-allowed" : "");
	else
		fprintf(to, "# mpirun %s--rankfile FILE\n",
		    ranks->pus ? "--use-hwthread-cpus " : "");
	for (uint32_t n = 0; n < ranks->count; n++) {
		const struct es__slot *slot = ranks_slot(ranks, n);

		fprintf(to, "rank %u=%s slot=", n, ranks_host(ranks, n));
		if (ranks->pus)
			fprintf(to, "%u\n", slot->pu);
		else
			fprintf(to, "%u:%u\n", slot->package, slot->core);
	}
}

/* The list of PUs that holds for all hosts, under construction. */
struct pu_list {
	const struct es__ranks *ranks;
	uint32_t *kernel;
	uint32_t *first; /* rank that each entry is of */
	uint32_t count;
	const char *launcher;
};

static paths_status
pu_list_open(struct pu_list *list)
{
	list->kernel = calloc(list->ranks->count, sizeof(*list->kernel));
	list->first = calloc(list->ranks->count, sizeof(*list->first));
	if (list->kernel == NULL || list->first == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	return PATHS_OK;
}

static void
pu_list_close(struct pu_list *list)
{
	free(list->kernel);
	free(list->first);
}

/* Adds process `local` of a host; hosts must agree on it. */
static paths_status
pu_list_add(struct pu_list *list, uint32_t local, uint32_t rank)
{
	const struct es__ranks *ranks = list->ranks;
	uint32_t kernel = ranks_slot(ranks, rank)->kernel;

	if (local == list->count) {
		list->kernel[local] = kernel;
		list->first[local] = rank;
		list->count++;
	}
	if (list->kernel[local] == kernel)
		return PATHS_OK;
	if (strcmp(ranks_host(ranks, list->first[local]),
		ranks_host(ranks, rank)) == 0)
		return paths_log_fail(PATHS_EINVAL,
		    "%s begins its list of PUs again for rank %u, because it "
		    "does not follow rank %u of %s directly: use --format "
		    "split or --format table",
		    list->launcher, rank, list->first[local],
		    ranks_host(ranks, rank));
	return paths_log_fail(PATHS_EINVAL,
	    "%s takes one list of PUs for all hosts, but its entry %u is %u for "
	    "rank %u on %s and %u for rank %u on %s: use --format split or "
	    "--format table",
	    list->launcher, local, list->kernel[local], list->first[local],
	    ranks_host(ranks, list->first[local]), kernel, rank,
	    ranks_host(ranks, rank));
}

static void
pu_list_write(const struct pu_list *list, FILE *to)
{
	for (uint32_t n = 0; n < list->count; n++)
		fprintf(to, "%s%u", n == 0 ? "" : ",", list->kernel[n]);
	fputc('\n', to);
}

/* Lists ranks in the order of their slots. */
static uint32_t *
ranks_by_slot(const struct es__ranks *ranks)
{
	uint32_t *by = calloc(ranks->count, sizeof(*by));
	uint32_t *of = calloc(ranks->slots->count, sizeof(*of));
	uint32_t count = 0;

	for (uint32_t n = 0; by != NULL && of != NULL && n < ranks->count; n++)
		of[ranks->at[n]] = n + 1;
	for (uint32_t s = 0;
	     by != NULL && of != NULL && s < ranks->slots->count; s++) {
		if (of[s] > 0)
			by[count++] = of[s] - 1;
	}
	if (of == NULL) {
		free(by);
		by = NULL;
	}
	free(of);
	return by;
}

/* Returns the end of the ranks, in the order of slots, that share all levels
   with one of them. */
static uint32_t
alike_end(const struct es__ranks *ranks, const uint32_t *by, uint32_t from)
{
	const struct es_machine *machine = ranks->slots->machine;
	uint32_t levels = es_machine_levels(machine), end = from + 1;

	while (end < ranks->count &&
	    es_machine_depth(machine, ranks->at[by[from]],
		ranks->at[by[end]]) == levels)
		end++;
	return end;
}

static int
rank_order(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

/* Sorts ranks on slots of the same group, which does not change their cost.
   The hosts then agree on their lists more often. */
static paths_status
ranks_sort(const struct es__ranks *ranks, uint32_t *at)
{
	uint32_t *by = ranks_by_slot(ranks);
	uint32_t *slots = calloc(ranks->count, sizeof(*slots));

	if (by == NULL || slots == NULL) {
		free(by);
		free(slots);
		return paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	}
	for (uint32_t n = 0; n < ranks->count; n++)
		slots[n] = ranks->at[by[n]];
	for (uint32_t n = 0, end; n < ranks->count; n = end) {
		end = alike_end(ranks, by, n);
		qsort(by + n, end - n, sizeof(*by), rank_order);
	}
	for (uint32_t n = 0; n < ranks->count; n++)
		at[by[n]] = slots[n];
	free(by);
	free(slots);
	return PATHS_OK;
}

/* Returns the number of ranks from one on that are on its host, without a gap
   between them. */
static uint32_t
run_length(const struct es__ranks *ranks, uint32_t rank)
{
	uint32_t end = rank + 1;

	while (end < ranks->count &&
	    ranks_slot(ranks, end)->host == ranks_slot(ranks, rank)->host)
		end++;
	return end - rank;
}

static paths_status
mpich_write(const struct es__ranks *ranks, FILE *to)
{
	struct pu_list list = { .ranks = ranks,
		.launcher = "-bind-to user: of Hydra" };
	paths_status st = pu_list_open(&list);

	for (uint32_t n = 0; st == PATHS_OK && n < ranks->count;) {
		uint32_t end = n + run_length(ranks, n);

		for (uint32_t local = 0; st == PATHS_OK && n < end; n++)
			st = pu_list_add(&list, local++, n);
	}
	if (st == PATHS_OK) {
		fputs("# mpiexec -f FILE -bind-to user:", to);
		pu_list_write(&list, to);
		for (uint32_t n = 0; n < ranks->count;
		     n += run_length(ranks, n))
			fprintf(to, "%s:%u\n", ranks_host(ranks, n),
			    run_length(ranks, n));
	}
	pu_list_close(&list);
	return st;
}

static paths_status
slurm_write(const struct es__ranks *ranks, FILE *to)
{
	struct pu_list list = { .ranks = ranks,
		.launcher = "--cpu-bind=map_cpu: of Slurm" };
	uint32_t *local =
	    calloc(ranks->slots->cluster->count + 1, sizeof(*local));
	paths_status st = pu_list_open(&list);

	if (local == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	for (uint32_t n = 0; st == PATHS_OK && n < ranks->count; n++)
		st = pu_list_add(&list, local[ranks_slot(ranks, n)->host]++, n);
	if (st == PATHS_OK) {
		fputs("# SLURM_HOSTFILE=FILE srun -m arbitrary "
		      "--cpu-bind=map_cpu:",
		    to);
		pu_list_write(&list, to);
		for (uint32_t n = 0; n < ranks->count; n++)
			fprintf(to, "%s\n", ranks_host(ranks, n));
	}
	free(local);
	pu_list_close(&list);
	return st;
}

typedef paths_status sorted_writer(const struct es__ranks *ranks, FILE *to);

/* Writes ranks; sorts them on slots that are alike if the launcher cannot be
   told the order that they have. */
static paths_status
sorted_write(const struct es__ranks *ranks, sorted_writer *write, FILE *to)
{
	struct es__ranks sorted = *ranks;
	uint32_t *at;
	paths_status st = write(ranks, to);

	if (st != PATHS_EINVAL)
		return st;
	at = calloc(ranks->count, sizeof(*at));
	st = at == NULL ? paths_log_fail(PATHS_ENOMEM, "no memory for ranks") :
			  ranks_sort(ranks, at);
	sorted.at = at;
	if (st == PATHS_OK)
		st = write(&sorted, to);
	free(at);
	return st;
}

/* Adds the ranks of one host in the order of their slots.  Returns their number
   in *count. */
static paths_status
cray_add_host(struct pu_list *list, const uint32_t *by, uint32_t from,
    uint32_t *count)
{
	uint32_t host = ranks_slot(list->ranks, by[from])->host;
	paths_status st = PATHS_OK;

	for (*count = 0; st == PATHS_OK && from + *count < list->ranks->count &&
	     ranks_slot(list->ranks, by[from + *count])->host == host;
	     (*count)++)
		st = pu_list_add(list, *count, by[from + *count]);
	return st;
}

static paths_status
cray_add(struct pu_list *list, const uint32_t *by)
{
	uint32_t count = 0, least = UINT32_MAX;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < list->ranks->count;
	     n += count) {
		if (n > 0 && least > count)
			least = count;
		st = cray_add_host(list, by, n, &count);
		/* All hosts but the last have the same number of ranks. */
		if (st == PATHS_OK &&
		    (least < list->count || count > list->count))
			st = paths_log_fail(PATHS_EINVAL,
			    "MPICH_RANK_ORDER needs the same number of ranks on "
			    "each host, but %s has %u and another one %u",
			    ranks_host(list->ranks, by[n]), count, least);
	}
	return st;
}

static paths_status
cray_write(const struct es__ranks *ranks, FILE *to)
{
	struct pu_list list = { .ranks = ranks,
		.launcher = "--cpu-bind=map_cpu: of Slurm" };
	uint32_t *by = ranks_by_slot(ranks);
	paths_status st = pu_list_open(&list);

	if (by == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	if (st == PATHS_OK)
		st = cray_add(&list, by);
	if (st == PATHS_OK) {
		fprintf(to,
		    "# MPICH_RANK_REORDER_METHOD=3 with this file as "
		    "MPICH_RANK_ORDER, and\n"
		    "# srun --ntasks-per-node=%u --cpu-bind=map_cpu:",
		    list.count);
		pu_list_write(&list, to);
		for (uint32_t n = 0; n < ranks->count; n++)
			fprintf(to, "%s%u", n == 0 ? "" : ",", by[n]);
		fputc('\n', to);
	}
	free(by);
	pu_list_close(&list);
	return st;
}

/* A process keeps its slot and takes the rank of the process that should be
   there. */
static paths_status
split_write(const struct es__ranks *ranks, FILE *to)
{
	uint32_t *by = calloc(ranks->slots->count, sizeof(*by));

	if (by == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	for (uint32_t n = 0; n < ranks->count; n++)
		by[ranks->at[n]] = n;
	fputs("# rank colour key\n", to);
	for (uint32_t n = 0; n < ranks->count; n++)
		fprintf(to, "%u 0 %u\n", n, by[ranks->before[n]]);
	free(by);
	return PATHS_OK;
}

paths_status
es__rankfile_write(enum es__rankfile_format format,
    const struct es__ranks *ranks, FILE *to)
{
	switch (format) {
	case ES__RANKFILE_TABLE:
		table_write(ranks, to);
		return PATHS_OK;
	case ES__RANKFILE_OPENMPI:
	case ES__RANKFILE_OPENMPI5:
		openmpi_write(ranks, format == ES__RANKFILE_OPENMPI5, to);
		return PATHS_OK;
	case ES__RANKFILE_MPICH:
		return sorted_write(ranks, mpich_write, to);
	case ES__RANKFILE_SLURM:
		return sorted_write(ranks, slurm_write, to);
	case ES__RANKFILE_CRAY:
		return cray_write(ranks, to);
	case ES__RANKFILE_SPLIT:
		return split_write(ranks, to);
	default:
		return PATHS_OK;
	}
}

/* Columns of a table, and that of the host; others are numbers. */
#define TABLE_COLUMNS 6u
#define TABLE_HOST 1u

/* A table that is read. */
struct reading {
	const char *file;
	const struct es__slots *slots;
	uint32_t *at, count;
	uint32_t *order; /* slots by host and kernel's number */
	uint32_t *taken; /* slots that were given, at the first of their kind
			    in order */
	unsigned line;
};

static int
reading_compare(const struct es__slot *slot, size_t host, uint32_t kernel)
{
	if (slot->host != host)
		return slot->host < host ? -1 : 1;
	return (slot->kernel > kernel) - (slot->kernel < kernel);
}

static int
reading_order(const void *left, const void *right, void *slots)
{
	const struct es__slot *all = slots;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = reading_compare(&all[a], all[b].host, all[b].kernel);

	return order != 0 ? order : (a > b) - (a < b);
}

static paths_status
reading_open(struct reading *r)
{
	r->order = calloc(r->slots->count, sizeof(*r->order));
	r->taken = calloc(r->slots->count, sizeof(*r->taken));
	if (r->order == NULL || r->taken == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	for (uint32_t n = 0; n < r->slots->count; n++)
		r->order[n] = n;
	qsort_r(r->order, r->slots->count, sizeof(*r->order), reading_order,
	    r->slots->slots);
	return PATHS_OK;
}

/* Returns the first free slot with a kernel's number; UINT32_MAX: none. */
static uint32_t
reading_take(struct reading *r, size_t host, uint32_t kernel)
{
	const struct es__slot *slots = r->slots->slots;
	uint32_t low = 0, high = r->slots->count, next;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (reading_compare(&slots[r->order[middle]], host, kernel) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == r->slots->count)
		return UINT32_MAX;
	next = low + r->taken[low];
	if (next >= r->slots->count ||
	    reading_compare(&slots[r->order[next]], host, kernel) != 0)
		return UINT32_MAX;
	r->taken[low]++;
	return r->order[next];
}

/* Gives a rank the first free slot with a kernel's number. */
static paths_status
reading_place(struct reading *r, uint32_t rank, const char *host,
    uint32_t kernel)
{
	size_t h = es__cluster_find(r->slots->cluster, host);

	if (rank >= r->count || r->at[rank] != UINT32_MAX)
		return paths_log_fail(PATHS_EINVAL, "%s:%u: rank %u is %s",
		    r->file, r->line, rank,
		    rank >= r->count ? "not one of those that are placed" :
				       "there twice");
	if (h == r->slots->cluster->count)
		return paths_log_fail(PATHS_EINVAL,
		    "%s:%u: the machine has no host %s", r->file, r->line,
		    host);
	r->at[rank] = reading_take(r, h, kernel);
	if (r->at[rank] != UINT32_MAX)
		return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL,
	    "%s:%u: PU %u of host %s is no free core of the machine", r->file,
	    r->line, kernel, host);
}

/* Reads a number with a blank or the end behind it.  Returns false if there is
   none, or one that is too large. */
static bool
word_number(const char *word, uint32_t *number)
{
	uint64_t value = 0;

	*number = 0;
	if (word == NULL || *word == 0)
		return false;
	for (; *word >= '0' && *word <= '9' && value < UINT32_MAX; word++)
		value = 10 * value + (uint64_t)(*word - '0');
	*number = (uint32_t)value;
	return *word == 0 && value < UINT32_MAX;
}

static paths_status
reading_line(struct reading *r, char *text)
{
	uint32_t numbers[TABLE_COLUMNS] = { 0 };
	char *words[TABLE_COLUMNS] = { NULL }, *rest = NULL, *word;
	size_t count = 0;
	bool good;

	r->line++;
	text[strcspn(text, "#\n")] = 0;
	for (word = strtok_r(text, " \t\r", &rest); word != NULL;
	     word = strtok_r(NULL, " \t\r", &rest)) {
		if (count < TABLE_COLUMNS)
			words[count] = word;
		count++;
	}
	if (count == 0)
		return PATHS_OK;
	good = count == TABLE_COLUMNS;
	for (size_t n = 0; good && n < TABLE_COLUMNS; n++)
		good = n == TABLE_HOST || word_number(words[n], &numbers[n]);
	if (!good)
		return paths_log_fail(PATHS_ESYNTAX,
		    "%s:%u: expected rank, host, package, core, pu and kernel",
		    r->file, r->line);
	return reading_place(r, numbers[0], words[TABLE_HOST],
	    numbers[TABLE_COLUMNS - 1]);
}

static paths_status
reading_all(struct reading *r, FILE *from)
{
	char *text = NULL;
	size_t room = 0;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < r->count; n++)
		r->at[n] = UINT32_MAX;
	while (st == PATHS_OK && getline(&text, &room, from) >= 0)
		st = reading_line(r, text);
	if (st == PATHS_OK && ferror(from))
		st = paths_log_fail(PATHS_EIO, "%s: %s", r->file,
		    strerror(errno));
	for (uint32_t n = 0; st == PATHS_OK && n < r->count; n++) {
		if (r->at[n] == UINT32_MAX)
			st = paths_log_fail(PATHS_EINVAL,
			    "%s: rank %u is missing", r->file, n);
	}
	free(text);
	return st;
}

paths_status
es__rankfile_read(const char *file, const struct es__slots *slots, uint32_t *at,
    uint32_t count)
{
	struct reading r = { .file = file,
		.slots = slots,
		.at = at,
		.count = count };
	FILE *from = fopen(file, "re");
	paths_status st;

	if (from == NULL)
		return paths_log_fail(errno == ENOENT ? PATHS_ENOENT :
							PATHS_EIO,
		    "%s: %s", file, strerror(errno));
	st = reading_open(&r);
	if (st == PATHS_OK)
		st = reading_all(&r, from);
	free(r.order);
	free(r.taken);
	fclose(from);
	return st;
}
