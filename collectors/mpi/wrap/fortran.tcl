# fortran.tcl --
#
#   The forms of procedures in Fortran, and their wrappers, for generate.tcl.
#
# SPDX-License-Identifier: MIT

# Returns the forms of a function in Fortran, as named in Forms.
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

# Prints every form of a function in Fortran.  A form passes its arguments as an
# array to a function that several forms share.  The values of the dictionary
# shared are the beginning of the text that calls this function.
proc ::eventspace::generate::WrapFortran {function} {
    set shared {}
    foreach form [FortranForms $function] {
        set large [string match *LARGE $form]
        set words [Arguments $function $large 1]
        set count [FortranCount $function $words]
        if {![dict exists $shared $words]} {
            set all [dict get $function name][expr {$large ? "_c" : ""}]
            if {[IsTable $function $large 1]} {
                Table $function fortran_$all $words 1
                dict set shared $words "(void)mpi_wrapper_run(
\t    &wrapper_fortran_$all, [Array $count]"
            } else {
                FortranShared $function fortran_$all $words $large
                dict set shared $words "fortran_${all}([FortranArray $count]"
            }
        }
        set name [FortranName $function $form]
        FortranForm $name $form $count [dict get $shared $words] {}
        FortranForm p$name $form $count [dict get $shared $words] $function
        set aliases [Aliases $function $form]
        foreach alias $aliases {
            set p [expr {[string is upper [string index $alias 0]] ? "P" : "p"}]
            puts "MPI_ALIAS($p$alias, p$name);"
        }
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

# Prints the symbol without an underscore.  The program may have a function of
# this name, which is then called.
proc ::eventspace::generate::FortranPlain {function plain count shared} {
    set parameters [Parameters $count]
    set fn MPI_FN_[dict get $function name]
    puts "\nMPI_EXPORT mpi_word $plain\($parameters);"
    puts "mpi_word\n$plain\($parameters)\n\{"
    puts "\tmpi_word (*own)($parameters) ="
    puts "\t    mpi_namesake_get($fn, \"$plain\");"
    puts "\n\tif (own != NULL)\n\t\treturn own([List $count]);"
    puts "\t$shared, MPI_FORM_F, MPI_CALLER);"
    puts "\treturn 0;\n\}"
}

# Returns the number of arguments, with ierror and the hidden lengths of
# strings.
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
    puts "\tstruct mpi_args args;"
    puts "\tint32_t result = 0;"
    for {set n 0} {$n < $count} {incr n} {
        puts "\tmpi_word a$n = a\[$n\];"
    }
    puts "\n\t(void)a;"
    set way [Way $function $large]
    set pass "next([List $count]);\n\t\treturn;"
    if {$kind eq "hooked" && $way eq "mpi"} {
        puts "\tif (mpi_is_off(look)) \{"
        puts -nonewline [Skip $function $way $words f \
            "next([List $count]);" "return;"]
        puts "\t\t$pass\n\t\}"
    }
    Enter $function $way caller $pass \
        [Skip $function mpi_call $words f "next([List $count]);" "return;"]
    set forward "next([Forwarded $words $count])"
    if {![Has $function E]} {
        set error a[llength $words]
        puts "\tif ($error == 0)\n\t\t$error = (mpi_word)&result;"
        append forward ";\n\tresult = *(int32_t *)$error"
    }
    Frame $function $way \
        "\t[Clear $function $way $large 1]\n[Fill $function $words $large 1 \
            args. a%d]" $forward
    puts "\}"
}

proc ::eventspace::generate::FortranArray {count} {
    return [expr {$count == 0 ? "NULL"
        : "(mpi_word\[\])\{ [List $count] \}"}]
}

# Prints the function that the program calls.  profiling is the function of a
# PMPI_ name, or empty.
proc ::eventspace::generate::FortranForm {symbol form count shared profiling} {
    set parameters [Parameters $count]
    puts "\nMPI_EXPORT void $symbol\($parameters);"
    puts "void\n$symbol\($parameters)\n\{"
    if {$profiling ne ""} {
        puts "\tmpi_next_by_profiling(MPI_FORM_$form,"
        puts "\t    MPI_FN_[dict get $profiling name]);"
    }
    puts "\t$shared, MPI_FORM_$form, MPI_CALLER);\n\}"
}
