! SPDX-License-Identifier: MIT
!
! libpaths/fortran/paths.f90 - libpaths for Fortran programs
!
! The module `paths` has the functions of libpaths/program.h, thread.h and
! path.h under their names in C, except those for maps, types and counters; the
! headers document them.  A tuple is an array of any type.
!
! The module is installed as source, because each compiler has a format of its
! own for compiled modules:
!
!	gfortran -o program $(pkg-config --variable=fortran eventspace) \
!	    program.f90 $(pkg-config --libs eventspace)

module paths
  use, intrinsic :: iso_c_binding
  implicit none
  private

  ! The statuses, as in libpaths/status.h; paths_status_text describes all.
  integer(c_int), parameter, public :: PATHS_OK = 0
  integer(c_int), parameter, public :: PATHS_EINVAL = -1
  integer(c_int), parameter, public :: PATHS_EBUSY = -3
  integer(c_int), parameter, public :: PATHS_ETIMEDOUT = -4
  integer(c_int), parameter, public :: PATHS_ECLOSED = -5
  integer(c_int), parameter, public :: PATHS_ELOST = -6
  integer(c_int), parameter, public :: PATHS_EFULL = -7

  ! The kinds of operations that paths_path_start begins.
  integer(c_int), parameter, public :: PATHS_WRITE = 1
  integer(c_int), parameter, public :: PATHS_READ = 2
  integer(c_int), parameter, public :: PATHS_EXCHANGE = 3

  public :: c_ptr, c_null_ptr, c_bool, c_int, c_int32_t, c_int64_t, c_double, c_float
  public :: paths_status_text, paths_log_text
  public :: paths_program_open, paths_program_close, paths_program_serve
  public :: paths_thread_open, paths_thread_close, paths_thread_step
  public :: paths_path_open, paths_path_close, paths_path_why
  public :: paths_path_write, paths_path_read, paths_path_exchange
  public :: paths_path_delete, paths_path_start, paths_path_wait
  public :: paths_path_test, paths_path_wait_any, paths_path_wait_all
  public :: paths_path_deadline, paths_path_missed, paths_path_index
  public :: paths_path_bytes

  interface
    subroutine paths_program_close(program) bind(c)
      import :: c_ptr
      type(c_ptr), value :: program
    end subroutine

    subroutine paths_program_serve(program) bind(c)
      import :: c_ptr
      type(c_ptr), value :: program
    end subroutine

    subroutine paths_thread_close(thread) bind(c)
      import :: c_ptr
      type(c_ptr), value :: thread
    end subroutine

    subroutine paths_thread_step(thread, step) bind(c)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: thread
      integer(c_int32_t), value :: step
    end subroutine

    subroutine paths_path_close(path) bind(c)
      import :: c_ptr
      type(c_ptr), value :: path
    end subroutine

    function paths_path_write(path, tuple, bytes) bind(c) result(st)
      import :: c_ptr, c_int, c_int32_t
      type(c_ptr), value :: path
      type(*), intent(in) :: tuple(*)
      integer(c_int32_t), value :: bytes
      integer(c_int) :: st
    end function

    function paths_path_read(path, tuple, bytes) bind(c) result(st)
      import :: c_ptr, c_int, c_int32_t
      type(c_ptr), value :: path
      type(*) :: tuple(*)
      integer(c_int32_t), value :: bytes
      integer(c_int) :: st
    end function

    function paths_path_exchange(path, tuple, bytes) bind(c) result(st)
      import :: c_ptr, c_int, c_int32_t
      type(c_ptr), value :: path
      type(*) :: tuple(*)
      integer(c_int32_t), value :: bytes
      integer(c_int) :: st
    end function

    function paths_path_delete(path, before) bind(c) result(st)
      import :: c_ptr, c_int, c_int64_t
      type(c_ptr), value :: path
      integer(c_int64_t), value :: before
      integer(c_int) :: st
    end function

    ! The actual argument is asynchronous too, until paths_path_wait returns.
    function paths_path_start(path, kind, tuple, bytes) bind(c) result(st)
      import :: c_ptr, c_int, c_int32_t
      type(c_ptr), value :: path
      integer(c_int), value :: kind
      type(*), asynchronous :: tuple(*)
      integer(c_int32_t), value :: bytes
      integer(c_int) :: st
    end function

    function paths_path_wait(path) bind(c) result(st)
      import :: c_ptr, c_int
      type(c_ptr), value :: path
      integer(c_int) :: st
    end function

    function paths_path_test(path, ended) bind(c) result(st)
      import :: c_ptr, c_int, c_bool
      type(c_ptr), value :: path
      logical(c_bool), intent(out) :: ended
      integer(c_int) :: st
    end function

    subroutine paths_path_deadline(path, ns) bind(c)
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: path
      integer(c_int64_t), value :: ns
    end subroutine

    function paths_path_missed(path) bind(c) result(count)
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: path
      integer(c_int64_t) :: count
    end function

    function paths_path_index(path) bind(c) result(index)
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: path
      integer(c_int64_t) :: index
    end function

    ! The bytes of the tuple that was written or read last.
    function paths_path_bytes(path) bind(c) result(bytes)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: path
      integer(c_int32_t) :: bytes
    end function

    function open_program(map, process, program) &
        bind(c, name='paths_program_open') result(st)
      import :: c_ptr, c_int
      type(c_ptr), value :: map, process
      type(c_ptr), intent(out) :: program
      integer(c_int) :: st
    end function

    function open_thread(program, name, thread) &
        bind(c, name='paths_thread_open') result(st)
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: program
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(out) :: thread
      integer(c_int) :: st
    end function

    function open_path(thread, element, path) &
        bind(c, name='paths_path_open') result(st)
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: thread
      character(kind=c_char), intent(in) :: element(*)
      type(c_ptr), intent(out) :: path
      integer(c_int) :: st
    end function

    function wait_any(list, count, which) &
        bind(c, name='paths_path_wait_any') result(st)
      import :: c_ptr, c_int, c_int32_t
      type(c_ptr), intent(in) :: list(*)
      integer(c_int32_t), value :: count
      integer(c_int32_t), intent(out) :: which
      integer(c_int) :: st
    end function

    function wait_all(list, count, statuses) &
        bind(c, name='paths_path_wait_all') result(st)
      import :: c_ptr, c_int, c_int32_t
      type(c_ptr), intent(in) :: list(*)
      integer(c_int32_t), value :: count
      integer(c_int), intent(out) :: statuses(*)
      integer(c_int) :: st
    end function

    function why_of_path(path) bind(c, name='paths_path_why') result(text)
      import :: c_ptr
      type(c_ptr), value :: path
      type(c_ptr) :: text
    end function

    function about_status(st) bind(c, name='paths_status_about') result(text)
      import :: c_ptr, c_int
      integer(c_int), value :: st
      type(c_ptr) :: text
    end function

    function last_log() bind(c, name='paths_log_last') result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function

    function length_of(text) bind(c, name='strlen') result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  ! Opens this process as a process of a map.  `eventspace run` sets the
  ! defaults of map and process.
  function paths_program_open(program, map, process) result(st)
    type(c_ptr), intent(out) :: program
    character(*), intent(in), optional :: map, process
    integer(c_int) :: st
    character(:, c_char), allocatable, target :: map_text, process_text
    type(c_ptr) :: map_at, process_at

    map_at = c_null_ptr
    process_at = c_null_ptr
    if (present(map)) then
      map_text = trim(map) // c_null_char
      map_at = c_loc(map_text)
    end if
    if (present(process)) then
      process_text = trim(process) // c_null_char
      process_at = c_loc(process_text)
    end if
    st = open_program(map_at, process_at, program)
  end function

  function paths_thread_open(program, name, thread) result(st)
    type(c_ptr), intent(in) :: program
    character(*), intent(in) :: name
    type(c_ptr), intent(out) :: thread
    integer(c_int) :: st

    st = open_thread(program, trim(name) // c_null_char, thread)
  end function

  function paths_path_open(thread, element, path) result(st)
    type(c_ptr), intent(in) :: thread
    character(*), intent(in) :: element
    type(c_ptr), intent(out) :: path
    integer(c_int) :: st

    st = open_path(thread, trim(element) // c_null_char, path)
  end function

  ! Waits for the end of one of several started operations.  which is its index
  ! in the list, from 1, or one more than the size of the list.
  function paths_path_wait_any(list, which) result(st)
    type(c_ptr), intent(in) :: list(:)
    integer(c_int32_t), intent(out) :: which
    integer(c_int) :: st

    st = wait_any(list, size(list, kind=c_int32_t), which)
    which = which + 1
  end function

  ! Waits for the ends of several started operations.
  function paths_path_wait_all(list, statuses) result(st)
    type(c_ptr), intent(in) :: list(:)
    integer(c_int), intent(out), optional :: statuses(size(list))
    integer(c_int) :: st, each(size(list))

    st = wait_all(list, size(list, kind=c_int32_t), each)
    if (present(statuses)) statuses = each
  end function

  ! Returns the reason why the last operation on a path failed.
  function paths_path_why(path) result(why)
    type(c_ptr), intent(in) :: path
    character(:), allocatable :: why

    why = string_of(why_of_path(path))
  end function

  ! Describes a status in a few words.
  function paths_status_text(st) result(about)
    integer(c_int), intent(in) :: st
    character(:), allocatable :: about

    about = string_of(about_status(st))
  end function

  ! Returns the last message of the library in this thread.
  function paths_log_text() result(message)
    character(:), allocatable :: message

    message = string_of(last_log())
  end function

  function string_of(text) result(string)
    type(c_ptr), intent(in) :: text
    character(:), allocatable :: string
    character(kind=c_char), pointer :: letters(:)
    integer(c_size_t) :: n

    call c_f_pointer(text, letters, [length_of(text)])
    allocate(character(size(letters)) :: string)
    do n = 1, size(letters)
      string(n:n) = letters(n)
    end do
  end function
end module
