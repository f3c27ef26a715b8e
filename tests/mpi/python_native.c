/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/python_native.c - a library, and an extension module of Python,
 * that call MPI
 *
 *	-DEXTENSION	the module python_native, which needs Python.h
 */

#include <mpi.h>

/* A solver that calls Python back. */
void
solver_iterate(void (*residual)(void), int times)
{
	for (int n = 0; n < times; n++)
		residual();
}

void
solver_reduce(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

#ifdef EXTENSION
#include <Python.h>

static PyObject *
native_reduce(PyObject *self, PyObject *none)
{
	(void)self;
	(void)none;
	MPI_Barrier(MPI_COMM_WORLD);
	Py_RETURN_NONE;
}

static PyMethodDef native_methods[] = {
	{ "reduce", native_reduce, METH_NOARGS, NULL }, { NULL, NULL, 0, NULL }
};

static struct PyModuleDef native_module = { PyModuleDef_HEAD_INIT,
	"python_native", NULL, -1, native_methods, NULL, NULL, NULL, NULL };

PyMODINIT_FUNC
PyInit_python_native(void)
{
	return PyModule_Create(&native_module);
}
#endif
