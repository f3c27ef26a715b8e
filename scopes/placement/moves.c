/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/moves.c - a placement as moves of a path map
 */

#include "scopes/placement/moves_private.h"

#include "libpaths/log.h"
#include "scopes/place/traffic_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The new hosts and cores, under construction.  Hosts are those of the
   cluster. */
struct moves {
	const struct es_place_source *source;
	const struct es_place_plan *plan;
	const struct paths_map *map;
	uint32_t *hosts;   /* present host of each process; PATHS_NONE: not of
			      the cluster */
	uint32_t *to;	   /* new host of each process, as hosts */
	uint32_t *process; /* new process of each thread */
	int64_t *core;	   /* new core of each thread; -1: any */
	bool *placed;	   /* threads that have their new core */
	bool *taken;	   /* slots */
	uint32_t *served;  /* processes on each host */
};

static paths_status
moves_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for moves");
}

static const struct es__slot *
moves_slot(const struct moves *m, uint32_t unit)
{
	return &m->plan->slots.slots[m->plan->after[unit]];
}

/* Finds the present hosts of processes. */
static paths_status
moves_hosts(struct moves *m)
{
	uint32_t *number =
	    calloc(m->map->host_count + (size_t)1, sizeof(*number));

	if (number == NULL)
		return moves_no_memory();
	for (uint32_t n = 0; n < m->map->host_count; n++) {
		size_t host =
		    es__cluster_find(&m->plan->cluster, m->map->hosts[n].name);

		number[n] =
		    host < m->plan->cluster.count ? (uint32_t)host : PATHS_NONE;
	}
	for (uint32_t n = 0; n < m->map->process_count; n++)
		m->hosts[n] = m->to[n] = number[m->map->processes[n].host];
	free(number);
	return PATHS_OK;
}

static paths_status
moves_open(struct moves *m)
{
	size_t processes = m->map->process_count + (size_t)1;
	size_t threads = m->map->thread_count + (size_t)1;
	size_t hosts = m->plan->cluster.count + 1;

	m->hosts = calloc(processes, sizeof(*m->hosts));
	m->to = calloc(processes, sizeof(*m->to));
	m->process = calloc(threads, sizeof(*m->process));
	m->core = calloc(threads, sizeof(*m->core));
	m->placed = calloc(threads, sizeof(*m->placed));
	m->taken = calloc(m->plan->slots.count + (size_t)1, sizeof(*m->taken));
	m->served = calloc(hosts, sizeof(*m->served));
	if (m->hosts == NULL || m->to == NULL || m->process == NULL ||
	    m->core == NULL || m->placed == NULL || m->taken == NULL ||
	    m->served == NULL)
		return moves_no_memory();
	for (uint32_t n = 0; n < m->map->thread_count; n++) {
		m->process[n] = m->map->threads[n].process;
		m->core[n] = m->map->threads[n].core;
	}
	return moves_hosts(m);
}

static void
moves_close(struct moves *m)
{
	free(m->hosts);
	free(m->to);
	free(m->process);
	free(m->core);
	free(m->placed);
	free(m->taken);
	free(m->served);
}

/* Binds a thread to a slot. */
static void
moves_bind(struct moves *m, uint32_t thread, uint32_t slot)
{
	m->core[thread] = m->plan->slots.slots[slot].host_core;
	m->placed[thread] = true;
	m->taken[slot] = true;
}

/* Finds a free slot of a core of a host; PATHS_NONE: there is none. */
static uint32_t
moves_free_core(const struct moves *m, uint32_t host, uint32_t core)
{
	for (uint32_t n = m->plan->slots.first[host];
	     n < m->plan->slots.first[host + 1]; n++) {
		if (!m->taken[n] && m->plan->slots.slots[n].host_core == core)
			return n;
	}
	return PATHS_NONE;
}

/* Finds the next free slot behind one, up to the end of the host, and then from
   its begin; PATHS_NONE: there is none. */
