# generate.tcl --
#
#   Generates C of the MPI interposer from functions.def.
#
#       tclsh generate.tcl FILE OUTPUT ?GROUP? >OUT
#
#   OUTPUT is numbers (the header functions_gen.h), table (name, role and flags
#   of each function), names (the symbols that libeventspace-mpi.so exports), c
#   or fortran (the wrappers of a group of hooks).
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::eventspace::generate {
    namespace export read numbers table names exported wrappers
    namespace ensemble create

    # Groups of hooks: the headers that declare them, and their names.
    variable Groups {
        p2p {{call/p2p_private.h call/persistent_private.h
            wrap/wait_private.h} {
            send recv sendrecv isend irecv isendrecv send_init recv_init start
            ready wait wait_many test probe iprobe request
        }}
        collective {call/collective_private.h {
            barrier n_to_n one_to_n n_to_one scan neighbor
        }}
        comm {{call/comm_hook_private.h call/file_private.h
            call/window_private.h} {
            comm put get window group_free file
        }}
        rest {call/life_private.h {
            init finalize abort pcontrol session_end other
        }}
    }

    # Hooks that are inline, and the function in frame_private.h that calls them.
    variable Shared {
        send send recv recv sendrecv sendrecv isend isend irecv irecv
        isendrecv isendrecv barrier collective n_to_n collective
        scan collective neighbor collective one_to_n rooted n_to_one rooted
        put put get get
    }

    # Hooks that are not roles.
    variable NoRole {abort pcontrol session_end group_free none}

    # Forms of a procedure in Fortran, and the suffix of each.
    variable Forms {
        F _ F_CPTR _cptr_ F_X _ F08 _f08_ F08TS _f08ts_
        F08_LARGE _f08_large_ F08TS_LARGE _f08ts_large_ F08_X _f08_
    }

    # Arguments that have 8 bytes in large-count forms.
    variable Wide {n count count2 counts counts2}
}

# read --
#
#   Reads the table of functions.
#
# Arguments:
#   file    name of functions.def
#
# Results:
#   A list of dictionaries: number, name, hook, letters, arguments.
#   Throws {EVENTSPACE GENERATE LINE} for a wrong line.

