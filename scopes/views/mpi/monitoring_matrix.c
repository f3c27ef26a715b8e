/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/monitoring_matrix.c - matrix files of Open MPI's monitoring
 *
 * The numbers come from the files PREFIX_QUANTITY_LAYER.mat in the run
 * directory, as profile2mat and `eventspace export` write them.  Files with the
 * same prefix and layer are read side by side, row by row.
 */

#include "scopes/mpi/ompi_monitoring_private.h"
#include "scopes/views/view_files_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct es_column columns[] = {
	{ "prefix", ES_TEXT, .about = "beginning of the file names" },
	{ "layer", ES_TEXT,
	    .about = "layer: external, internal, collective, osc or all" },
	{ "source", ES_INTEGER, .about = "rank that sends",
	    .refers = "mpi_rank" },
	{ "target", ES_INTEGER, .about = "rank that receives",
	    .refers = "mpi_rank" },
	{ "messages", ES_INTEGER,
	    .about = "number of messages; NULL: no such file" },
	{ "bytes", ES_INTEGER,
	    .about = "total size of the user data; NULL: no such file",
	    .unit = ES_UNIT_BYTES },
	{ "mean_bytes", ES_INTEGER,
	    .about = "mean size of a message; NULL: no such file",
	    .unit = ES_UNIT_BYTES },
};

static const struct es_table tables[] = {
	{ .name = "monitoring_matrix",
	    .about = "matrix files of Open MPI's monitoring",
	    ES_COLUMNS(columns) },
};

/* Numbers of a pair, each in a file of its own.  The first file of a set, in
   this order, stands for the set. */
enum number { MSG, SIZE, AVG, NUMBERS };

static const char *const number_words[NUMBERS] = { "_msg_", "_size_", "_avg_" };

static const struct layer {
	const char *word, *name;
} layers[] = {
	{ "external.mat", "external" },
	{ "internal.mat", "internal" },
	{ "coll.mat", "collective" },
	{ "osc.mat", "osc" },
	{ "all.mat", "all" },
};

/* Parts of a file name. */
struct matrix_name {
	int prefix_bytes;
	enum number number;
	const struct layer *layer;
};

/* Returns the place of a word at the end of a text; NULL: the text ends with
   another word. */
static const char *
word_at_end(const char *text, size_t bytes, const char *word)
{
	size_t length = strlen(word);

	return bytes > length &&
		strncmp(text + bytes - length, word, length) == 0 ?
	    text + bytes - length :
	    NULL;
}

/* Splits a file name; false: the file is no matrix. */
static bool
name_read(const char *file, struct matrix_name *name)
{
	for (size_t l = 0; l < ES__COUNT(layers); l++) {
		const char *at =
		    word_at_end(file, strlen(file), layers[l].word);

		for (int n = 0; at != NULL && n < NUMBERS; n++) {
			const char *end = word_at_end(file, (size_t)(at - file),
			    number_words[n]);

			if (end == NULL)
				continue;
			*name = (struct matrix_name){ (int)(end - file),
				(enum number)n, &layers[l] };
			return true;
		}
	}
	return false;
}

static int
name_is_matrix(const struct dirent *entry)
{
	struct matrix_name name;

	return name_read(entry->d_name, &name);
}

/* Set of files with the same prefix and layer; the names are heap memory. */
struct matrix {
	const char *file; /* name of one file of the set */
	struct matrix_name name;
	char *names[NUMBERS];
	struct es__ompi_monitoring_matrix
	    mats[NUMBERS]; /* from NULL: no file */
};

