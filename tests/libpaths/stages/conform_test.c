/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/stages/conform_test.c - proves that every stage keeps to the
 * rules of libpaths/stage.h
 *
 * Each case goes through all stages: those of stages.def, of the plugin of
 * these tests, and of libcollectors and libgather if they are built.  The
 * `example` of a stage is put on a path, and a probe follows it.  server_test.c
 * tests the proxy, which needs a second process.
 */

#include "tests/libpaths/stages/help.h"

#include <dirent.h>
#include <pthread.h>

/* --- the probe ---------------------------------------------------------- */

enum probe_do { PROBE_TURN, PROBE_FAIL, PROBE_PARK };

/* The mode of all probes, and the operations they keep.  Under the lock. */
static struct {
	pthread_mutex_t lock;
	enum probe_do does;
	struct paths_op *held;
	unsigned seen;
} probe = { .lock = PTHREAD_MUTEX_INITIALIZER };

static enum paths_pass
probe_down(void *self, struct paths_op *op, uint64_t *slot)
{
	enum paths_pass pass = PATHS_PASS_TURN;

	(void)self;
	(void)slot;
	pthread_mutex_lock(&probe.lock);
	probe.seen++;
	if (probe.does == PROBE_FAIL) {
		pass = paths_op_fail(op, PATHS_EDAMAGED, "probed");
	} else if (probe.does == PROBE_PARK) {
		probe.held = op;
		pass = PATHS_PASS_PARK;
	} else if (op->kind == PATHS_READ) {
		memset(op->tuple, 0, op->bytes);
	}
	pthread_mutex_unlock(&probe.lock);
	return pass;
}

static bool
probe_cancel(void *self, struct paths_op *op, uint64_t *slot)
{
	bool here;

	(void)self;
	(void)slot;
	pthread_mutex_lock(&probe.lock);
	here = probe.held == op;
	if (here)
		probe.held = NULL;
	pthread_mutex_unlock(&probe.lock);
	return here;
}

static paths_status
probe_types(const struct paths_map_item *item, uint32_t inputs,
    struct paths_type *above, struct paths_type *below)
{
	(void)inputs;
	/* A stage without a type is tried with eight bytes. */
	if (strcmp(paths_map_option(item, "-type")->text, "any") == 0)
		return PATHS_OK;
	if (paths_type_parse("u8*8", above) != PATHS_OK)
		return PATHS_ESYNTAX;
	*below = *above;
	return PATHS_OK;
}

static const struct paths_option probe_options[] = {
	{ .name = "-type",
	    .kind = PATHS_OPTION_CHOICE,
	    .choices = "any|bytes",
	    .default_text = "bytes",
	    .about = "of the tuples" },
	{ .name = NULL },
};

static const struct paths_stage_ops probe_ops = {
	.abi = PATHS_STAGE_ABI,
	.name = "probe",
	.about = "does as it is told",
	.example = "probe",
	.flags = PATHS_STAGE_END,
	.options = probe_options,
	.types = probe_types,
	.down = probe_down,
	.cancel = probe_cancel,
};

static void
probe_set(enum probe_do does)
{
	pthread_mutex_lock(&probe.lock);
	probe.does = does;
	probe.seen = 0;
	pthread_mutex_unlock(&probe.lock);
}

/* Completes the operation that is parked, if there is one. */
static void
probe_let_go(void)
{
	struct paths_op *op;

	pthread_mutex_lock(&probe.lock);
	op = probe.held;
	probe.held = NULL;
	pthread_mutex_unlock(&probe.lock);
	if (op != NULL)
		paths_op_resume(op);
}

static bool
probe_holds(void)
{
	bool holds;

	pthread_mutex_lock(&probe.lock);
	holds = probe.held != NULL;
	pthread_mutex_unlock(&probe.lock);
	return holds;
}

static unsigned
probe_seen(void)
{
	unsigned seen;

	pthread_mutex_lock(&probe.lock);
	seen = probe.seen;
	pthread_mutex_unlock(&probe.lock);
	return seen;
}