proc ::eventspace::generate::read {file} {
    set channel [open $file]
    set lines [split [::read $channel] \n]
    close $channel
    set functions {}
    set seen {}
    foreach line $lines {
        regsub {#.*} $line {} line
        if {[string trim $line] eq ""} continue
        set arguments [lassign $line name entry]
        if {![regexp {^([a-z_]+)(?:\+([A-Z]+))?$} $entry -> hook letters]
                || [dict exists $seen $name]} {
            throw {EVENTSPACE GENERATE LINE} "$file: \"$line\""
        }
        foreach word $arguments {
            if {[Class [string trimleft $word ^]] eq ""} {
                throw {EVENTSPACE GENERATE LINE} \
                    "$file: \"$line\": no argument is \"$word\""
            }
        }
        dict set seen $name 1
        lappend functions [dict create name $name hook $hook \
            number [expr {[llength $functions] + 1}] \
            letters $letters arguments $arguments]
    }
    return $functions
}

# Returns how a word is passed: int, wide (an integer, wide in large-count
# forms), long (8 bytes), handle, request, pointer or string; "" if unknown.
proc ::eventspace::generate::Class {word} {
    switch -- $word {
        i - peer - peer2 - tag - tag2 - number - many {return int}
        n - count - count2 {return wide}
        a - count8 {return long}
        h - type - type2 - comm - win - file - group - peer_comm - op {
            return handle
        }
        s - name {return string}
        request_in {return request}
        p - v - c - buf - counts - counts2 - types - types2 - request -
        requests - status - statuses - flag - index - outcount - indices -
        new - freed - message {return pointer}
    }
    return ""
}

proc ::eventspace::generate::Has {function letter} {
    return [expr {[string first $letter [dict get $function letters]] >= 0}]
}

proc ::eventspace::generate::IsLarge {function} {
    variable Wide
    if {[Has $function L]} {
        return 1
    }
    foreach word [dict get $function arguments] {
        if {$word in $Wide} {
            return 1
        }
    }
    return 0
}

# Returns the argument words of one form; forms in Fortran omit the word c.
proc ::eventspace::generate::Arguments {function large fortran} {
    set words {}
    foreach word [dict get $function arguments] {
        if {[string index $word 0] eq "^"} {
            if {!$large} continue
            set word [string range $word 1 end]
        }
        if {$fortran && $word eq "c"} continue
        lappend words $word
    }
    return $words
}

# Returns the forms of a function in C.
proc ::eventspace::generate::CForms {function} {
    set forms C
    if {[IsLarge $function]} {
        lappend forms C_LARGE
    }
    if {[Has $function X]} {
        lappend forms C_X
    }
    return $forms
}

proc ::eventspace::generate::CName {function form} {
    set prefix [expr {$form eq "C_X" ? "MPIX" : "MPI"}]
    set suffix [expr {$form eq "C_LARGE" ? "_c" : ""}]
    return ${prefix}_[dict get $function name]$suffix
}

proc ::eventspace::generate::FortranName {function form} {
    variable Forms
    set lower [string tolower [dict get $function name]]
    set prefix [expr {[string match *_X $form] ? "mpix" : "mpi"}]
    return ${prefix}_$lower[dict get $Forms $form]
}

# Returns the other symbols by which compilers call a form of "use mpi".
proc ::eventspace::generate::Aliases {function form} {
    if {![string match F08* $form]} {
        set lower [string trimright [FortranName $function $form] _]
        return [list $lower ${lower}__ [string toupper $lower]]
    }
    return {}
}

proc ::eventspace::generate::Head {purpose} {
    puts "/* Made by collectors/mpi/wrap/generate.tcl: $purpose. */\n"
}

# numbers --
#
#   Prints a header with the number of each function.
#
# Arguments:
#   functions   result of [read]

proc ::eventspace::generate::numbers {functions} {
    Head "the numbers of functions"
    puts "#ifndef COLLECTORS_MPI_FUNCTIONS_GEN_H"
    puts "#define COLLECTORS_MPI_FUNCTIONS_GEN_H\n"
    puts "enum mpi_fn \{"
    foreach function $functions {
        puts "\tMPI_FN_[dict get $function name] = [dict get $function number],"
    }
    puts "\tMPI_FN_COUNT\n\};\n\n#endif"
}

# table --
#
#   Prints the rows of the array in collectors/space/mpi_function.c.
#
# Arguments:
#   functions   result of [read]

proc ::eventspace::generate::table {functions} {
    variable NoRole
    Head "name, role and flags of each function"
    foreach function $functions {
        set hook [dict get $function hook]
        set role [expr {$hook in $NoRole ? "other" : $hook}]
        set flags {}
        foreach {letter flag} {N NONBLOCKING P PERSISTENT V VECTOR
            F FILE_COLLECTIVE} {
            if {[Has $function $letter]} {
                lappend flags ES_MPI_$flag
            }
        }
        puts [format "\{ \"MPI_%s\", ES_MPI_ROLE_%s, %s \}," \
            [dict get $function name] [string toupper $role] \
            [expr {$flags eq "" ? "0" : [join $flags " | "]}]]
    }
}

# names --
#
#   Prints the names that the interposer exports, those of MPI and that of
#   collectors/mpi.h.
#
# Arguments:
#   functions   result of [read]

proc ::eventspace::generate::names {functions} {
    puts [join [lsort [list es_mpi_monitor MPIR_Err_return_comm \
        MPIR_Err_return_win {*}[exported $functions]]] \n]
}

# exported --
#
#   Returns the names of MPI that the interposer exports.
#
# Arguments:
#   functions   result of [read]
#
# Results:
#   A list, sorted.

proc ::eventspace::generate::exported {functions} {
    set names {}
    foreach function $functions {
        if {[dict get $function hook] eq "none"} continue
        foreach form [CForms $function] {
            lappend names [CName $function $form] P[CName $function $form]
        }
        foreach form [FortranForms $function] {
            lappend names [FortranName $function $form] \
                {*}[Aliases $function $form]
        }
    }
    return [lsort $names]
}

# wrappers --
#
#   Prints the wrappers of a group.
#
# Arguments:
#   functions   result of [read]
#   language    c or fortran
#   group       one of Groups

proc ::eventspace::generate::wrappers {functions language group} {
    variable Groups
    lassign [dict get $Groups $group] headers hooks
    Head "wrappers, $group, $language"
    puts "#include \"collectors/mpi/wrap/stub_private.h\"\n"
    foreach header $headers {
        puts "#include \"collectors/mpi/$header\""
    }
    foreach function $functions {
        if {[dict get $function hook] ni $hooks} continue
        if {$language eq "c"} {
            foreach form [CForms $function] {
                WrapC $function $form
            }
        } else {
            WrapFortran $function
        }
    }
}

# Returns "a0, a1, ..." for count arguments, each after the word `before`.
proc ::eventspace::generate::List {count {before ""}} {
    set list {}
    for {set n 0} {$n < $count} {incr n} {
        lappend list ${before}a$n
    }
    return [join $list ", "]
}

proc ::eventspace::generate::Parameters {count} {
    return [expr {$count == 0 ? "void" : [List $count "mpi_word "]}]
}

# Returns the program's arguments, with its status replaced by that in args.
proc ::eventspace::generate::Forwarded {words count} {
    set list {}
    for {set n 0} {$n < $count} {incr n} {
        set word [lindex $words $n]
        lappend list [expr {$word in {status statuses}
            ? "(mpi_word)args.status" : "a$n"}]
    }
    return [join $list ", "]
}

# Returns the C type of the next function.
proc ::eventspace::generate::NextType {returns count} {
    if {$count == 0} {
        return "$returns (*)(void)"
    }
    return "$returns (*)([join [lrepeat $count mpi_word] {, }])"
}

# Returns the kind of a wrapper.  plain calls no hooks, hooked calls its hooks
# while the call is recorded.  always calls them also when it is not recorded,
# because it makes or frees a handle, starts or ends MPI or recording, or
# numbers a fence.
# pending does so while there are recorded requests.
proc ::eventspace::generate::Kind {function} {
    set hook [dict get $function hook]
    set words [dict get $function arguments]
    if {$hook eq "other"} {
        return plain
    } elseif {$hook in {comm init finalize abort pcontrol session_end group_free}
            || "new" in $words || "freed" in $words
            || [Has $function P] || [Has $function F] || $hook eq "request"
            || [dict get $function name] eq "Win_fence"} {
        return always
    } elseif {$hook in {wait wait_many test}} {
        return pending
    }
    return hooked
}

# Returns whether a function is point-to-point.  The hooks of these read no
# argument that the function does not have.
proc ::eventspace::generate::IsMessage {function} {
    variable Groups
    return [expr {[dict get $function hook] in
        [lindex [dict get $Groups p2p] 1]}]
}

# Returns the prefix of the functions that record a call: mpi for inline ones,
# which frequent calls use, or mpi_call.
proc ::eventspace::generate::Way {function large} {
    return [expr {!$large && [Has $function H] ? "mpi" : "mpi_call"}]
}

# Returns the name of a hook without _before or _after.
proc ::eventspace::generate::Hook {function way} {
    variable Shared
    set hook [dict get $function hook]
    if {$way eq "mpi_call" && [dict exists $Shared $hook]} {
        return mpi_call_[dict get $Shared $hook]
    }
    return mpi_$hook
}

proc ::eventspace::generate::WrapC {function form} {
    set words [Arguments $function [expr {$form eq "C_LARGE"}] 0]
    set name [CName $function $form]
    set variants [Variants $function $form]
    if {[IsTable $function [expr {$form eq "C_LARGE"}] 0]} {
        WrapCTable $function $form $words
    } else {
        WrapCInline $function $form $words $variants
    }
    if {$variants ne ""} {
        WrapCVariants $function $form $words $variants
    }
    if {[Kind $function] ne "always"} {
        EntryStub $function $form $words $variants
    }
    puts "MPI_STUB_PROFILING($name, MPI_FORM_$form,"
    puts "    MPI_FN_[dict get $function name])"
}

# Prints the head of the function that records a call.  A call that is always
# seen has no entry stub.  Variants share an inline function.
proc ::eventspace::generate::HeadC {function form count variants} {
    set name [CName $function $form]
    set parameters [Parameters $count]
    if {[Kind $function] eq "always"} {
        puts "\nMPI_EXPORT int $name\($parameters);"
        puts "int\n$name\($parameters)\n\{"
    } elseif {$variants ne ""} {
        puts "\nstatic MPI_INLINE int"
        puts "do_$name\(struct mpi_look look, $parameters)\n\{"
    } else {
        puts "\nMPI_BEHIND_STUB int record_$name\($parameters);"
        puts "int\nrecord_$name\($parameters)\n\{"
    }
}

proc ::eventspace::generate::WrapCTable {function form words} {
    set name [CName $function $form]
    set count [llength $words]
    Table $function $name $words 0
    HeadC $function $form $count {}
    puts "\treturn mpi_wrapper_run(&wrapper_$name, [Array $count],"
    puts "\t    MPI_FORM_$form, MPI_CALLER);\n\}"
}

proc ::eventspace::generate::WrapCInline {function form words variants} {
    set large [expr {$form eq "C_LARGE"}]
    set count [llength $words]
    set fn MPI_FN_[dict get $function name]
    set name [CName $function $form]
    set kind [Kind $function]
    set pass "return next([List $count]);"
    # Not inline: mostly the entry stub numbers a collective that is not
    # recorded.
    set skip [Skip $function mpi_call $words c \
        "result = next([List $count]);" "return result;"]
    HeadC $function $form $count $variants
    puts "\t__typeof__([NextType int $count]) next ="
    puts "\t    mpi_next_get(MPI_FORM_$form, $fn);"
    if {$variants eq ""} {
        puts "\tstruct mpi_look look = mpi_look();"
    }
    puts "\tstruct mpi_call call;"
    if {$kind ne "plain"} {
        puts "\tstruct mpi_args args;"
    }
    if {$name in {MPI_Wait MPI_Waitall}} {
        puts "\tstruct mpi_entry entry = \{ look, MPI_CALLER, MPI_HERE \};"
    }
    if {$name eq "MPI_Wait"} {
        puts "\tconst struct mpi_request *fast;"
    }
    puts "\tint result;\n"
    set way [Way $function $large]
    if {[IsReceiver $function]} {
        # A recorded request may be completed by a call that is not recorded.
        set but [expr {$kind eq "pending" ? " && !mpi_requests_pending()" : ""}]
        puts "\tif (mpi_is_off_to_receivers(look)$but) \{\n\t\t$pass\n\t\}"
    }
    FastPath $name
    Enter $function $way MPI_CALLER $pass $skip
    Frame $function $way \
        "\t[Clear $function $way $large 0]\n[Fill $function $words $large 0 \
            args. a%d]" \
        "result = next([Forwarded $words $count])"
    puts "\treturn result;\n\}"
}

# Prints the function for each mode that has one of its own.
proc ::eventspace::generate::WrapCVariants {function form words variants} {
    set name [CName $function $form]
    set count [llength $words]
    foreach variant [list record {*}$variants] {
        puts "\nMPI_BEHIND_STUB int ${variant}_$name\([Parameters $count]);"
        puts "int\n${variant}_$name\([Parameters $count])\n\{"
        if {$variant eq "matrix" && [Kind $function] eq "pending"} {
            Blind $function $form $words
            continue
        }
        set look [dict get {record mpi_look()
            count mpi_look_at(MPI_MODE_COUNTED)
            matrix mpi_look_at(ES_MODE_MATRIX)} $variant]
        puts "\treturn do_$name\($look, [List $count]);\n\}"
    }
}

# Returns whether a call begins to receive or tests a request.  Such calls are
# counted only by the modes with stamps.
proc ::eventspace::generate::IsReceiver {function} {
    return [expr {[dict get $function hook] in {irecv iprobe test}}]
}

# Returns the modes for which a frequent call has a function of its own,
# without the code of other modes.
proc ::eventspace::generate::Variants {function form} {
    if {$form ne "C" || [Kind $function] eq "always"} return
    if {[IsCollective $function] && [Has $function H]} {
        return matrix
    }
    switch [dict get $function name] {
        Send - Recv - Sendrecv - Isend - Irecv {return count}
        Wait - Waitall {return {count matrix}}
    }
}

# Prints the entry stub, which the program calls; see stub_private.h.
proc ::eventspace::generate::EntryStub {function form words variants} {
    set modes [expr {[IsReceiver $function] ? "MPI_MODE_STAMPED"
        : "ES_MODE_ALL"}]
    set ask MPI_STUB_PLAIN
    if {[Kind $function] eq "pending"} {
        set ask MPI_STUB_REQUESTS
    } elseif {[IsCollective $function] && "comm" in $words} {
        set ask MPI_STUB_NUMBERS_[lsearch -exact $words comm]
    }
    set to MPI_STUB_[string toupper [join [list TO {*}$variants] _]]
    puts "MPI_STUB([CName $function $form], MPI_FORM_$form,"
    puts "    MPI_FN_[dict get $function name], $to, $modes, $ask)"
}

# Prints the fast path of a function, if it has one; see wait_private.h.
proc ::eventspace::generate::FastPath {name} {
    switch $name {
        MPI_Wait {
            puts "\tfast = mpi_wait_fast_request(entry, a0);"
            set if "fast != NULL"
            set call "mpi_wait_fast(next, a0, a1, fast, entry)"
        }
        MPI_Waitall {
            set if "mpi_waitall_is_fast(entry, a0)"
            set call "mpi_waitall_fast(next, a0, a1, a2, entry)"
        }
        default return
    }
    puts "\tif ($if) \{"
    puts "\t\treturn $call;\n\t\}"
}

# Prints the body, in matrix mode, of a call that completes requests.  Most
# requests are not known in this mode, which has its own fast path.
proc ::eventspace::generate::Blind {function form words} {
    set count [llength $words]
    set fn MPI_FN_[dict get $function name]
    puts "\t__typeof__([NextType int $count]) next ="
    puts "\t    mpi_next_get(MPI_FORM_$form, $fn);"
    puts "\tstruct mpi_entry entry = \{"
    puts "\t\tmpi_look_at(ES_MODE_MATRIX), MPI_CALLER, MPI_HERE"
    puts "\t\};"
    puts "\tstruct mpi_call call;\n"
    puts "\tif (!mpi_wait_is_blind(entry))"
    puts "\t\treturn do_[CName $function $form]\(entry.look, [List $count]);"
    puts "\tmpi_wait_begin_blind(&call, $fn, entry);"
    puts "\treturn mpi_wait_end_blind(&call, next([List $count]));\n\}"
}

proc ::eventspace::generate::IsCollective {function} {
    variable Groups
    return [expr {[dict get $function hook] in
        [lindex [dict get $Groups collective] 1]}]
}

# Returns the statements for a collective that is not recorded: it is still
# counted, so that later collectives have the same number on all ranks.
proc ::eventspace::generate::Skip {function way words language forward done} {
    set n [lsearch -exact $words comm]
    if {![IsCollective $function] || $n < 0} return
    set comm [Handle comm $language a$n]
    # Collectives in Fortran may call those in C.
    set plain [expr {$language eq "c" ? "mpi_abi.plain" : "false"}]
    return "\t\tif (${way}_collective_skip(look.thread, $comm, MPI_HERE,
\t\t\t$plain)) \{
\t\t\t$forward\n\t\t\tlook.thread->outermost = 0;
\t\t\t$done\n\t\t\}\n"
}

