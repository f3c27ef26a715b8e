! SPDX-License-Identifier: MIT
!
! tests/examples/any.f90 - waits for any and for all of several operations
!
! Thread t0 has paths to the elements e1 to e8, and thread t1 writes to them.
! Both are of this process.

program any
  use, intrinsic :: iso_fortran_env, only: error_unit
  use paths
  implicit none
  integer, parameter :: count = 8
  integer, parameter :: order(count) = [5, 2, 8, 1, 7, 3, 6, 4]
  type(c_ptr) :: process, reader, writer, reads(count), writes(count)
  integer(c_int), asynchronous :: tuples(1, count)
  integer(c_int) :: statuses(count)
  integer(c_int32_t) :: which
  logical(c_bool) :: ended
  integer :: n
  character(2) :: name

  call expect(paths_program_open(process) == PATHS_OK, 1)
  call expect(paths_thread_open(process, 't0', reader) == PATHS_OK, 2)
  call expect(paths_thread_open(process, 't1', writer) == PATHS_OK, 3)
  do n = 1, count
    write (name, '("e", i1)') n
    call expect(paths_path_open(reader, name, reads(n)) == PATHS_OK, 4)
    call expect(paths_path_open(writer, name, writes(n)) == PATHS_OK, 5)
  end do

  ! No operation is under way.
  call expect(paths_path_wait_any(reads, which) == PATHS_EINVAL, 6)
  call expect(which == count + 1, 7)
  call expect(paths_path_wait_all(reads) == PATHS_OK, 8)
  call expect(paths_path_test(reads(1), ended) == PATHS_EINVAL, 9)

  call start_all
  do n = 1, count
    call expect(paths_path_test(reads(order(n)), ended) == PATHS_OK, 10)
    call expect(.not. logical(ended), 11)
    call send(order(n))
    call expect(paths_path_wait_any(reads, which) == PATHS_OK, 12)
    call expect(which == order(n) .and. tuples(1, which) == which, 13)
  end do

  call paths_path_deadline(reads(3), 1_c_int64_t)
  call start_all
  do n = 1, count
    if (n /= 3) call send(n)
  end do
  call expect(paths_path_wait_all(reads, statuses) == PATHS_ETIMEDOUT, 14)
  call expect(statuses(3) == PATHS_ETIMEDOUT, 15)
  statuses(3) = PATHS_OK
  call expect(all(statuses == PATHS_OK), 16)
  call paths_thread_close(writer)
  call paths_thread_close(reader)
  call paths_program_close(process)
  print '("any: ", i0, " paths")', count

contains

  subroutine start_all
    integer :: k

    tuples = 0
    do k = 1, count
      call expect(paths_path_start(reads(k), PATHS_READ, tuples(:, k), 4) &
          == PATHS_OK, 20)
    end do
  end subroutine

  subroutine send(k)
    integer, intent(in) :: k

    call expect(paths_path_write(writes(k), [int(k, c_int)], 4) &
        == PATHS_OK, 21)
  end subroutine

  subroutine expect(holds, place)
    logical, intent(in) :: holds
    integer, intent(in) :: place

    if (holds) return
    write (error_unit, '("any: ", i0, " does not hold: ", a)') place, &
        paths_log_text()
    error stop
  end subroutine
end program
