! SPDX-License-Identifier: MIT
!
! tests/mpi/sites.F90 - calls in procedures of all kinds

module halo_mod
contains
  subroutine exchange()
    include 'mpif.h'
    integer :: ierror
    call mpi_barrier(MPI_COMM_WORLD, ierror)
    call corner()
  contains
    subroutine corner()
      call mpi_barrier(MPI_COMM_WORLD, ierror)
    end subroutine
  end subroutine
end module

subroutine outside()
  include 'mpif.h'
  integer :: ierror
  call mpi_barrier(MPI_COMM_WORLD, ierror)
end subroutine

program solver
  use halo_mod
  integer :: ierror
  call mpi_init(ierror)
  call exchange()
  call outside()
  call own()
  call mpi_finalize(ierror)
contains
  subroutine own()
    include 'mpif.h'
    call mpi_barrier(MPI_COMM_WORLD, ierror)
  end subroutine
end program
