# ns.tcl --
#
#   Arithmetic of time, and how time is written and read.
#
#   All times of the viewer are nanoseconds as doubles.  Every expression that
#   divides or scales a time stands here and makes doubles of what it is given,
#   so that no integer division can cut a time short.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6

namespace eval ::view::ns {
    namespace export at pixel scale zoom pan clamp around text read ticks \
        middle share number
    namespace ensemble create

    # No window shows less than this.
    variable Least 16.0
    variable Units {ns 1.0 us 1e3 ms 1e6 s 1e9}
}
package provide view::ns 0.1

# at, pixel --
#
#   The time at a pixel of a window, and the pixel of a time.
#
# Arguments:
#   t0, span    the window, ns
#   width       its pixels
#   x           pixels from its left edge
#   ns          a time
#
# Results:
#   A double.

proc ::view::ns::at {t0 span width x} {
    return [expr {double($t0) + double($span) * double($x) / double($width)}]
}

proc ::view::ns::pixel {t0 span width ns} {
    return [expr {(double($ns) - double($t0)) * double($width)
        / double($span)}]
}

# scale --
#
#   How long so many pixels of a window are, ns.

proc ::view::ns::scale {span width pixels} {
    return [expr {double($span) * double($pixels) / double($width)}]
}

proc ::view::ns::middle {t0 span} {
    return [expr {double($t0) + double($span) / 2.0}]
}

# share --
#
#   A part of a whole; 0 of nothing.

proc ::view::ns::share {part whole} {
    if {double($whole) == 0.0} {
        return 0.0
    }
    return [expr {double($part) / double($whole)}]
}

# zoom --
#
#   A window scaled about a time that stays where it is.
#
# Arguments:
#   t0, span    the window
#   factor      below 1 shows less
#   about       that time
#
# Results:
#   {t0 span}

proc ::view::ns::zoom {t0 span factor about} {
    variable Least

    set wide [expr {max($Least, double($span) * double($factor))}]
    set left [expr {(double($about) - double($t0)) / double($span)}]
    return [list [expr {double($about) - $left * $wide}] $wide]
}

# pan --
#
#   A window moved by a part of its width: 0.5 is half of it, to the right.

proc ::view::ns::pan {t0 span part} {
    return [list [expr {double($t0) + double($span) * double($part)}] \
        [expr {double($span)}]]
}

# around --
#
#   A window with a time span in its middle that takes a part of it.

proc ::view::ns::around {begin end part} {
    variable Least

    set wide [expr {max($Least, (double($end) - double($begin))
        / double($part))}]
    return [list [expr {(double($begin) + double($end) - $wide) / 2.0}] $wide]
}

# clamp --
#
#   A window brought into [0, whole].

proc ::view::ns::clamp {t0 span whole} {
    variable Least

    set whole [expr {max(double($whole), $Least)}]
    set span [expr {min(max(double($span), $Least), $whole)}]
    return [list [expr {min(max(double($t0), 0.0), $whole - $span)}] $span]
}

# text --
#
#   A time with its unit.
#
# Arguments:
#   ns      the time
#   step    what must be told apart from it, ns: decides on digits; 0: three
#           digits that count
#   like    takes the unit of this time, where that is longer
#
# Results:
#   "1.25 ms".

proc ::view::ns::text {ns {step 0} {like 0}} {
    set size [expr {max(abs(double($ns)), double($step), double($like))}]
    lassign [Unit $size] unit scale
    set value [expr {double($ns) / $scale}]
    if {$step > 0} {
        set digits [expr {max(0, min(9,
            int(ceil(-log10(double($step) / $scale) - 1e-9))))}]
    } else {
        set digits [expr {$size < $scale * 10 ? 2 : $size < $scale * 100 ? 1
            : 0}]
        if {$unit eq "ns"} { set digits 0 }
    }
    return "[format %.${digits}f $value] $unit"
}

proc ::view::ns::Unit {ns} {
    variable Units

    set found {ns 1.0}
    foreach {unit scale} $Units {
        if {$ns >= $scale * 0.9995} { set found [list $unit $scale] }
    }
    return $found
}

# read --
#
#   A time as it is written: "1.5ms", "3 s", "200" (ns).
#
# Results:
#   A double.  Throws {EVENTSPACE VIEW TIME}.

proc ::view::ns::read {text} {
    variable Units

    if {![regexp {^\s*([-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)\s*(ns|us|ms|s)?\s*$} \
        $text - value unit]} {
        throw {EVENTSPACE VIEW TIME} \
            "\"$text\" is no time: expected a number and ns, us, ms or s"
    }
    if {$unit eq ""} { set unit ns }
    return [expr {double($value) * [dict get $Units $unit]}]
}

# ticks --
#
#   Where an axis has its ticks: at round times, all in one unit.
#
# Arguments:
#   t0, span    the window
#   most        how many there may be
#
# Results:
#   A list of {ns text}.

proc ::view::ns::ticks {t0 span most} {
    set step [Round [expr {double($span) / max(1, $most)}]]
    set ticks {}
    set n [expr {ceil(double($t0) / $step)}]
    while {$n * $step <= double($t0) + double($span)} {
        set ns [expr {$n * $step}]
        lappend ticks [list $ns \
            [text $ns $step [expr {double($t0) + double($span)}]]]
        set n [expr {$n + 1.0}]
    }
    return $ticks
}

# The least of 1, 2 and 5 times a power of ten that is not below this.
proc ::view::ns::Round {least} {
    set power [expr {10.0 ** floor(log10(double($least)))}]
    foreach times {1.0 2.0 5.0} {
        if {$power * $times >= double($least) * 0.999999} {
            return [expr {$power * $times}]
        }
    }
    return [expr {$power * 10.0}]
}

# number --
#
#   A count with blanks between its thousands; a fraction with three digits.

proc ::view::ns::number {value} {
    if {![string is entier -strict $value]} {
        return [format %.3g $value]
    }
    while {[regsub {^(-?\d+)(\d{3})} $value {\1 \2} value]} {}
    return $value
}
