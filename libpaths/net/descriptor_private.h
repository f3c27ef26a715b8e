/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/descriptor_private.h - sockets that a forked process closes
 */

#ifndef LIBPATHS_NET_DESCRIPTOR_PRIVATE_H
#define LIBPATHS_NET_DESCRIPTOR_PRIVATE_H

/* Adds a socket to those that a forked process closes. */
void paths__descriptor_add(int fd);

/* Closes a socket that was added. */
void paths__descriptor_close(int fd);

/* Called by the handlers of pthread_atfork: before a fork, after it in the
   parent, and after it in the child, where it closes the sockets. */
void paths__descriptor_prepare(void);
void paths__descriptor_parent(void);
void paths__descriptor_child(void);

#endif
