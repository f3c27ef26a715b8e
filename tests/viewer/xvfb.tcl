# xvfb.tcl --
#
#   A display of a test's own.
#
# SPDX-License-Identifier: MIT

# xvfb --
#
#   Start an X server that ends with its last client.  Its number is of this
#   process alone: a server that ends removes the socket of its number, and
#   with it that of another one which has just got the number from the system.
#
# Arguments:
#   screen  WIDTHxHEIGHTxDEPTH
#
# Results:
#   What to set DISPLAY to; throws what is missing.

proc xvfb {screen} {
    set server [auto_execok Xvfb]
    if {$server eq ""} {
        error "no Xvfb"
    }
    set number [expr {1000 + [pid] % 50000}]
    set channel [open "|[list {*}$server :$number -displayfd 1 -terminate \
        -nolisten tcp -screen 0 $screen -dpi 96] 2>/dev/null"]
    if {[gets $channel shown] <= 0} {
        error "Xvfb does not start"
    }
    return :$shown
}
