/* SPDX-License-Identifier: MIT */
/*
 * viewer/report/report.c - a run on one page, in HTML
 *
 * The page is made in memory and written at once.  Its security policy forbids
 * the browser to load anything.
 */

#include "viewer/report/report.h"

#include "viewer/chart/chart.h"
#include "viewer/figure/file.h"
#include "viewer/figure/svg.h"
#include "viewer/model/ends.h"
#include "viewer/model/read.h"
#include "viewer/model/rows.h"
#include "viewer/report/report_text.h"
#include "viewer/report/rows.h"

#include "libpaths/log.h"
#include "scopes/diff.h"
#include "scopes/rows.h"
#include "scopes/show/diff_table.h"
#include "scopes/show/html.h"
#include "scopes/show/page.h"
#include "scopes/show/query.h"
#include "scopes/view.h"

#include <stdlib.h>
#include <string.h>

ESV__SQL(report_diagnostics);

#define WIDTH 960.0
#define HEIGHT 420.0
#define TABLE_ROWS 200

struct report {
	struct esv_model *model;
	const struct esv_report_other *other; /* NULL: none */
	struct es_show show;
	FILE *to;
};

static void
report_theme(FILE *to, const char *name)
{
	const struct esv_theme *theme = esv_theme_find(name);
	char role[16];

	fputs(":root {", to);
	for (int n = 0; n < (int)ESV_ROLES; n++) {
		esv_theme_role_name(n, role);
		fprintf(to, "--%s:#%06x;", role, theme->colours[n]);
	}
	fputs("}\n", to);
}

/* Prints the name of the run, and that of the one that it is compared with. */
static void
report_name(const struct report *report)
{
	const struct esv_report_other *other = report->other;

	es_html_write(report->to,
	    other == NULL ? report->show.run : other->names[0]);
	if (other != NULL) {
		fputs(" and ", report->to);
		es_html_write(report->to, other->names[1]);
	}
}

static void
report_head(const struct report *report)
{
	FILE *to = report->to;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\""
	      "default-src 'none'; style-src 'unsafe-inline';"
	      " script-src 'unsafe-inline'; img-src data:\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width\">\n"
	      "<title>",
	    to);
	report_name(report);
	fputs("</title>\n<style>\n", to);
	report_theme(to, "light");
	fputs("@media (prefers-color-scheme: dark) {\n", to);
	report_theme(to, "dark");
	fputs("}\n", to);
	fputs(esv__report_style, to);
	fputs("</style>\n</head>\n<body>\n<h1>", to);
	report_name(report);
	fputs("</h1>\n", to);
}

/* Prints one diagnostic. */
static void
diagnostic_line(FILE *to, const char *severity, const char *subject,
    const char *text)
{
	fputs("<li><b>", to);
	es_html_write(to, severity);
	fputs("</b> ", to);
	es_html_write(to, subject);
	fputs(": ", to);
	es_html_write(to, text);
	fputs("</li>\n", to);
}

static const char *
report_text(const struct es_rows *rows, unsigned column)
{
	struct es_value value;

	es_rows_get(rows, column, &value);
	return value.kind == ES_TEXT ? value.as.text : "";
}

