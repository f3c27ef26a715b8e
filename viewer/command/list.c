/* SPDX-License-Identifier: MIT */
/*
 * viewer/command/list.c - prints the views of a run
 */

#include "viewer/command/list.h"

#include "viewer/model/rows.h"

#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints the values of an option in lines of at most 78 columns. */
static void
list_words(const char *option, const char *words)
{
	int column = 0;

	while (*words != '\0') {
		int length = (int)strcspn(words, " ");

		if (column == 0 || column + length > 78)
			column = printf("%s%21s%-9s", column == 0 ? "" : "\n",
			    "", column == 0 ? option : "");
		column += printf(" %.*s", length, words);
		words += length + (words[length] == ' ');
	}
	putchar('\n');
}

paths_status
esv__list_print(struct esv__view *view)
{
	const struct esv_chart *chart;
	bool applies;
	char *title;

	printf("%-18s When %s communicate\n", ESV__VIEW_TIMELINE,
	    view->model->ranks ? "ranks" : "threads");
	for (size_t n = 0; (chart = esv_chart_get(n)) != NULL; n++) {
		paths_status st =
		    esv_chart_applies(view->model, chart, &applies);

		if (st != PATHS_OK)
			return st;
		if (!applies)
			continue;
		title = esv_rows_text(view->model, chart->title);
		if (title == NULL)
			return paths_log_fail(PATHS_ENOMEM, "a list of views");
		printf("%-18s %s\n", chart->name, title);
		free(title);
		if (chart->measures != NULL)
			list_words("--measure", chart->measures);
		if (chart->levels != NULL)
			list_words("--level", chart->levels);
	}
	if (fflush(stdout) != 0 || ferror(stdout))
		return paths_log_fail(PATHS_EIO,
		    "standard output: cannot be written");
	return PATHS_OK;
}
