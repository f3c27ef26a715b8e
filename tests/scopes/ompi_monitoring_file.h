/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/ompi_monitoring_file.h - file of Open MPI's monitoring component
 */

#ifndef TESTS_SCOPES_OMPI_MONITORING_FILE_H
#define TESTS_SCOPES_OMPI_MONITORING_FILE_H

/* 66 size classes: one message of 8 bytes, two of 0 bytes. */
#define OMPI_MONITORING_CLASSES \
	"2,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0," \
	"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"

/* Text of rank 0, in the format of Open MPI 4.1.4. */
#define OMPI_MONITORING_FILE \
	"# POINT TO POINT\n" \
	"E\t0\t1\t8 bytes\t3 msgs sent\t" OMPI_MONITORING_CLASSES "\n" \
	"I\t0\t1\t44 bytes\t7 msgs sent\n" \
	"I\t0\t2\t0 bytes\t1 msgs sent\t" OMPI_MONITORING_CLASSES "\n" \
	"# OSC\n" \
	"S\t0\t1\t80 bytes\t2 msgs sent\n" \
	"R\t0\t1\t90 bytes\t3 msgs sent\n" \
	"# COLLECTIVES\n" \
	"C\t0\t1\t44 bytes\t8 msgs sent\n" \
	"D\tMPI_COMM_WORLD\tprocs: 0,1,2\n" \
	"O2A\t0\t0 bytes\t0 msgs sent\n" \
	"A2O\t0\t0 bytes\t0 msgs sent\n" \
	"A2A\t0\t60 bytes\t4 msgs sent\n"

#endif
