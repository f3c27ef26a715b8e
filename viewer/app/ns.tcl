# ns.tcl --
#
#   Computes with times, formats them and parses them.
#
#   All times of the viewer are nanoseconds as doubles.  The procedures here
#   convert their operands to doubles, so that no integer division truncates a
#   time.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require eventspace_viewer

namespace eval ::view::ns {
    namespace export at pixel scale zoom pan clamp around text read ticks \
        middle share percent number
    namespace ensemble create

    # Shortest span of a window, ns.
    variable Least 16.0
}
package provide view::ns 0.1

# at, pixel --
#
#   [at] returns the time at a pixel of a window, [pixel] the pixel of a time.
#
# Arguments:
#   t0, span    the window, ns
#   width       width of the window in pixels
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
#   Returns the time that a number of pixels covers, ns.

proc ::view::ns::scale {span width pixels} {
    return [expr {double($span) * double($pixels) / double($width)}]
}

proc ::view::ns::middle {t0 span} {
    return [expr {double($t0) + double($span) / 2.0}]
}

# share --
#
#   Returns part / whole; 0.0 when whole is 0.

proc ::view::ns::share {part whole} {
    if {double($whole) == 0.0} {
        return 0.0
    }
    return [expr {double($part) / double($whole)}]
}

# zoom --
#
#   Returns a window scaled about a time, which keeps its place in the window.
#
# Arguments:
#   t0, span    the window
#   factor      factor of the span; below 1 shows less
#   about       the time
#
# Results:
#   {t0 span}

proc ::view::ns::zoom {t0 span factor about} {
    variable Least

    set zoomed [expr {max($Least, double($span) * double($factor))}]
    set left [expr {(double($about) - double($t0)) / double($span)}]
    return [list [expr {double($about) - $left * $zoomed}] $zoomed]
}

# pan --
#
#   Returns a window moved by a part of its span: 0.5 is half of it, later.

proc ::view::ns::pan {t0 span part} {
    return [list [expr {double($t0) + double($span) * double($part)}] \
        [expr {double($span)}]]
}

# around --
#
#   Returns a window with an interval in its middle.  The interval takes a
#   part (0 to 1) of the window.

proc ::view::ns::around {begin end part} {
    variable Least

    set span [expr {max($Least, (double($end) - double($begin))
        / double($part))}]
    return [list [expr {(double($begin) + double($end) - $span) / 2.0}] $span]
}

# clamp --
#
#   Returns a window moved and shortened to fit into [0, whole].

proc ::view::ns::clamp {t0 span whole} {
    variable Least

    set whole [expr {max(double($whole), $Least)}]
    set span [expr {min(max(double($span), $Least), $whole)}]
    return [list [expr {min(max(double($t0), 0.0), $whole - $span)}] $span]
}

# text --
#
#   Formats a time with its unit.
#
# Arguments:
#   ns      the time
#   step    smallest difference that must be visible, ns: sets the number of
#           decimals; 0: three significant digits
#   like    another time; the unit suits the longer of both
#
# Results:
#   "1.25 ms".

proc ::view::ns::text {ns {step 0} {like 0}} {
    return [::eventspace::unit text time $ns $step $like]
}

# read --
#
#   Parses a time: "1.5ms", "3 s", "200" (ns).
#
# Results:
#   A double.  Throws {EVENTSPACE VIEWER UNIT}.

proc ::view::ns::read {text} {
    if {[string is double -strict $text]} {
        return [expr {double($text)}]
    }
    return [expr {double([::eventspace::unit parse time \
        [string trim $text]])}]
}

# ticks --
#
#   Returns the ticks of an axis: round times, all in one unit.
#
# Arguments:
#   t0, span    the window
#   most        approximate largest number of ticks
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

# Rounds up to 1, 2 or 5 times a power of ten.
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
#   Formats a number: an integer with blanks between groups of three digits, a
#   fraction with three significant digits.

proc ::view::ns::number {value} {
    return [::eventspace::unit text \
        [expr {[string is entier -strict $value] ? "whole" : "count"}] $value]
}

# percent --
#
#   Formats a part of 1 in percent, with three significant digits.

proc ::view::ns::percent {share} {
    return [::eventspace::unit text share $share]
}