/* --- a stage on its paths ----------------------------------------------- */

#define INPUTS 3

/* One stage under test, at the head of the paths of INPUTS threads. */
struct subject {
	const struct paths_stage_ops *ops;
	struct paths_program *program;
	struct paths_path *path[INPUTS];
	char run[32];
	uint32_t bytes;
	_Alignas(8) unsigned char tuple[INPUTS][64];
};

static bool
subject_has(const struct subject *s, uint32_t flag)
{
	return (s->ops->flags & flag) != 0;
}

static bool
subject_is(const struct subject *s, const char *name)
{
	return strcmp(s->ops->name, name) == 0;
}

/* Returns true if the stage ends its chain: no operation passes it. */
static bool
subject_is_end(const struct subject *s)
{
	return subject_has(s, PATHS_STAGE_END);
}

static void
subject_map(const struct paths_stage_ops *ops, FILE *out)
{
	bool join = (ops->flags & PATHS_STAGE_JOIN) != 0;
	/* A process has one. */
	bool once = strcmp(ops->name, "send") == 0;

	fputs(HELP_HEAD, out);
	if (strcmp(ops->name, "element") == 0)
		fputs("element e -process p -type u8*8\n", out);
	if (join)
		fprintf(out,
		    "stage j %s -process p -inputs %d "
		    "-next {{probe -type any}}\n",
		    ops->example, INPUTS);
	for (int i = 0; i < INPUTS; i++) {
		fprintf(out, "thread t%d -process p\npath t%d e {", i, i);
		if (join)
			fputs("{j}", out);
		else if (once && i > 0)
			fputs("{probe}", out);
		else
			fprintf(out, "{%s}%s", ops->example,
			    (ops->flags & PATHS_STAGE_END) ? "" : " {probe}");
		fputs("}\n", out);
	}
}

static struct subject
subject_open(const struct paths_stage_ops *ops)
{
	struct subject s = { .ops = ops, .run = "/tmp/eventspace-run-XXXXXX" };
	char *map = NULL;
	size_t bytes;
	FILE *out = open_memstream(&map, &bytes);

	EXPECT_TRUE(out != NULL);
	subject_map(ops, out);
	fclose(out);
	probe_set(PROBE_TURN);
	/* Collectors record in the run directory. */
	EXPECT_TRUE(mkdtemp(s.run) != NULL);
	setenv("PATHS_RUN", s.run, 1);
	s.program = help_open(map);
	free(map);
	for (int i = 0; i < INPUTS; i++) {
		char name[16];

		snprintf(name, sizeof(name), "t%d", i);
		s.path[i] = help_path(s.program, name, "e");
	}
	s.bytes = paths_path_type(s.path[0])->bytes;
	EXPECT_TRUE(s.bytes <= sizeof(s.tuple[0]));
	return s;
}

static void
subject_close(struct subject *s)
{
	DIR *run;
	struct dirent *file;

	paths_program_close(s->program);
	run = opendir(s->run);
	EXPECT_TRUE(run != NULL);
	while ((file = readdir(run)) != NULL)
		unlinkat(dirfd(run), file->d_name, 0);
	closedir(run);
	EXPECT_EQ(0, rmdir(s->run));
}

static void
subject_deadline(struct subject *s, uint64_t ns)
{
	for (int i = 0; i < INPUTS; i++)
		paths_path_deadline(s->path[i], ns);
}

/* Starts an operation on each path, and waits for the last path first.  Returns
   true if all operations end with st. */
static bool
subject_all(struct subject *s, enum paths_kind kind, paths_status st)
{
	bool same = true;

	for (int i = 0; i < INPUTS; i++)
		EXPECT_OK(
		    paths_path_start(s->path[i], kind, s->tuple[i], s->bytes));
	for (int i = INPUTS; i-- > 0;) {
		paths_status got = paths_path_wait(s->path[i]);

		if (got == st)
			continue;
		fprintf(stderr, "# %s: %s, not %s: %s\n", s->ops->name,
		    paths_status_name(got), paths_status_name(st),
		    paths_path_why(s->path[i]));
		same = false;
	}
	return same;
}