static paths_status
matrix_open_one(struct matrix *m, const char *dir, enum number n)
{
	struct es__ompi_monitoring_matrix *mat = &m->mats[n];
	paths_status st;

	if (asprintf(&m->names[n], "%.*s%s%s", m->name.prefix_bytes, m->file,
		number_words[n], m->name.layer->word) < 0) {
		m->names[n] = NULL;
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	}
	mat->name = m->names[n];
	st = es__view_file_open(dir, mat->name, &mat->from);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

static paths_status
matrix_open(struct matrix *m, const char *dir)
{
	paths_status st = PATHS_OK;

	for (int n = 0; st == PATHS_OK && n < NUMBERS; n++)
		st = matrix_open_one(m, dir, (enum number)n);
	return st;
}

static void
matrix_close(struct matrix *m)
{
	for (int n = 0; n < NUMBERS; n++) {
		if (m->mats[n].from != NULL)
			fclose(m->mats[n].from);
		es__ompi_monitoring_matrix_fini(&m->mats[n]);
		free(m->names[n]);
	}
}

/* Reads the next row of each file of the set. */
static paths_status
matrix_row(struct matrix *m, const struct es__ompi_monitoring_matrix **first,
    bool *more)
{
	*first = NULL;
	for (int n = 0; n < NUMBERS; n++) {
		struct es__ompi_monitoring_matrix *mat = &m->mats[n];
		paths_status st;

		if (mat->from == NULL)
			continue;
		st = es__ompi_monitoring_matrix_row(mat, more);
		if (st != PATHS_OK)
			return st;
		if (*first == NULL)
			*first = mat;
		if (mat->count != (*first)->count)
			return paths_log_fail(PATHS_EDAMAGED,
			    "%s:%" PRIu32 ": %" PRIu32 " numbers, but %" PRIu32
			    " in %s",
			    mat->name, mat->rows, mat->count, (*first)->count,
			    (*first)->name);
	}
	return PATHS_OK;
}

static struct es_value
matrix_value(const struct es__ompi_monitoring_matrix *mat, uint32_t target)
{
	return mat->from == NULL ? ES_NIL : ES_INT(mat->numbers[target]);
}

/* Writes the pairs of a row that have messages. */
static paths_status
matrix_show_row(struct matrix *m,
    const struct es__ompi_monitoring_matrix *first, const char *prefix,
    struct es_sink *sink)
{
	paths_status st = PATHS_OK;

	for (uint32_t t = 0; st == PATHS_OK && t < first->count; t++) {
		uint64_t any = 0;

		for (int n = 0; n < NUMBERS; n++)
			if (m->mats[n].from != NULL)
				any |= m->mats[n].numbers[t];
		if (any == 0)
			continue;
		st = sink->row(sink, &tables[0],
		    (struct es_value[]){ ES_STR(prefix),
			ES_STR(m->name.layer->name), ES_INT(first->rows - 1),
			ES_INT(t), matrix_value(&m->mats[MSG], t),
			matrix_value(&m->mats[SIZE], t),
			matrix_value(&m->mats[AVG], t) });
	}
	return st;
}

static paths_status
matrix_show(struct matrix *m, struct es_sink *sink)
{
	char *prefix = strndup(m->file, (size_t)m->name.prefix_bytes);
	const struct es__ompi_monitoring_matrix *first;
	bool more = true;
	paths_status st = PATHS_OK;

	if (prefix == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	while (st == PATHS_OK && more) {
		st = matrix_row(m, &first, &more);
		if (st == PATHS_OK && more)
			st = matrix_show_row(m, first, prefix, sink);
	}
	free(prefix);
	return st;
}

/* Shows the set of a file, if the file is the first of its set. */
static paths_status
file_show(struct es_analysis *a, struct es_sink *sink, const char *file)
{
	struct matrix m = { .file = file };
	paths_status st;

	(void)name_read(file, &m.name);
	st = matrix_open(&m, es_run_dir(a->run));
	for (int n = 0; st == PATHS_OK && n < (int)m.name.number; n++) {
		if (m.mats[n].from != NULL) {
			matrix_close(&m);
			return PATHS_OK;
		}
	}
	if (st == PATHS_OK)
		st = matrix_show(&m, sink);
	matrix_close(&m);
	return st;
}

static paths_status
matrix_compute(struct es_analysis *a, struct es_sink *sink)
{
	return es__view_files(a, sink,
	    &(struct es__view_files){ "monitoring_matrix", name_is_matrix,
		file_show });
}

const struct es_view es__view_monitoring_matrix = {
	.name = "monitoring_matrix",
	.about = "matrix files of Open MPI's monitoring",
	.question =
	    "Which messages are in matrix files of Open MPI's monitoring?",
	.topic = ES_TOPIC_MESSAGES,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = matrix_compute,
	.needs = ES_NEED_FILES,
};