static uint32_t
moves_free_next(const struct moves *m, uint32_t slot)
{
	uint32_t host = m->plan->slots.slots[slot].host;
	uint32_t count =
	    m->plan->slots.first[host + 1] - m->plan->slots.first[host];

	for (uint32_t n = 1; n < count; n++) {
		uint32_t k = m->plan->slots.first[host] +
		    (slot - m->plan->slots.first[host] + n) % count;

		if (!m->taken[k])
			return k;
	}
	return PATHS_NONE;
}

/* Binds the first thread of each process to the core of its slot: the first
   that is bound, or else the first of the process. */
static paths_status
processes_first(struct moves *m)
{
	uint32_t *first =
	    malloc((m->map->process_count + (size_t)1) * sizeof(*first));

	if (first == NULL)
		return moves_no_memory();
	memset(first, 0xff, m->map->process_count * sizeof(*first));
	for (uint32_t n = 0; n < m->map->thread_count; n++) {
		uint32_t *f = &first[m->process[n]];

		if (*f == PATHS_NONE || (m->core[*f] < 0 && m->core[n] >= 0))
			*f = n;
	}
	for (uint32_t n = 0; n < m->map->process_count; n++) {
		m->to[n] = moves_slot(m, n)->host;
		if (first[n] != PATHS_NONE)
			moves_bind(m, first[n], m->plan->after[n]);
		else
			m->taken[m->plan->after[n]] = true;
	}
	free(first);
	return PATHS_OK;
}

/* Binds the other threads that are bound: those that keep their core first. */
static void
processes_others(struct moves *m)
{
	for (uint32_t n = 0; n < m->map->thread_count; n++) {
		uint32_t host = m->to[m->process[n]], slot;

		if (m->placed[n] || m->core[n] < 0 ||
		    host != m->hosts[m->process[n]])
			continue;
		slot = moves_free_core(m, host, (uint32_t)m->core[n]);
		if (slot != PATHS_NONE)
			moves_bind(m, n, slot);
	}
	for (uint32_t n = 0; n < m->map->thread_count; n++) {
		uint32_t slot;

		if (m->placed[n] || m->core[n] < 0)
			continue;
		slot = moves_free_next(m, m->plan->after[m->process[n]]);
		if (slot != PATHS_NONE)
			moves_bind(m, n, slot);
		else
			m->core[n] = -1;
	}
}

/* The threads of a process on a host. */
struct share {
	uint32_t process, host;
	uint32_t threads;
	bool home; /* the host is the present one of the process */
};

static int
share_order(const void *left, const void *right)
{
	const struct share *a = left, *b = right;

	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	return (a->host > b->host) - (a->host < b->host);
}

/* The most threads come first, and at home before elsewhere. */
static int
share_size_order(const void *left, const void *right)
{
	const struct share *a = left, *b = right;

	if (a->threads != b->threads)
		return a->threads > b->threads ? -1 : 1;
	if (a->home != b->home)
		return a->home ? -1 : 1;
	return share_order(left, right);
}

/* Makes a list of all shares, the largest first.  Returns their number. */
static size_t
shares_make(const struct moves *m, struct share *all)
{
	size_t kept = 0;

	for (uint32_t n = 0; n < m->map->thread_count; n++)
		all[n] = (struct share){ .process = m->process[n],
			.host = moves_slot(m, n)->host,
			.threads = 1,
			.home =
			    moves_slot(m, n)->host == m->hosts[m->process[n]] };
	qsort(all, m->map->thread_count, sizeof(*all), share_order);
	for (size_t n = 0; n < m->map->thread_count; n++) {
		if (kept > 0 && share_order(&all[kept - 1], &all[n]) == 0)
			all[kept - 1].threads++;
		else
			all[kept++] = all[n];
	}
	qsort(all, kept, sizeof(*all), share_size_order);
	return kept;
}

/* Gives a host without a process one that has threads there, from a host that
   has several. */
