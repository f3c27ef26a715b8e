/* SPDX-License-Identifier: MIT */
/*
 * libpaths/language.h - words that C and C++ spell differently
 *
 * All public headers are for C11 and C++17.  Declarations are between
 * PATHS_BEGIN_DECLS and PATHS_END_DECLS.  PATHS_ATOMIC is _Atomic in C and
 * std::atomic in C++, which have the same size and representation.
 */

#ifndef LIBPATHS_LANGUAGE_H
#define LIBPATHS_LANGUAGE_H

#if defined(__cplusplus)
#include <atomic>

#define PATHS_BEGIN_DECLS extern "C" {
#define PATHS_END_DECLS }
#define PATHS_ATOMIC(type) std::atomic<type>

/* The functions are found by their arguments, the orders are not. */
using std::atomic_thread_fence;
using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;
#else
#include <stdatomic.h>

#define PATHS_BEGIN_DECLS
#define PATHS_END_DECLS
#define PATHS_ATOMIC(type) _Atomic(type)
#endif

#include <assert.h>
#include <stdint.h>

typedef PATHS_ATOMIC(int32_t) paths_atomic_i32;
typedef PATHS_ATOMIC(uint32_t) paths_atomic_u32;
typedef PATHS_ATOMIC(uint64_t) paths_atomic_u64;

#endif
