# generate.tcl --
#
#   From functions.def, the C of the MPI interposer.
#
#       tclsh generate.tcl FILE WHAT ?GROUP? >OUT
#
#   WHAT is numbers (the header functions_gen.h), table (what readers know of
#   each function), names (what libeventspace-mpi.so exports), c or fortran
#   (the wrappers of a group of hooks).
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::eventspace::generate {
    namespace export read numbers table names exported wrappers
    namespace ensemble create

    # Where the hooks of a group are declared, and which these are.
    variable Groups {
        p2p {call/wait_private.h {
            send recv sendrecv isend irecv isendrecv send_init recv_init start
            ready wait wait_many test probe iprobe request
        }}
        collective {call/collective_private.h {
            barrier n_to_n one_to_n n_to_one scan neighbor
        }}
        comm {call/window_private.h {comm put get window file}}
        rest {process/process_private.h {
            init finalize abort pcontrol session_end other
        }}
    }

    # Hooks that are no role.
    variable NoRole {abort pcontrol session_end none}

    # The forms of a procedure in Fortran, and the suffix of each.
    variable Forms {
        F _ F_CPTR _cptr_ F_X _ F08 _f08_ F08TS _f08ts_
        F08_LARGE _f08_large_ F08TS_LARGE _f08ts_large_ F08_X _f08_
    }

    # Arguments that are passed as 8 bytes in large-count forms.
    variable Wide {n count count2 counts counts2}
}

# read --
#
#   Read the table.
#
# Arguments:
#   file    its name
#
# Results:
#   A list of dictionaries: number, name, hook, letters, arguments.
#   Throws {EVENTSPACE GENERATE LINE} for a line that is none.

