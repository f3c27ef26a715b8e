# SPDX-License-Identifier: MIT
#
# tests/mpi/python_sites.py - calls of MPI from all kinds of Python code
#
#	python_sites.py mpi4py
#	python_sites.py LIBRARY WORLD		by ctypes; WORLD is a number, or
#						the name of a variable
#
# Prints each call of MPI_Barrier with the frames that the interpreter tells:
# function@file:line < function@file:line < ...

import ctypes
import functools
import os
import sys
import threading
import types

if sys.argv[1] == "mpi4py":
    from mpi4py import MPI
    barrier = MPI.COMM_WORLD.Barrier
else:
    ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
    mpi = ctypes.CDLL(None)
    if sys.argv[2][0].isdigit():
        world = ctypes.c_int(int(sys.argv[2], 0))
    else:
        world = ctypes.c_void_p(
            ctypes.addressof(ctypes.c_char.in_dll(mpi, sys.argv[2])))
    mpi.MPI_Init_thread(None, None, 3, ctypes.byref(ctypes.c_int()))
    # It has no frame of its own.
    barrier = functools.partial(mpi.MPI_Barrier, world)


def here():
    """Prints the frames of the caller, which calls MPI in the same line."""
    frame, path = sys._getframe(1), []
    while frame is not None:
        code = frame.f_code
        path.append("%s@%s:%d" % (getattr(code, "co_qualname", code.co_name),
                                  os.path.basename(code.co_filename),
                                  frame.f_lineno))
        frame = frame.f_back
    sys.stdout.write(" < ".join(path) + "\n")


def function(depth):
    if depth > 0:
        function(depth - 1)
    else:
        here(); barrier()


def decorator(inner):
    def wrapper(*args):
        here(); barrier()
        return inner(*args)
    return wrapper


@decorator
def decorated():
    def nested():
        here(); barrier()

    nested()


class Meta(type):
    def __init__(cls, name, bases, members):
        here(); barrier()


class Solver(metaclass=Meta):
    here(); barrier()

    def step(self):
        # Far from the beginning of the function.




































































































































        here(); barrier()
        return self

    @property
    def size(self):
        here(); barrier()
        return 1

    @classmethod
    def made(cls):
        here(); barrier()

    @staticmethod
    def static():
        here(); barrier()

    def __enter__(self):
        here(); barrier()

    def __exit__(self, *error):
        here(); barrier()
        return True


def generator():
    for n in range(2):
        here(); barrier()
        yield n


def delegating():
    yield from generator()


async def coroutine():
    here(); barrier()


def failing():
    try:
        raise ValueError
    except ValueError:
        here(); barrier()
    finally:
        here(); barrier()


def called_back(a, b):
    here(); barrier()
    return 0


def by_the_library():
    """The C library calls back a function."""
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    array = (ctypes.c_int * 1)(1)
    ctypes.CDLL(None).bsearch(array, array, 1, 4, compare(called_back))


def made_code():
    """Code objects follow each other at the same address."""
    for n in range(40):
        exec(compile("\n" * (n * 7 % 40) + "here(); barrier()", "<made>",
                     "exec"), {"here": here, "barrier": barrier})


lock = threading.Lock()


def worker(odd):
    """Threads take turns in MPI, while others run Python."""
    for n in range(5):
        sum(range(20000))
        with lock:
            if odd:
                here(); barrier()
            else:
                function(2)


def main():
    function(0)
    function(3)
    decorated()
    Solver().step().size
    Solver.made()
    Solver.static()
    with Solver():
        raise KeyError
    list(generator())
    list(delegating())
    try:
        coroutine().send(None)
    except StopIteration:
        pass
    failing()
    (lambda: (here(), barrier()))()
    [(here(), barrier()) for n in range(2)]
    {n: (here(), barrier()) for n in range(2)}
    sorted([2, 1], key=lambda n: (here(), barrier(), n)[2])
    exec("here(); barrier()")
    module = types.ModuleType("made")
    module.here, module.barrier = here, barrier
    exec("def f():\n\n    here(); barrier()", module.__dict__)
    module.f()
    by_the_library()
    made_code()
    threads = [threading.Thread(target=worker, args=(n % 2,))
               for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Last:
    """Is deleted when Python ends, and sys.argv before."""

    def __del__(self, finalizes=sys.argv[1] != "mpi4py"):
        here(); barrier()
        if finalizes:
            mpi.MPI_Finalize()


main()
here(); barrier()
_last = Last()