/* Returns true if the stage takes a kind of operation.  A stage that refuses a
   kind does so at once. */
static bool
subject_takes(struct subject *s, enum paths_kind kind)
{
	bool takes;

	/* A read of an element is blocked. */
	if (subject_is(s, "element"))
		return true;
	probe_set(PROBE_TURN);
	for (int i = 0; i < INPUTS; i++)
		EXPECT_OK(
		    paths_path_start(s->path[i], kind, s->tuple[i], s->bytes));
	takes = paths_path_wait(s->path[INPUTS - 1]) == PATHS_OK;
	for (int i = 0; i < INPUTS - 1; i++)
		EXPECT_EQ(takes ? PATHS_OK : PATHS_EINVAL,
		    paths_path_wait(s->path[i]));
	return takes;
}

/* Returns a kind that the stage takes: write or exchange, else read. */
static enum paths_kind
subject_kind(struct subject *s)
{
	static const enum paths_kind kinds[] = { PATHS_WRITE, PATHS_EXCHANGE,
		PATHS_READ };

	for (int n = 0; n < 3; n++)
		if (subject_takes(s, kinds[n]))
			return kinds[n];
	EXPECT_TRUE(!"takes nothing");
	return PATHS_READ;
}

/* --- all stages --------------------------------------------------------- */

static void
load_stages(void)
{
	static const char *const plugins[] = {
		"tests/libpaths/.libs/stage_plugin.so",
		".libs/libcollectors.so.0",
		".libs/libgather.so.0",
	};
	char file[4096];

	EXPECT_OK(paths_stage_register(&probe_ops));
	for (int n = 0; n < 3; n++) {
		snprintf(file, sizeof(file), "%s/%s", test_builddir(),
		    plugins[n]);
		if (access(file, R_OK) == 0)
			EXPECT_OK(paths_stage_load(file));
	}
}

static const struct paths_stage_ops *
next_stage(uint32_t *n)
{
	const struct paths_stage_ops *ops;

	if (*n == 0)
		load_stages();
	do {
		ops = paths_stage_get((*n)++);
	} while (ops != NULL && strcmp(ops->name, "proxy") == 0);
	return ops;
}

#define EACH_STAGE(ops) \
	const struct paths_stage_ops *ops; \
	for (uint32_t each_ = 0; (ops = next_stage(&each_)) != NULL;)

/* --- cases -------------------------------------------------------------- */

static void
a_stage_has_a_name_and_a_description(void)
{
	const struct paths_stage_ops *ops;

	load_stages();
	for (uint32_t n = 0; (ops = paths_stage_get(n)) != NULL; n++) {
		EXPECT_EQ(PATHS_STAGE_ABI, ops->abi);
		EXPECT_TRUE(ops->name != NULL && ops->name[0] != '\0');
		EXPECT_TRUE(ops->about != NULL && ops->about[0] != '\0');
		EXPECT_TRUE(ops->example != NULL);
		EXPECT_EQ(0,
		    strncmp(ops->example, ops->name, strlen(ops->name)));
		EXPECT_TRUE(ops->down != NULL);
		EXPECT_TRUE(paths_stage_find(ops->name) == ops);
		for (const struct paths_option *o = ops->options;
		     o != NULL && o->name != NULL; o++)
			if (o->about == NULL)
				/* Names the option. */
				EXPECT_STR_EQ("", o->name);
	}
	EXPECT_TRUE(paths_stage_find("tee") != NULL);
}

/* The state of a stage that was not opened is zeros. */
static void
a_stage_that_was_never_opened_closes(void)
{
	EACH_STAGE(ops)
	{
		void *state = calloc(1, ops->size + 1);

		EXPECT_TRUE(state != NULL);
		if (ops->close != NULL)
			ops->close(state);
		free(state);
	}
}

static void
a_stage_opens_and_closes_unused(void)
{
	EACH_STAGE(ops)
	{
		struct subject s = subject_open(ops);

		subject_close(&s);
	}
}

