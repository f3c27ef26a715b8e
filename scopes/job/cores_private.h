/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/cores_private.h - the part of a host's cores that a rank uses
 */

#ifndef SCOPES_JOB_CORES_PRIVATE_H
#define SCOPES_JOB_CORES_PRIVATE_H

/* Returns the number of threads that this rank should run where the host has so
   many cores: all of them without a job. */
unsigned es__cores_share(unsigned cores);

#endif