static paths_status
shares_serve(struct moves *m, const struct share *all, size_t count,
    uint32_t host)
{
	for (size_t n = 0; n < count; n++) {
		uint32_t process = all[n].process;

		if (all[n].host != host || m->served[m->to[process]] < 2)
			continue;
		m->served[m->to[process]]--;
		m->served[host]++;
		m->to[process] = host;
		return PATHS_OK;
	}
	return paths_log_fail(PATHS_ERANGE,
	    "host %s gets threads, but no process can move there: without "
	    "--threads, whole processes move",
	    m->plan->cluster.hosts[host].name);
}

/* Sends each process to the host that most of its threads are on. */
static paths_status
threads_processes(struct moves *m)
{
	struct share *all =
	    calloc(m->map->thread_count + (size_t)1, sizeof(*all));
	bool *known = calloc(m->map->process_count + (size_t)1, sizeof(*known));
	paths_status st = PATHS_OK;
	size_t count = 0;

	if (all == NULL || known == NULL)
		st = moves_no_memory();
	else
		count = shares_make(m, all);
	for (size_t n = 0; n < count; n++) {
		if (!known[all[n].process])
			m->to[all[n].process] = all[n].host;
		known[all[n].process] = true;
	}
	for (uint32_t n = 0; st == PATHS_OK && n < m->map->process_count; n++)
		if (m->to[n] != PATHS_NONE)
			m->served[m->to[n]]++;
	for (size_t n = 0; st == PATHS_OK && n < count; n++)
		if (m->served[all[n].host] == 0)
			st = shares_serve(m, all, count, all[n].host);
	free(all);
	free(known);
	return st;
}

/* Returns the process of a host that a thread exchanges most with, or else the
   first one.

   first	process of each host
   score	of each process: 0 */
static uint32_t
thread_process(const struct moves *m, uint32_t thread, const uint32_t *first,
    double *score)
{
	const struct es_traffic *t = m->source->traffic;
	uint32_t host = moves_slot(m, thread)->host, best = first[host];

	for (size_t n = t->row[thread]; n < t->row[thread + 1]; n++) {
		uint32_t process = m->map->threads[t->partner[n]].process;

		score[process] += t->weight[n];
		if (m->to[process] == host && score[process] > score[best])
			best = process;
	}
	for (size_t n = t->row[thread]; n < t->row[thread + 1]; n++)
		score[m->map->threads[t->partner[n]].process] = 0;
	return best;
}

/* Sends threads whose process is on another host to one of their host. */
static paths_status
threads_follow(struct moves *m)
{
	size_t hosts = m->plan->cluster.count + 1;
	uint32_t *first = malloc(hosts * sizeof(*first));
	double *score =
	    calloc(m->map->process_count + (size_t)1, sizeof(*score));

	if (first == NULL || score == NULL) {
		free(first);
		free(score);
		return moves_no_memory();
	}
	for (uint32_t n = m->map->process_count; n-- > 0;)
		if (m->to[n] != PATHS_NONE)
			first[m->to[n]] = n;
	for (uint32_t n = 0; n < m->map->thread_count; n++) {
		moves_bind(m, n, m->plan->after[n]);
		if (m->to[m->process[n]] != moves_slot(m, n)->host)
			m->process[n] = thread_process(m, n, first, score);
	}
	free(first);
	free(score);
	return PATHS_OK;
}

/* Writes the lines of hosts that the map lacks. */
static void
write_hosts(const struct moves *m, FILE *to)
{
	uint32_t *known = m->served; /* not used any more */
	size_t hosts = m->plan->cluster.count;

	memset(known, 0, hosts * sizeof(*known));
	for (uint32_t n = 0; n < m->map->host_count; n++) {
		size_t host =
		    es__cluster_find(&m->plan->cluster, m->map->hosts[n].name);

		if (host < hosts)
			known[host] = 1;
	}
	for (uint32_t n = 0; n < m->map->process_count; n++) {
		uint32_t host = m->to[n];

		if (host == PATHS_NONE || known[host] != 0)
			continue;
		known[host] = 1;
		fprintf(to, "host %s -address %s\n",
		    m->plan->cluster.hosts[host].name,
		    m->plan->cluster.hosts[host].name);
	}
}

