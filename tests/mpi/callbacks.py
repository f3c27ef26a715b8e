# SPDX-License-Identifier: MIT
#
# tests/mpi/callbacks.py - MPI opened by an interpreter, and called by callbacks
#
# mpi4py opens MPI with MPI_THREAD_MULTIPLE.  Callbacks run inside calls, one
# of them inside MPI_Finalize.  Prints what it computes.

import sys
import threading
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
right, left = (rank + 1) % size, (rank - 1) % size
said = []


def goodbye(comm, key, value):
    """Called inside MPI_Finalize, where these calls are still allowed."""
    line = "%s %d of %d" % (value, comm.Get_rank(), comm.Get_size())
    if rank == 0:
        print(line)
        sys.stdout.flush()


MPI.COMM_SELF.Set_attr(MPI.Comm.Create_keyval(delete_fn=goodbye), "goodbye")

# Objects, whose sizes Python decides.
said.append(world.sendrecv({"from": rank}, dest=right, source=left))
said.append(world.allgather(rank * rank))
said.append(world.bcast("word" * 100 if rank == 0 else None))

# An operation of the program's own: MPI calls it back inside a call.
op = MPI.Op.Create(lambda a, b, t: b.__setitem__(
    slice(None), bytes(x ^ y for x, y in zip(bytes(a), bytes(b)))))
out, got = bytearray([rank + 1] * 8), bytearray(8)
world.Allreduce([out, MPI.BYTE], [got, MPI.BYTE], op)
said.append(bytes(got))
op.Free()

# Threads, all in MPI at once.
def talk(tag):
    request = world.isend(tag * tag, dest=right, tag=tag)
    said.append((tag, world.recv(source=left, tag=tag)))
    request.wait()


if MPI.Query_thread() == MPI.THREAD_MULTIPLE:
    threads = [threading.Thread(target=talk, args=(t,)) for t in range(10, 14)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()

# A duplicate with an attribute that is copied by a callback, and split groups.
key = MPI.Comm.Create_keyval(copy_fn=lambda comm, key, value: value + 1)
world.Set_attr(key, 41)
copy = world.Dup()
said.append(copy.Get_attr(key))
half = copy.Split(rank % 2, -rank)
said.append(half.allreduce(rank))
half.Free()
copy.Free()

# An error comes back as an exception.
try:
    world.Send([bytearray(1), MPI.BYTE], dest=size)
except MPI.Exception as error:
    said.append(error.Get_error_class() == MPI.ERR_RANK)

if rank == 0:
    print(sorted(map(str, said)))

# Deletes the attributes of MPI_COMM_SELF, ours and one of mpi4py's own.
MPI.Finalize()