/* Each kind of operation is always completed or always refused, as the stage
   tells. */
static void
a_stage_takes_the_kinds_of_operation_that_it_tells(void)
{
	EACH_STAGE(ops)
	{
		struct subject s = subject_open(ops);

		for (enum paths_kind kind = PATHS_WRITE; kind <= PATHS_EXCHANGE;
		     kind++) {
			bool takes = ops->kinds == 0 ||
			    (ops->kinds & PATHS_KIND_BIT(kind)) != 0;

			for (int n = 0; n < 10; n++)
				EXPECT_EQ(takes, subject_takes(&s, kind));
		}
		subject_close(&s);
	}
}

static void
a_failure_below_comes_up_once(void)
{
	EACH_STAGE(ops)
	{
		struct subject s = subject_open(ops);
		enum paths_kind kind = subject_kind(&s);

		if (!subject_is_end(&s)) {
			probe_set(PROBE_FAIL);
			/* A buffer or tee reports the failure to the next
			   operation. */
			if (subject_has(&s, PATHS_STAGE_BEHIND))
				EXPECT_TRUE(subject_all(&s, kind, PATHS_OK));
			else
				EXPECT_TRUE(
				    subject_all(&s, kind, PATHS_EDAMAGED));
			probe_set(PROBE_TURN);
			if (subject_has(&s, PATHS_STAGE_BEHIND))
				EXPECT_TRUE(
				    subject_all(&s, kind, PATHS_EDAMAGED));
			EXPECT_TRUE(subject_all(&s, kind, PATHS_OK));
		}
		subject_close(&s);
	}
}

/* Operations are parked below the stage, one by one or, in a join, together. */
static void
a_deadline_passes_while_an_operation_waits_below(void)
{
	EACH_STAGE(ops)
	{
		struct subject s = subject_open(ops);
		enum paths_kind kind = subject_kind(&s);
		bool join = subject_has(&s, PATHS_STAGE_JOIN);

		if (!subject_is_end(&s) &&
		    !subject_has(&s, PATHS_STAGE_BEHIND)) {
			probe_set(PROBE_PARK);
			subject_deadline(&s, 100000);
			if (join)
				EXPECT_TRUE(
				    subject_all(&s, kind, PATHS_ETIMEDOUT));
			for (int i = 0; i < INPUTS && !join; i++) {
				EXPECT_OK(paths_path_start(s.path[i], kind,
				    s.tuple[i], s.bytes));
				EXPECT_EQ(PATHS_ETIMEDOUT,
				    paths_path_wait(s.path[i]));
			}
			EXPECT_TRUE(!probe_holds());
			probe_set(PROBE_TURN);
			subject_deadline(&s, 0);
			EXPECT_TRUE(subject_all(&s, kind, PATHS_OK));
		}
		subject_close(&s);
	}
}

/* The operation is parked in the stage and waits for other inputs, for room or
   for a tuple. */
static void
a_deadline_passes_while_an_operation_waits_inside(void)
{
	EACH_STAGE(ops)
	{
		struct subject s = subject_open(ops);
		bool element = subject_is(&s, "element");
		enum paths_kind kind = element ? PATHS_READ : subject_kind(&s);

		if (element || subject_has(&s, PATHS_STAGE_JOIN)) {
			for (int i = 0; i < INPUTS - 1; i++) {
				paths_path_deadline(s.path[i], 1000);
				EXPECT_OK(paths_path_start(s.path[i], kind,
				    s.tuple[i], s.bytes));
				EXPECT_EQ(PATHS_ETIMEDOUT,
				    paths_path_wait(s.path[i]));
			}
			subject_deadline(&s, 0);
			if (element)
				EXPECT_OK(paths_path_write(s.path[0],
				    s.tuple[0], s.bytes));
			EXPECT_TRUE(subject_all(&s, kind, PATHS_OK));
		}
		subject_close(&s);
	}
}

