# xvfb.tcl --
#
#   Starts an X server for one test program.
#
# SPDX-License-Identifier: MIT

# xvfb --
#
#   Starts an X server that ends with its last client.  The display number is
#   made from the process id, so that two tests rarely have the same one: a
#   server that ends removes the socket of its number, even if another server
#   has that number by then.
#
# Arguments:
#   screen  WIDTHxHEIGHTxDEPTH
#
# Results:
#   The value for DISPLAY.  Throws if the server is missing or does not start.

proc xvfb {screen} {
    set server [auto_execok Xvfb]
    if {$server eq ""} {
        error "no Xvfb"
    }
    set number [expr {1000 + [pid] % 50000}]
    set channel [open "|[list {*}$server :$number -displayfd 1 -terminate \
        -nolisten tcp -screen 0 $screen -dpi 96] 2>/dev/null"]
    if {[gets $channel display] <= 0} {
        error "Xvfb does not start"
    }
    return :$display
}