# Prints the start of a call.  A call that is not recorded runs the statements
# skip, then pass; with kind always or pending it runs pass, or its hooks if
# they see it.  The functions have the prefix way: mpi (inline) or mpi_call.
proc ::eventspace::generate::Enter {function way caller pass skip} {
    set fn MPI_FN_[dict get $function name]
    set kind [Kind $function]
    set begin "&call, $fn, $caller"
    puts "\tif (!${way}_enter($begin, MPI_HERE, look)) \{"
    set unless [expr {$kind eq "pending" ? "!mpi_requests_pending()"
        : "mpi_abi.row == MPI_ABI_NONE"}]
    if {$kind in {always pending}} {
        puts "\t\tif (mpi_inner_met($fn) || $unless) \{"
        puts "\t\t\t$pass\n\t\t\}"
        puts "\t\tmpi_enter_unrecorded($begin, MPI_HERE);"
    } else {
        puts -nonewline $skip
        puts "\t\t$pass"
    }
    puts "\t\}"
}

# Prints the call, with its stamps and hooks.
proc ::eventspace::generate::Frame {function way fill forward} {
    set hook [Hook $function $way]
    set kind [Kind $function]
    if {$kind ne "plain"} {
        puts $fill
        puts "\t${hook}_before(&call, &args);"
    }
    puts "\t${way}_begin(&call);"
    if {$kind in {always pending}} {
        set forward "mpi_inner = call.function;\n\t$forward;\n\tmpi_inner = 0"
    }
    if {$hook eq "mpi_pcontrol"} {
        # MPI would end a program that calls it before MPI_Init.
        puts "\tresult = 0;\n\tif (mpi_is_running()) \{"
        puts "\t$forward;\n\t\}"
    } else {
        puts "\t$forward;"
    }
    puts "\t${way}_end(&call);"
    if {$kind ne "plain"} {
        puts "\t${hook}_after(&call, &args, result);"
    }
    puts "\t${way}_leave(&call);"
}

