! SPDX-License-Identifier: MIT
!
! tests/mpi/tool.F90 - a profiling library for programs with mpif.h or use mpi:
! prints a line at the 50th call of mpi_send

subroutine mpi_send(buffer, count, type, to, tag, comm, ierror)
  implicit none
  integer :: buffer(*), count, type, to, tag, comm, ierror
  integer, save :: calls = 0
  calls = calls + 1
  if (calls == 50) write (0, '(a)') 'tool: 50 in Fortran'
  call pmpi_send(buffer, count, type, to, tag, comm, ierror)
end subroutine