static void
write_threads(const struct moves *m, bool all, FILE *to)
{
	for (uint32_t n = 0; n < m->map->thread_count; n++) {
		const struct paths_map_thread *thread = &m->map->threads[n];
		bool moved = m->process[n] != thread->process;

		if (!all && !moved && m->core[n] == thread->core)
			continue;
		fprintf(to, "thread %s", thread->name);
		if (all || moved)
			fprintf(to, " -process %s",
			    m->map->processes[m->process[n]].name);
		if (m->core[n] < 0)
			fputs(" -core any\n", to);
		else
			fprintf(to, " -core %" PRId64 "\n", m->core[n]);
	}
}

/* Returns whether a process has an address that a launcher may have chosen, and
   only endpoints that are words without quotes. */
static bool
listen_is_chosen(const struct paths_map_process *process)
{
	bool chosen = false;

	for (uint32_t n = 0; n < process->listen_count; n++) {
		const struct paths_map_listen *listen = &process->listen[n];

		if (listen->via == PATHS_MAP_VIA_TCP)
			chosen = chosen || listen->address != NULL;
		else if (strpbrk(listen->address, " \t\"\\{}[]$;#") != NULL)
			return false;
	}
	return chosen;
}

static void
write_listen(const struct paths_map_process *process, FILE *to)
{
	for (uint32_t n = 0; n < process->listen_count; n++) {
		const struct paths_map_listen *listen = &process->listen[n];

		fputs(n == 0 ? " -listen {" : " ", to);
		if (listen->via != PATHS_MAP_VIA_TCP)
			fprintf(to, "unix:%s", listen->address);
		else
			fprintf(to, "tcp:%u",
			    listen->address == NULL ? listen->port : 0);
	}
	fputs("}", to);
}

static void
write_process(const struct moves *m, uint32_t n, enum es_place_moves what,
    FILE *to)
{
	const struct paths_map_process *process = &m->map->processes[n];
	bool placed = m->to[n] != PATHS_NONE &&
	    (what != ES_PLACE_MOVES_CHANGES || m->to[n] != m->hosts[n]);
	bool chosen = what == ES_PLACE_MOVES_RUN && listen_is_chosen(process);

	if (!placed && !chosen)
		return;
	fprintf(to, "process %s", process->name);
	if (placed)
		fprintf(to, " -host %s", m->plan->cluster.hosts[m->to[n]].name);
	if (chosen)
		write_listen(process, to);
	putc('\n', to);
}

static void
moves_write(const struct moves *m, enum es_place_moves what, FILE *to)
{
	fputs("# eventspace map place MAP MOVES\n", to);
	write_hosts(m, to);
	for (uint32_t n = 0; n < m->map->process_count; n++)
		write_process(m, n, what, to);
	write_threads(m, what != ES_PLACE_MOVES_CHANGES, to);
}

paths_status
es_place_moves_write(const struct es_place_source *source,
    const struct es_place_plan *plan, enum es_place_moves what, FILE *to)
{
	struct moves m = { .source = source, .plan = plan };
	paths_status st;

	if (source->unit == ES_PLACE_RANK)
		return paths_log_fail(PATHS_EINVAL,
		    "only runs of path maps have a map");
	m.map = es_run_map(source->run);
	st = moves_open(&m);
	if (st == PATHS_OK && source->unit == ES_PLACE_PROCESS) {
		st = processes_first(&m);
		if (st == PATHS_OK)
			processes_others(&m);
	} else if (st == PATHS_OK) {
		st = threads_processes(&m);
		if (st == PATHS_OK)
			st = threads_follow(&m);
	}
	if (st == PATHS_OK)
		moves_write(&m, what, to);
	moves_close(&m);
	return st;
}
