! SPDX-License-Identifier: MIT
!
! examples/pi.f90 - pi by integration, in Fortran
!
! The program of examples/pi.cc.  Each process of the map has one thread, tN in
! process pN.  globalsum.map.tcl --processes 4 --threads 1 writes such a map.
!
!	gfortran -o pi $(pkg-config --variable=fortran eventspace) pi.f90 \
!	    $(pkg-config --libs eventspace)

program pi
  use, intrinsic :: iso_fortran_env, only: error_unit
  use paths
  implicit none
  integer, parameter :: rectangles = 1000000
  type(c_ptr) :: process, thread, total
  character(64) :: name
  real(c_double) :: sums(1)
  integer :: number, count

  call get_environment_variable('PATHS_PROCESS', name)
  if (name == '') name = 'p0'
  read (name(2:), *) number
  name(1:1) = 't'
  call check(paths_program_open(process))
  call check(paths_thread_open(process, name, thread))
  call check(paths_path_open(thread, 'total', total))

  ! The sum of ones is the number of threads.
  sums = 1
  call sum_over_threads
  count = nint(sums(1))
  sums = sum_of_share()
  call sum_over_threads
  if (number == 0) &
    print '("pi: ", i0, " threads, ", f11.9)', count, sums(1)

  call paths_path_close(total)
  call paths_thread_close(thread)
  call paths_program_close(process)

contains

  ! Ends the program after an error.
  subroutine check(st)
    integer(c_int), intent(in) :: st

    if (st == PATHS_OK) return
    write (error_unit, '("pi: ", a)') paths_log_text()
    error stop
  end subroutine

  subroutine sum_over_threads
    if (paths_path_exchange(total, sums, 8) == PATHS_OK) return
    write (error_unit, '("pi: ", a)') paths_path_why(total)
    error stop
  end subroutine

  ! Adds up rectangle `number` and every `count`-th one after it.
  function sum_of_share() result(sum)
    real(c_double) :: sum, x
    integer :: n

    sum = 0
    do n = number, rectangles - 1, count
      x = (n + 0.5d0) / rectangles
      sum = sum + 4 / (1 + x * x) / rectangles
    end do
  end function
end program
