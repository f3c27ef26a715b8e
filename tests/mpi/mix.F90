! SPDX-License-Identifier: MIT
!
! tests/mpi/mix.F90 - mix.c in Fortran
!
! The calls of tests/mpi/mix.c, made by include 'mpif.h' (-DBINDING_MPIF), by
! use mpi (-DBINDING_MPI) or by use mpi_f08 (-DBINDING_F08).

#ifdef BINDING_F08
#define HANDLE(kind) type(kind)
#define ERROR
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#else
#define HANDLE(kind) integer
#define ERROR , ierror
#ifdef BINDING_MPI
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#endif

module ring
  implicit none
  integer :: rank, ranks, left, right
contains
  subroutine must(good, what)
    logical, intent(in) :: good
    character(len=*), intent(in) :: what
    if (good) return
    print *, 'mix: wrong: ', what
    call abort()
  end subroutine must
end module ring

subroutine blocking()
  USE_MPI
  use ring
  implicit none
  INCLUDE_MPI
  HANDLE(MPI_Request) :: request
  integer :: i, ierror
  double precision, asynchronous :: in
  double precision :: out
  do i = 0, 9
    out = 100 * rank + i
    call MPI_Irecv(in, 1, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 1, &
      MPI_COMM_WORLD, request ERROR)
    call MPI_Send(out, 1, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD ERROR)
    call MPI_Wait(request, MPI_STATUS_IGNORE ERROR)
    call must(nint(in) == 100 * left + i, 'a number')
  end do
end subroutine blocking

subroutine nonblocking()
  USE_MPI
  use ring
  implicit none
  INCLUDE_MPI
  HANDLE(MPI_Request) :: request(2)
  integer :: i, ierror
  character, asynchronous :: in(1200), out(1000)
  do i = 0, 4
    out = char(rank + i)
    call MPI_Irecv(in, 1200, MPI_CHARACTER, left, 2, MPI_COMM_WORLD, &
      request(1) ERROR)
    call MPI_Isend(out, 1000, MPI_CHARACTER, right, 2, MPI_COMM_WORLD, &
      request(2) ERROR)
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE ERROR)
    call must(ichar(in(1000)) == left + i, '1000 bytes')
  end do
end subroutine nonblocking

subroutine reversed()
  USE_MPI
  use ring
  implicit none
  INCLUDE_MPI
  HANDLE(MPI_Comm) :: comm
  integer :: i, k, me, to, from, ierror
  double precision :: in(4), out(4)
  me = ranks - 1 - rank
  to = mod(me + 1, ranks)
  from = mod(me + ranks - 1, ranks)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, comm ERROR)
  do i = 0, 6
    do k = 1, 4
      out(k) = me + i + k
    end do
    call MPI_Sendrecv(out, 4, MPI_DOUBLE_PRECISION, to, 3, &
      in, 4, MPI_DOUBLE_PRECISION, from, 3, comm, MPI_STATUS_IGNORE ERROR)
    call must(nint(in(4)) == from + i + 4, '32 bytes')
  end do
end subroutine reversed

subroutine persistent()
  USE_MPI
  use ring
  implicit none
  INCLUDE_MPI
  HANDLE(MPI_Request) :: request(2)
  integer :: i, ierror
  double precision, asynchronous :: in(3), out(3)
  call MPI_Send_init(out, 3, MPI_DOUBLE_PRECISION, right, 4, MPI_COMM_WORLD, &
    request(1) ERROR)
  call MPI_Recv_init(in, 3, MPI_DOUBLE_PRECISION, left, 4, MPI_COMM_WORLD, &
    request(2) ERROR)
  do i = 0, 5
    out(3) = rank + i
    call MPI_Startall(2, request ERROR)
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE ERROR)
    call must(nint(in(3)) == left + i, '24 bytes')
  end do
  do i = 1, 2
    call MPI_Request_free(request(i) ERROR)
  end do
end subroutine persistent

subroutine collective()
  USE_MPI
  use ring
  implicit none
  INCLUDE_MPI
  integer :: i, k, root, ierror
  double precision :: number(2), total
  integer :: in(0:3*ranks-1), out(0:3*ranks-1)
  root = ranks - 1
  do i = 0, 3
    number(2) = merge(i, -1, rank == root)
    call MPI_Bcast(number, 2, MPI_DOUBLE_PRECISION, root, MPI_COMM_WORLD ERROR)
    call must(nint(number(2)) == i, 'a broadcast')
  end do
  do i = 0, 8
    number(1) = rank + i
    call MPI_Allreduce(number, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, &
      MPI_COMM_WORLD ERROR)
    call must(nint(total) == ranks * (ranks - 1) / 2 + i * ranks, 'a sum')
  end do
  do i = 0, 1
    do k = 0, 3 * ranks - 1
      out(k) = 1000 * rank + k + i
    end do
    call MPI_Alltoall(out, 3, MPI_INTEGER, in, 3, MPI_INTEGER, &
      MPI_COMM_WORLD ERROR)
    call must(in(3 * left) == 1000 * left + 3 * rank + i, 'all to all')
  end do
end subroutine collective

subroutine onesided()
  USE_MPI
  use ring
  implicit none
  INCLUDE_MPI
  HANDLE(MPI_Win) :: window
  integer :: i, ierror
  integer(MPI_ADDRESS_KIND) :: bytes, place
  double precision, asynchronous :: in(5, 0:2), out(5, 0:2)
  bytes = 120
  in = 0
  call MPI_Win_create(in, bytes, 40, MPI_INFO_NULL, MPI_COMM_WORLD, &
    window ERROR)
  do i = 0, 3
    call MPI_Win_fence(0, window ERROR)
    if (i == 3) exit
    out(5, i) = rank + i
    place = i
    call MPI_Put(out(1, i), 5, MPI_DOUBLE_PRECISION, right, place, 5, &
      MPI_DOUBLE_PRECISION, window ERROR)
  end do
  call MPI_Win_free(window ERROR)
  do i = 0, 2
    call must(nint(in(5, i)) == left + i, 'what was put')
  end do
end subroutine onesided

program mix
  USE_MPI
  use ring
  implicit none
  INCLUDE_MPI
#ifdef BINDING_F08
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
#else
  integer :: ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
#endif
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  call blocking()
  call nonblocking()
  call reversed()
  call persistent()
  call collective()
  call onesided()
#ifdef BINDING_F08
  call MPI_Finalize()
#else
  call MPI_Finalize(ierror)
#endif
end program mix