# Returns the statement that clears args.
proc ::eventspace::generate::Clear {function way large fortran} {
    if {$fortran} {
        return "mpi_args_fortran(&args, form);"
    } elseif {$way eq "mpi" && [IsMessage $function]} {
        return "mpi_args_message(&args);"
    }
    return "mpi_args_c(&args, $large);"
}

# Returns the statements that fill in args.  functions.def describes the words.
# A statement assigns to ${to}MEMBER; [format $from N] is word N.
proc ::eventspace::generate::Fill {function words large fortran to from} {
    set lines {}
    set language [expr {$fortran ? "f" : "c"}]
    # Index of the first hidden length; these follow ierror.
    set hidden [expr {[llength $words] + 1}]
    set n -1
    foreach word $words {
        incr n
        if {$word eq "freed"} {
            switch [dict get $function hook] {
                file {set word freed_file}
                window {set word freed_window}
            }
        }
        foreach line [FillWord $word $language [format $from $n] \
                [format $from $hidden] $large] {
            lappend lines "\t$to$line"
        }
        incr hidden [expr {$fortran && [Class $word] eq "string"}]
    }
    return [join $lines \n]
}

# Returns the assignments for one word.  large: 0 or 1, or form if the C code
# tests its variable of this name
proc ::eventspace::generate::FillWord {word language a hidden large} {
    set int mpi_${language}_int($a)
    set wide [expr {$language eq "f" || $large eq "form"
        ? "mpi_${language}_count($a, form)"
        : $large ? "mpi_c_long($a)" : "mpi_c_int($a)"}]
    switch -- $word {
        buf {return [list "in_place |= [InPlace $language $a];"]}
        count - count2 {return [list "$word = $wide;"]}
        count8 {return [list "count = mpi_${language}_long($a);"]}
        peer - peer2 - tag - tag2 - number {
            return [list "$word = $int;"]
        }
        many {return [list "request_count = $int;"]}
        type - type2 {
            return [list "$word = [Handle type $language $a];"]
        }
        comm - win - file {
            return [list "comm = [Handle $word $language $a];"]
        }
        group - op {
            return [list "other = (void *)[Handle $word $language $a];"]
        }
        peer_comm {
            return [list "other = (void *)[Handle comm $language $a];"]
        }
        default {return [FillPointer $word $language $a $hidden]}
    }
}