proc ::eventspace::generate::read {file} {
    set channel [open $file]
    set lines [split [::read $channel] \n]
    close $channel
    set functions {}
    set seen {}
    foreach line $lines {
        regsub {#.*} $line {} line
        if {[string trim $line] eq ""} continue
        set arguments [lassign $line name how]
        if {![regexp {^([a-z_]+)(?:\+([A-Z]+))?$} $how -> hook letters]
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

# How an argument word is passed: int, wide (an integer, wide in large-count
# forms), long (always 8 bytes), handle, pointer or string; "" for no word.
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

# The argument words of one form; Fortran's have no c.
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

# The forms of a function in Fortran: some of the names of Forms.
proc ::eventspace::generate::FortranForms {function} {
    set forms F
    if {[Has $function K]} {
        lappend forms F_CPTR
    }
    if {[Has $function X]} {
        lappend forms F_X F08_X
    }
    if {![Has $function R]} {
        set words [dict get $function arguments]
        set buffers [expr {"v" in $words || "buf" in $words}]
        lappend forms F08
        if {$buffers} {
            lappend forms F08TS
        }
        if {[IsLarge $function]} {
            lappend forms F08_LARGE
            if {$buffers} {
                lappend forms F08TS_LARGE
            }
        }
    }
    return $forms
}

# The same in C.
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

# The other ways in which compilers write the name of a form of use mpi.
proc ::eventspace::generate::Aliases {function form} {
    if {![string match F08* $form]} {
        set lower [string trimright [FortranName $function $form] _]
        return [list $lower ${lower}__ [string toupper $lower]]
    }
    return {}
}

proc ::eventspace::generate::Head {purpose} {
    puts "/* Made by collectors/mpi/abi/generate.tcl: $purpose. */\n"
}

# numbers --
#
#   Print a header with the number of each function.
#
# Arguments:
#   functions   as read gives them

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
#   Print the rows of the array in collectors/space/mpi_function.c.
#
# Arguments:
#   functions   as read gives them

proc ::eventspace::generate::table {functions} {
    variable NoRole
    Head "what is known of each function"
    foreach function $functions {
        set hook [dict get $function hook]
        set role [expr {$hook in $NoRole ? "other" : $hook}]
        set flags {}
        foreach {letter flag} {N NONBLOCKING P PERSISTENT V VECTOR} {
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
#   Print the names that the interposer exports: for MPI, and for
#   collectors/mpi.h.
#
# Arguments:
#   functions   as read gives them

proc ::eventspace::generate::names {functions} {
    puts [join [lsort [list es_mpi_monitor {*}[exported $functions]]] \n]
}

# exported --
#
#   The names that the interposer exports for MPI.
#
# Arguments:
#   functions   as read gives them
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
#   Print the wrappers of a group.
#
# Arguments:
#   functions   as read gives them
#   language    c or fortran
#   group       one of Groups

proc ::eventspace::generate::wrappers {functions language group} {
    variable Groups
    lassign [dict get $Groups $group] header hooks
    Head "wrappers, $group, $language"
    puts "#include \"collectors/mpi/call/stub_private.h\"\n"
    puts "#include \"collectors/mpi/$header\""
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

# "before a0, a1, ..." for the numbers up to count, with a word before each.
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

# What to call with: a status may be another than the program's.
proc ::eventspace::generate::Forwarded {words count} {
    set list {}
    for {set n 0} {$n < $count} {incr n} {
        set word [lindex $words $n]
        lappend list [expr {$word in {status statuses}
            ? "(mpi_word)args.status" : "a$n"}]
    }
    return [join $list ", "]
}

# A type for the next function.
proc ::eventspace::generate::NextType {returns count} {
    if {$count == 0} {
        return "$returns (*)(void)"
    }
    return "$returns (*)([join [lrepeat $count mpi_word] {, }])"
}

# What surrounds a call: stamps alone (plain), hooks (hooked), or hooks that
# learn of it also when it is not recorded (always): of what makes or frees a
# handle that stays, and of a life's events; or while there are requests that
# were made when it was (pending).
proc ::eventspace::generate::Kind {function} {
    set hook [dict get $function hook]
    set words [dict get $function arguments]
    if {$hook eq "other"} {
        return plain
    } elseif {$hook in {comm init finalize abort pcontrol session_end}
            || "new" in $words || "freed" in $words
            || [Has $function P] || $hook eq "request"} {
        return always
    } elseif {$hook in {wait wait_many test}} {
        return pending
    }
    return hooked
}

# Point-to-point, whose hooks never look for what the function does not have.
proc ::eventspace::generate::IsMessage {function} {
    variable Groups
    return [expr {[dict get $function hook] in
        [lindex [dict get $Groups p2p] 1]}]
}

# Whether a call is so frequent that what records it is inline.
proc ::eventspace::generate::IsHot {function} {
    variable Groups
    foreach group {p2p collective} {
        if {[dict get $function hook] in [lindex [dict get $Groups $group] 1]} {
            return 1
        }
    }
    return 0
}

proc ::eventspace::generate::WrapC {function form} {
    set large [expr {$form eq "C_LARGE"}]
    set words [Arguments $function $large 0]
    set count [llength $words]
    set fn MPI_FN_[dict get $function name]
    set name [CName $function $form]
    set kind [Kind $function]
    set pass "return next([List $count]);"
    set skip [Skip $function $words c "result = next([List $count]);" \
        "return result;"]
    set variants [Variants $function $form]
    set look "mpi_look()"
    if {$kind eq "always"} {
        puts "\nMPI_EXPORT int $name\([Parameters $count]);"
        puts "int\n$name\([Parameters $count])\n\{"
    } elseif {$variants ne ""} {
        set look look
        puts "\nstatic MPI_INLINE int"
        puts "do_$name\(struct mpi_look look, [Parameters $count])\n\{"
    } else {
        puts "\nMPI_BEHIND_DOOR int record_$name\([Parameters $count]);"
        puts "int\nrecord_$name\([Parameters $count])\n\{"
    }
    puts "\t__typeof__([NextType int $count]) next ="
    puts "\t    mpi_next_get(MPI_FORM_$form, $fn);"
    if {$look ne "look"} {
        puts "\tstruct mpi_look look = $look;"
    }
    puts "\tstruct mpi_call call;"
    if {$kind ne "plain"} {
        puts "\tstruct mpi_args args;"
    }
    if {$name in {MPI_Wait MPI_Waitall}} {
        puts "\tstruct mpi_entry entry = \{ look, MPI_CALLER, MPI_HERE \};"
    }
    if {$name eq "MPI_Wait"} {
        puts "\tconst struct mpi_request *usual;"
    }
    puts "\tint result;\n"
    set way [expr {!$large && [IsHot $function] ? "mpi" : "mpi_call"}]
    if {[IsReceiver $function]} {
        # One that was recorded may end now, though this call is not.
        set but [expr {$kind eq "pending" ? " && !mpi_requests_pending()" : ""}]
        puts "\tif (mpi_is_off_to_receivers(look)$but) \{\n\t\t$pass\n\t\}"
    }
    Usual $name
    Enter $function $way MPI_CALLER $pass $skip
    Frame $function $way [Fill $function $words $large 0] \
        "result = next([Forwarded $words $count])"
    puts "\treturn result;\n\}"
    if {$variants ne ""} {
        foreach variant [list record {*}$variants] {
            puts "\nMPI_BEHIND_DOOR int ${variant}_$name\([Parameters $count]);"
            puts "int\n${variant}_$name\([Parameters $count])\n\{"
            if {$variant eq "matrix" && $kind eq "pending"} {
                Blind $function $form $words
                continue
            }
            set look [dict get {record mpi_look()
                count mpi_look_at(MPI_MODE_COUNTED)
                matrix mpi_look_at(ES_MODE_MATRIX)} $variant]
            puts "\treturn do_$name\($look, [List $count]);\n\}"
        }
    }
    if {$kind ne "always"} {
        Door $function $form $words $variants
    }
    puts "MPI_ALIAS(P$name, $name);"
}

# Whether a call begins to receive, or only asks: what is received is counted by
# the modes with stamps alone.
proc ::eventspace::generate::IsReceiver {function} {
    return [expr {[dict get $function hook] in {irecv iprobe test}}]
}

# The modes that a frequent call has a function of its own for, with all that
# other modes ask for left out.
proc ::eventspace::generate::Variants {function form} {
    if {$form ne "C" || [Kind $function] eq "always"} return
    if {[IsCollective $function]} {
        return matrix
    }
    switch [dict get $function name] {
        Send - Recv - Sendrecv - Isend - Irecv {return count}
        Wait - Waitall {return {count matrix}}
    }
}

# What the program calls; see stub_private.h.
proc ::eventspace::generate::Door {function form words variants} {
    set modes [expr {[IsReceiver $function] ? "MPI_MODE_STAMPED"
        : "ES_MODE_ALL"}]
    set ask MPI_DOOR_PLAIN
    if {[Kind $function] eq "pending"} {
        set ask MPI_DOOR_REQUESTS
    } elseif {[IsCollective $function] && "comm" in $words} {
        set ask MPI_DOOR_NUMBERS_[lsearch -exact $words comm]
    }
    set to MPI_DOOR_[string toupper [join [list TO {*}$variants] _]]
    puts "MPI_DOOR([CName $function $form], MPI_FORM_$form,"
    puts "    MPI_FN_[dict get $function name], $to, $modes, $ask)"
}

# The way of most calls, where they have one of their own; see wait_private.h.
proc ::eventspace::generate::Usual {name} {
    switch $name {
        MPI_Wait {
            puts "\tusual = mpi_wait_usual_request(entry, a0);"
            set if "usual != NULL"
            set call "mpi_wait_usual(next, a0, a1, usual, entry)"
        }
        MPI_Waitall {
            set if "mpi_waitall_is_usual(entry, a0)"
            set call "mpi_waitall_usual(next, a0, a1, a2, entry)"
        }
        default return
    }
    puts "\tif ($if) \{"
    puts "\t\treturn $call;\n\t\}"
}

# The body of a call that completes requests of which nothing is known, in the
# mode where that is usual.
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

# Statements for a collective that is not recorded: do it, with its number.
proc ::eventspace::generate::Skip {function words language forward done} {
    set n [lsearch -exact $words comm]
    if {![IsCollective $function] || $n < 0} return
    set comm [Handle comm $language a$n]
    # Those of Fortran call those of C.
    set plain [expr {$language eq "c" ? "mpi_abi.plain" : "false"}]
    return "\t\tif (mpi_collective_skip(look.thread, $comm, MPI_HERE, $plain)) \{
\t\t\t$forward\n\t\t\tlook.thread->outermost = 0;
\t\t\t$done\n\t\t\}\n"
}

# Begin the call, or pass it on at once.  way: mpi, inline, or mpi_call; skip:
# what else is done of one that is passed on.
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

# Do the call, with what surrounds it.
proc ::eventspace::generate::Frame {function way fill forward} {
    set hook [dict get $function hook]
    set kind [Kind $function]
    if {$kind ne "plain"} {
        puts $fill
        puts "\tmpi_${hook}_before(&call, &args);"
    }
    puts "\t${way}_begin(&call);"
    if {$kind in {always pending}} {
        set forward "mpi_inner = call.function;\n\t$forward;\n\tmpi_inner = 0"
    }
    if {$hook eq "pcontrol"} {
        # Users call it at any time, and MPI ends them for it.
        puts "\tresult = 0;\n\tif (mpi_is_running()) \{"
        puts "\t$forward;\n\t\}"
    } else {
        puts "\t$forward;"
    }
    puts "\t${way}_end(&call);"
    if {$kind ne "plain"} {
        puts "\tmpi_${hook}_after(&call, &args, result);"
    }
    puts "\t${way}_leave(&call);"
}

# Statements that fill in args.  What a word means is in functions.def.
proc ::eventspace::generate::Fill {function words large fortran} {
    set lines {}
    lappend lines [expr {$fortran ? "\tmpi_args_fortran(&args, form);"
        : [IsMessage $function] ? "\tmpi_args_message(&args);"
        : "\tmpi_args_c(&args, $large);"}]
    set language [expr {$fortran ? "f" : "c"}]
    # Of the hidden lengths, which follow ierror.
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
        foreach line [FillWord $word $language a$n a$hidden $large] {
            lappend lines "\t$line"
        }
        incr hidden [expr {$fortran && [Class $word] eq "string"}]
    }
    return [join $lines \n]
}

# The statements for one word.
proc ::eventspace::generate::FillWord {word language a hidden large} {
    set int mpi_${language}_int($a)
    set wide [expr {$language eq "f" ? "mpi_f_count($a, form)"
        : $large ? "mpi_c_long($a)" : "mpi_c_int($a)"}]
    switch -- $word {
        buf {return [list "args.in_place |= [InPlace $language $a];"]}
        count - count2 {return [list "args.$word = $wide;"]}
        count8 {return [list "args.count = mpi_${language}_long($a);"]}
        peer - peer2 - tag - tag2 - number {
            return [list "args.$word = $int;"]
        }
        many {return [list "args.request_count = $int;"]}
        type - type2 {
            return [list "args.$word = [Handle type $language $a];"]
        }
        comm - win - file {
            return [list "args.comm = [Handle $word $language $a];"]
        }
        group - op {
            return [list "args.other = (void *)[Handle $word $language $a];"]
        }
        peer_comm {
            return [list "args.other = (void *)[Handle comm $language $a];"]
        }
        default {return [FillPointer $word $language $a $hidden]}
    }
}

# A handle that is passed by value in C.
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
        outcount - indices {return [list "args.$word = $pointer;"]}
        new {return [list "args.made = $pointer;"]}
        message {return [list "args.other = $pointer;"]}
        freed - freed_file - freed_window {
            set class [dict get {freed comm freed_file file
                freed_window win} $word]
            set read mpi_c_[expr {$class eq "file" ? $word : "freed"}]
            set handle [expr {$language eq "f" ? [Handle $class f $a]
                : "${read}($a)"}]
            return [list "args.made = $pointer;" "args.comm = $handle;"]
        }
        request {
            return [list "args.requests = $pointer;" \
                "args.request_count = 1;"]
        }
        request_in {
            set from [expr {$language eq "f" ? $pointer : "&$a"}]
            return [list "args.requests = $from;" "args.request_count = 1;"]
        }
        status - statuses {
            set ignored mpi_${language}_${word}_ignored
            set form [expr {$language eq "f" ? ", form" : ""}]
            return [list "args.status = $pointer;" \
                "args.status_ignored = $ignored\($a$form);"]
        }
        name {
            set length [expr {$language eq "f" ? "(int64_t)$hidden" : "-1"}]
            return [list "args.other = $pointer;" "args.number = $length;"]
        }
    }
    return {}
}

# Every form of a function in Fortran.  A form only makes an array of its
# arguments for what all forms share.
proc ::eventspace::generate::WrapFortran {function} {
    set shared {}
    foreach form [FortranForms $function] {
        set large [string match *LARGE $form]
        set words [Arguments $function $large 1]
        set count [FortranCount $function $words]
        if {![dict exists $shared $words]} {
            dict set shared $words \
                fortran_[dict get $function name][expr {$large ? "_c" : ""}]
            FortranShared $function [dict get $shared $words] $words $large
        }
        set name [FortranName $function $form]
        FortranForm $name $form $count [dict get $shared $words]
        set aliases [Aliases $function $form]
        if {$form eq "F"} {
            FortranPlain $function [lindex $aliases 0] $count \
                [dict get $shared $words]
            set aliases [lrange $aliases 1 end]
        }
        foreach alias $aliases {
            puts "MPI_ALIAS($alias, $name);"
        }
    }
}

# The name without an underscore, which may be that of somebody else.
proc ::eventspace::generate::FortranPlain {function plain count shared} {
    set parameters [Parameters $count]
    set fn MPI_FN_[dict get $function name]
    puts "\nMPI_EXPORT mpi_word $plain\($parameters);"
    puts "mpi_word\n$plain\($parameters)\n\{"
    puts "\tmpi_word (*own)($parameters) ="
    puts "\t    mpi_namesake_get($fn, \"$plain\");"
    puts "\n\tif (own != NULL)\n\t\treturn own([List $count]);"
    puts "\t$shared\([FortranArray $count], MPI_FORM_F, MPI_CALLER);"
    puts "\treturn 0;\n\}"
}

# How many arguments there are with ierror and the hidden lengths of strings.
proc ::eventspace::generate::FortranCount {function words} {
    set count [expr {[llength $words] + ![Has $function E]}]
    foreach word $words {
        incr count [expr {[Class $word] eq "string"}]
    }
    return $count
}

proc ::eventspace::generate::FortranShared {function name words large} {
    set fn MPI_FN_[dict get $function name]
    set kind [Kind $function]
    set count [FortranCount $function $words]
    puts "\nstatic MPI_SHARED void"
    puts "$name\(const mpi_word *a, enum mpi_form form, const void *caller)\n\{"
    puts "\t__typeof__([NextType void $count]) next ="
    puts "\t    mpi_next_get(form, $fn);"
    puts "\tstruct mpi_look look = mpi_look();"
    puts "\tstruct mpi_call call;"
    if {$kind ne "plain"} {
        puts "\tstruct mpi_args args;"
    }
    puts "\tint32_t result = 0;"
    for {set n 0} {$n < $count} {incr n} {
        puts "\tmpi_word a$n = a\[$n\];"
    }
    puts "\n\t(void)a;"
    set way [expr {[IsHot $function] ? "mpi" : "mpi_call"}]
    set pass "next([List $count]);\n\t\treturn;"
    set skip [Skip $function $words f "next([List $count]);" "return;"]
    if {$kind eq "hooked"} {
        puts "\tif (mpi_is_off(look)) \{"
        puts -nonewline $skip
        puts "\t\t$pass\n\t\}"
    }
    Enter $function $way caller $pass $skip
    set forward "next([Forwarded $words $count])"
    if {![Has $function E]} {
        set error a[llength $words]
        puts "\tif ($error == 0)\n\t\t$error = (mpi_word)&result;"
        append forward ";\n\tresult = *(int32_t *)$error"
    }
    Frame $function $way [Fill $function $words $large 1] $forward
    if {$kind eq "plain"} {
        puts "\t(void)result;"
    }
    puts "\}"
}

proc ::eventspace::generate::FortranArray {count} {
    return [expr {$count == 0 ? "NULL"
        : "(mpi_word\[\])\{ [List $count] \}"}]
}

proc ::eventspace::generate::FortranForm {symbol form count shared} {
    set parameters [Parameters $count]
    puts "\nMPI_EXPORT void $symbol\($parameters);"
    puts "void\n$symbol\($parameters)\n\{"
    puts "\t$shared\([FortranArray $count], MPI_FORM_$form, MPI_CALLER);\n\}"
}

if {[info exists ::argv0] && [file tail $::argv0] eq "generate.tcl"} {
    lassign $::argv file what group
    set functions [::eventspace::generate read $file]
    switch -- $what {
        numbers - table - names {::eventspace::generate $what $functions}
        c - fortran {
            ::eventspace::generate wrappers $functions $what $group
        }
        default {error "generate.tcl: no such thing: $what"}
    }
}
