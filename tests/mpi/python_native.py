# SPDX-License-Identifier: MIT
#
# tests/mpi/python_native.py - Python that calls C that calls Python
#
#	python_native.py LIBRARY		a build of python_native.c
#	python_native.py - FOLDER		imports the module of that folder

import ctypes
import sys
from mpi4py import MPI

Callback = ctypes.CFUNCTYPE(None)


@Callback
def residual():
    MPI.COMM_WORLD.Barrier()


def solve(library):
    library.solver_iterate(residual, 2)
    library.solver_reduce()


def extend():
    sys.path.insert(0, sys.argv[2])
    import python_native
    python_native.reduce()


if sys.argv[1] == "-":
    extend()
else:
    solve(ctypes.CDLL(sys.argv[1]))