# Returns the expression for a handle that is passed by value in C.
proc ::eventspace::generate::Handle {class language a} {
    if {$language eq "f"} {
        return "mpi_f_handle($a, mpi_abi.call.${class}_f2c)"
    }
    return "mpi_c_[expr {$class eq "file" ? "file" : "handle"}]($a)"
}

proc ::eventspace::generate::InPlace {language a} {
    return [expr {$language eq "f" ? "mpi_f_in_place($a, form)"
        : "mpi_c_in_place($a)"}]
}

proc ::eventspace::generate::FillPointer {word language a hidden} {
    set pointer "(void *)$a"
    switch -- $word {
        counts - counts2 - types - types2 - requests - flag - index -
        outcount - indices {return [list "$word = $pointer;"]}
        new {return [list "made = $pointer;"]}
        message {return [list "other = $pointer;"]}
        freed - freed_file - freed_window {
            set class [dict get {freed comm freed_file file
                freed_window win} $word]
            set read mpi_c_[expr {$class eq "file" ? $word : "freed"}]
            set handle [expr {$language eq "f" ? [Handle $class f $a]
                : "${read}($a)"}]
            return [list "made = $pointer;" "comm = $handle;"]
        }
        request {
            return [list "requests = $pointer;" \
                "request_count = 1;"]
        }
        request_in {
            set from [expr {$language eq "f" ? $pointer : "&$a"}]
            return [list "requests = $from;" "request_count = 1;"]
        }
        status - statuses {
            set ignored mpi_${language}_${word}_ignored
            set form [expr {$language eq "f" ? ", form" : ""}]
            return [list "status = $pointer;" \
                "status_ignored = $ignored\($a$form);"]
        }
        name {
            set length [expr {$language eq "f" ? "(int64_t)$hidden" : "-1"}]
            return [list "other = $pointer;" "number = $length;"]
        }
    }
    return {}
}

