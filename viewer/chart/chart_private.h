/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/chart_private.h - the list of charts, for chart.c and the charts
 *
 * A chart includes this header and those of viewer/plot that it draws with.
 */

#ifndef VIEWER_CHART_CHART_PRIVATE_H
#define VIEWER_CHART_CHART_PRIVATE_H

#include "viewer/chart/chart.h"
#include "viewer/plot/sheet.h"

/* Each chart is defined in a file of its own. */
#define ESV_CHART(its_name) extern const struct esv_chart esv__chart_##its_name;
#include "viewer/chart/charts.def"
#undef ESV_CHART

#endif