/* Prints a box with the notes, or with all other diagnostics. */
static paths_status
diagnostic_box(const struct report *report, bool notes)
{
	struct es_rows *rows;
	bool any = false;
	paths_status st = es_rows_open(report->model->store,
	    esv__sql_report_diagnostics, &rows, NULL);

	if (st != PATHS_OK)
		return st;
	st = es_rows_bind(rows, "notes", &ES_INT(notes));
	while (st == PATHS_OK && (st = es_rows_next(rows)) == PATHS_OK) {
		if (!any)
			fprintf(report->to,
			    "<section class=\"diagnostics %s\">\n<h2>%s</h2>\n"
			    "<ul>\n",
			    notes ? "note" : "", notes ? "Notes" : "Warnings");
		any = true;
		diagnostic_line(report->to, report_text(rows, 0),
		    report_text(rows, 1), report_text(rows, 2));
	}
	if (any)
		fputs("</ul>\n</section>\n", report->to);
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

/* Prints the diagnostics, at the top of the page. */
static paths_status
report_diagnostics(const struct report *report)
{
	const struct esv_model *model = report->model;
	const char *missing[] = { model->raw_missing, model->stale };
	bool has;
	paths_status st = es_query_has(&report->show, "diagnostic", &has);

	if (st == PATHS_OK && has)
		st = diagnostic_box(report, false);
	if (st == PATHS_OK && has)
		st = diagnostic_box(report, true);
	for (int n = 0; n < 2 && st == PATHS_OK; n++)
		if (missing[n] != NULL) {
			fputs("<p class=\"diagnostics\">", report->to);
			es_html_write(report->to, missing[n]);
			fputs("</p>\n", report->to);
		}
	return st;
}

/* Writes the classes of the run with their colours. */
static void
report_legend(const struct report *report)
{
	const struct esv_model *m = report->model;

	fputs("<p class=\"about\">", report->to);
	for (uint32_t c = ESV_CLASS_WAIT; c < ESV_CLASSES; c++)
		if (c == ESV_CLASS_WAIT ?
			m->waits :
			(m->groups >> (c - ESV_CLASS_GROUP) & 1) != 0)
			fprintf(report->to,
			    "<span style=\"color:#%06x\">&#9632;</span> %s ",
			    esv_class_colour(c, 0), esv_class_name(c));
	fputs(m->waits ? "</p>\n" : "(waiting: not computed yet)</p>\n",
	    report->to);
}

static paths_status
report_timeline(const struct report *report)
{
	FILE *to = report->to;
	const char *threads = report->model->ranks ? "ranks" : "threads";
	paths_status st;

	if (report->model->span_ns <= 0 || report->model->levels == 0)
		return PATHS_OK;
	fprintf(to,
	    "<section id=\"when\">\n<h2>When %s communicate</h2>\n"
	    "<p class=\"about\">Bars are communication, in the colour of most"
	    " of it; orange is waiting. The wheel, w and s zoom; a, d and dragging"
	    " move; f shows all. The row of a host or process is as high as"
	    " the share of its %s that communicate, and strong in colour"
	    " where an operation is unusually long; a click on its name, or 1,"
	    " 2 and 3, fold it.</p>\n",
	    threads, threads);
	report_legend(report);
	fputs("<canvas id=\"timeline\" tabindex=\"0\" role=\"img\""
	      " aria-label=\"timeline\"></canvas>\n"
	      "<p id=\"timeline-tip\" class=\"about\"></p>\n"
	      "<noscript>The timeline is drawn by a script of this page, which"
	      " may not run here.</noscript>\n"
	      "<script type=\"application/json\" id=\"timeline-data\">",
	    to);
	st = esv__rows_write(to, report->model);
	fputs("</script>\n</section>\n", to);
	return st;
}

/* Prints a chart with its title. */
static paths_status
report_chart(const struct report *report, const struct esv_chart *chart)
{
	struct esv_chart_options options = { .width = WIDTH, .height = HEIGHT };
	struct esv_figure figure;
	FILE *to = report->to;
	paths_status st;

	esv_figure_init(&figure, WIDTH, HEIGHT);
	st = esv_chart_draw(report->model, chart, &options, &figure);
	if (st == PATHS_OK) {
		esv_figure_trim(&figure);
		fprintf(to, "<section id=\"%s\">\n<h2>", chart->name);
		es_html_write(to,
		    figure.title == NULL ? chart->title : figure.title);
		fputs("</h2>\n<figure>\n", to);
		esv_svg_element(to, &figure);
		fputs("</figure>\n</section>\n", to);
	}
	esv_figure_fini(&figure);
	return st;
}

/* Calls back for each chart that applies to the run. */
static paths_status
report_charts(const struct report *report,
    paths_status (*call)(const struct report *, const struct esv_chart *))
{
	const struct esv_chart *chart;
	paths_status st = PATHS_OK;
	bool applies;

	for (size_t n = 0; st == PATHS_OK && (chart = esv_chart_get(n)) != NULL;
	     n++) {
		st = esv_chart_applies(report->model, chart, &applies);
		if (st == PATHS_OK && applies)
			st = call(report, chart);
	}
	return st;
}

static paths_status
report_link(const struct report *report, const struct esv_chart *chart)
{
	char *title = esv_rows_text(report->model, chart->title);

	if (title == NULL)
		return paths_log_fail(PATHS_ENOMEM, "a report");
	fprintf(report->to, "<a href=\"#%s\">", chart->name);
	es_html_write(report->to, title);
	fputs("</a>\n", report->to);
	free(title);
	return PATHS_OK;
}

static paths_status
report_links(const struct report *report)
{
	paths_status st;

	fputs("<nav>\n<a href=\"#when\">Timeline</a>\n", report->to);
	st = report_charts(report, report_link);
	fputs("<a href=\"#tables\">Tables</a>\n</nav>\n", report->to);
	return st;
}

/* Sets *has to true if the database has a table of that name with rows. */
static paths_status
report_has(const struct report *report, const char *table, bool *has)
{
	char sql[128];
	struct es_rows *rows;
	paths_status st = es_query_has(&report->show, table, has);

	if (st != PATHS_OK || !*has)
		return st;
	snprintf(sql, sizeof(sql), "SELECT 1 FROM \"%.64s\" LIMIT 1", table);
	st = es_rows_open(report->model->store, sql, &rows, NULL);
	if (st != PATHS_OK)
		return st;
	st = es_rows_next(rows);
	*has = st == PATHS_OK;
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

/* Sets *wants to true if a table has rows and is for readers: it holds neither
   raw events nor data that is only drawn. */
static paths_status
report_wants(const struct report *report, const struct es_table *table,
    bool *wants)
{
	*wants = false;
	/* Nothing can be read from raw events of a damaged run. */
	if ((table->flags & (ES_TABLE_EVENTS | ES_TABLE_DRAWN)) != 0)
		return PATHS_OK;
	return report_has(report, table->name, wants);
}

static paths_status
report_table(const struct report *report, const struct es_table *table)
{
	bool wants = false;
	paths_status st = report_wants(report, table, &wants);

	if (st != PATHS_OK || !wants)
		return st;
	fprintf(report->to, "<details>\n<summary><b>%s</b> ", table->name);
	es_html_write(report->to, table->about);
	fputs("</summary>\n<div class=\"wide\">\n", report->to);
	st = es_show_table(&report->show, table->name);
	fputs("</div>\n</details>\n", report->to);
	return st;
}

static paths_status
report_tables(const struct report *report)
{
	const struct es_view *view;
	paths_status st = PATHS_OK;

	fputs("<section id=\"tables\">\n<h2>Tables</h2>\n", report->to);
	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++)
		for (size_t i = 0; i < view->table_count && st == PATHS_OK; i++)
			st = report_table(report, &view->tables[i]);
	fputs("</section>\n", report->to);
	return st;
}

/* Prints a table of the comparison. */
static paths_status
diff_table(const struct report *report, struct es_diff *diff,
    enum es_diff_by by, const char *heading)
{
	paths_status st;

	fprintf(report->to, "<h3>%s</h3>\n<div class=\"wide\">\n", heading);
	st = es__diff_table_write(&(struct es__diff_table){ report->to,
				      ES_SHOW_HTML, report->other->names,
				      ES_SHOW_LIMIT },
	    diff, by);
	fputs("</div>\n", report->to);
	return st;
}

/* Prints how a compared run ended, if it did not end by itself. */
static paths_status
report_end(const struct report *report, struct esv_model *model,
    const char *name)
{
	char *text;
	paths_status st = esv_ends_read(model, name, &text);

	if (st != PATHS_OK || text == NULL)
		return st;
	fputs("<p>", report->to);
	es_html_write(report->to, text);
	fputs("</p>\n", report->to);
	free(text);
	return PATHS_OK;
}

/* Prints the comparison with the other run. */
static paths_status
report_diff(const struct report *report)
{
	const struct esv_report_other *other = report->other;
	struct es_diff *diff;
	const char *note;
	paths_status st;

	if (other == NULL)
		return PATHS_OK;
	st = es_diff_open((struct es_store *const[]){ report->model->store,
			      other->model->store },
	    other->names, &diff);
	if (st != PATHS_OK)
		return st;
	fputs("<section id=\"difference\">\n<h2>Difference</h2>\n", report->to);
	st = report_end(report, report->model, other->names[0]);
	if (st == PATHS_OK)
		st = report_end(report, other->model, other->names[1]);
	fputs("<p>", report->to);
	es_html_write(report->to, es_diff_text(diff));
	for (size_t n = 0; (note = es_diff_note(diff, n)) != NULL; n++) {
		fputs("</p>\n<p>", report->to);
		es_html_write(report->to, note);
	}
	fputs("</p>\n", report->to);
	if (st == PATHS_OK)
		st = diff_table(report, diff, ES_DIFF_BY_THREAD, "By thread");
	if (st == PATHS_OK)
		st = diff_table(report, diff, ES_DIFF_BY_ACTIVITY,
		    "By activity");
	if (st == PATHS_OK)
		st = diff_table(report, diff, ES_DIFF_BY_PHASE, "By loop");
	fputs("</section>\n", report->to);
	es_diff_close(diff);
	return st;
}

static paths_status
report_page(const struct report *report)
{
	paths_status st;

	report_head(report);
	st = es_page_ends(&report->show);
	if (st == PATHS_OK)
		st = report_diagnostics(report);
	if (st == PATHS_OK)
		st = report_diff(report);
	if (st == PATHS_OK)
		st = es_page_summary(&report->show);
	if (st == PATHS_OK)
		st = report_links(report);
	if (st == PATHS_OK)
		st = report_timeline(report);
	if (st == PATHS_OK)
		st = report_charts(report, report_chart);
	if (st == PATHS_OK)
		st = report_tables(report);
	fputs("<script>\n", report->to);
	fputs(esv__report_script, report->to);
	fputs("</script>\n</body>\n</html>\n", report->to);
	return st;
}

paths_status
esv_report_write(struct esv_model *model, const struct esv_report_other *other,
    const char *file)
{
	struct report report = { .model = model,
		.other = other,
		.show = { .run = model->dir,
		    .store = model->store,
		    .form = ES_SHOW_HTML,
		    .limit = TABLE_ROWS } };
	char *page = NULL;
	size_t size = 0;
	paths_status st;

	report.to = open_memstream(&page, &size);
	if (report.to == NULL)
		return paths_log_fail(PATHS_ENOMEM, "a page");
	report.show.out = report.to;
	st = report_page(&report);
	if (ferror(report.to) && st == PATHS_OK)
		st = paths_log_fail(PATHS_ENOMEM, "a page");
	if (fclose(report.to) != 0 && st == PATHS_OK)
		st = paths_log_fail(PATHS_ENOMEM, "a page");
	if (st == PATHS_OK)
		st = esv_file_write(file, page, size);
	free(page);
	return st;
}