# Returns whether a wrapper is an entry of mpi_wrapper_run; see table_private.h.
proc ::eventspace::generate::IsTable {function large fortran} {
    if {([Has $function H] && !$large) ||
            [dict get $function hook] eq "pcontrol"} {
        return 0
    }
    return [expr {$fortran ||
        ([Kind $function] ne "plain" && ![IsReceiver $function])}]
}

# Prints the entry of mpi_wrapper_run for some forms of a function.
proc ::eventspace::generate::Table {function name words fortran} {
    set kind [Kind $function]
    set fill [Fill $function $words form $fortran args-> a\[%d\]]
    if {$fill ne ""} {
        puts "\nstatic void"
        puts "fill_$name\(struct mpi_args *args, mpi_word *a,"
        puts "    enum mpi_form form)\n\{\n\t(void)form;\n$fill\n\}"
    }
    set error [expr {$fortran && ![Has $function E] ? [llength $words] : -1}]
    set status [lsearch -regexp $words {^status(es)?$}]
    set comm [expr {[IsCollective $function]
        ? [lsearch -exact $words comm] : -1}]
    set count [expr {$fortran ? [FortranCount $function $words]
        : [llength $words]}]
    puts "\nstatic const struct mpi_wrapper wrapper_$name = \{"
    puts "\t.function = MPI_FN_[dict get $function name],"
    puts "\t.kind = MPI_WRAPPER_[string toupper $kind],"
    puts "\t.count = $count,"
    puts "\t.error = $error,\n\t.status = $status,\n\t.comm = $comm,"
    if {$fill ne ""} {
        puts "\t.fill = fill_$name,"
    }
    if {$kind ne "plain"} {
        set hook [Hook $function mpi_call]
        puts "\t.before = ${hook}_before,\n\t.after = ${hook}_after,"
    }
    puts "\};"
}

# Returns the array of the arguments for a function that all forms share.  One
# for mpi_wrapper_run has room for all words that it passes on.
proc ::eventspace::generate::Array {count} {
    return "(mpi_word\[[expr {$count > 6 ? "MPI_WRAPPER_WORDS" : 6}]\])\{
\t\t[expr {$count == 0 ? 0 : [List $count]}] \}"
}

source [file join [file dirname [info script]] fortran.tcl]

if {[info exists ::argv0] && [file tail $::argv0] eq "generate.tcl"} {
    lassign $::argv file output group
    set functions [::eventspace::generate read $file]
    switch -- $output {
        numbers - table - names {::eventspace::generate $output $functions}
        c - fortran {
            ::eventspace::generate wrappers $functions $output $group
        }
        default {error "generate.tcl: unknown output: $output"}
    }
}