static void
a_path_closes_while_its_operation_waits(void)
{
	EACH_STAGE(ops)
	{
		struct subject s = subject_open(ops);
		enum paths_kind kind = subject_kind(&s);

		if (subject_is(&s, "element"))
			kind = PATHS_READ;
		probe_set(PROBE_PARK);
		EXPECT_OK(
		    paths_path_start(s.path[0], kind, s.tuple[0], s.bytes));
		paths_path_close(s.path[0]);
		/* Tuples of a buffer do not belong to the path. */
		probe_set(PROBE_TURN);
		probe_let_go();
		subject_close(&s);
	}
}

/* The other inputs do not wait for an input that has left. */
static void
a_shared_stage_reports_that_an_input_has_closed(void)
{
	EACH_STAGE(ops)
	{
		struct subject s = subject_open(ops);
		bool element = subject_is(&s, "element");
		enum paths_kind kind = element ? PATHS_READ : subject_kind(&s);

		if (ops->port != NULL) {
			for (int i = 0; i < INPUTS - 1; i++)
				EXPECT_OK(paths_path_start(s.path[i], kind,
				    s.tuple[i], s.bytes));
			paths_path_close(s.path[INPUTS - 1]);
			for (int i = 0; i < INPUTS - 1; i++) {
				EXPECT_EQ(PATHS_ECLOSED,
				    paths_path_wait(s.path[i]));
				EXPECT_TRUE(help_reason_has(s.path[i],
				    element ? "stage e: " : "stage j: "));
			}
		}
		subject_close(&s);
	}
}

/* --- threads ------------------------------------------------------------ */

#define THREAD_ROUNDS 300

struct runner {
	struct subject *subject;
	int index;
	enum paths_kind kind;
	pthread_t thread;
};

static void *
runner_run(void *arg)
{
	struct runner *r = arg;
	struct subject *s = r->subject;
	struct paths_path *path = s->path[r->index];

	for (int n = 0; n < THREAD_ROUNDS; n++) {
		EXPECT_OK(paths_path_start(path, r->kind, s->tuple[r->index],
		    s->bytes));
		EXPECT_OK(paths_path_wait(path));
	}
	return NULL;
}

static void
emit_nothing(void *to, unsigned counter, uint64_t value)
{
	(void)to;
	(void)counter;
	(void)value;
}

/* Another thread reads the counters at the same time. */
static void
threads_use_a_stage_at_the_same_time(void)
{
	EACH_STAGE(ops)
	{
		struct subject s = subject_open(ops);
		struct runner r[INPUTS];
		enum paths_kind kind = subject_is(&s, "element") ?
		    PATHS_EXCHANGE :
		    subject_kind(&s);
		unsigned want = subject_has(&s, PATHS_STAGE_JOIN) ?
		    THREAD_ROUNDS :
		    INPUTS * THREAD_ROUNDS;

		probe_set(PROBE_TURN);
		for (int i = 0; i < INPUTS; i++) {
			r[i] = (struct runner){ &s, i, kind, 0 };
			pthread_create(&r[i].thread, NULL, runner_run, &r[i]);
		}
		for (int n = 0; n < 100; n++)
			EXPECT_OK(paths_path_stat(s.path[n % INPUTS], 0,
			    emit_nothing, NULL));
		for (int i = 0; i < INPUTS; i++)
			pthread_join(r[i].thread, NULL);
		if (!subject_is_end(&s))
			EXPECT_EQ(want, probe_seen());
		subject_close(&s);
	}
}

TEST_MAIN(a_stage_has_a_name_and_a_description,
    a_stage_that_was_never_opened_closes, a_stage_opens_and_closes_unused,
    a_stage_takes_the_kinds_of_operation_that_it_tells,
    a_failure_below_comes_up_once,
    a_deadline_passes_while_an_operation_waits_below,
    a_deadline_passes_while_an_operation_waits_inside,
    a_path_closes_while_its_operation_waits,
    a_shared_stage_reports_that_an_input_has_closed,
    threads_use_a_stage_at_the_same_time)
