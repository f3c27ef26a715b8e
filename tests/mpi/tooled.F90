! SPDX-License-Identifier: MIT
!
! tests/mpi/tooled.F90 - 50 messages and 50 sums of two ranks, with the binding
! BINDING: 1 mpif.h, 2 use mpi, 3 use mpi_f08

program tooled
#if BINDING == 3
  use mpi_f08
#elif BINDING == 2
  use mpi
#endif
  implicit none
#if BINDING == 1
  include 'mpif.h'
#endif
  integer :: ierror, rank, n, mine(1), total(1)
  call mpi_init(ierror)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierror)
  do n = 1, 50
    mine = n
    if (rank == 0) call mpi_send(mine, 1, MPI_INTEGER, 1, 0, &
        MPI_COMM_WORLD, ierror)
    if (rank == 1) call mpi_recv(mine, 1, MPI_INTEGER, 0, 0, &
        MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call mpi_allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, &
        MPI_COMM_WORLD, ierror)
  end do
  call mpi_finalize(ierror)
end program
