# tip.tcl --
#
#   The tooltip: what is known of the thing under the pointer.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::theme

namespace eval ::view::tip {
    namespace path ::view
    namespace export soon hide show text
    namespace ensemble create

    # How long the pointer rests before the tooltip comes, ms.
    variable Delay 250
    variable Waiting {}
}
package provide view::tip 0.1

# soon --
#
#   Show a tooltip when the pointer has rested for a moment.
#
# Arguments:
#   command     called then; what it gives, a dictionary, is shown

proc ::view::tip::soon {command} {
    variable Delay
    variable Waiting

    hide
    set Waiting [after $Delay [namespace code [list Show $command]]]
}

proc ::view::tip::hide {} {
    variable Waiting
    after cancel $Waiting
    if {[winfo exists .tip]} {
        wm withdraw .tip
    }
}

# text --
#
#   A dictionary as lines.

proc ::view::tip::text {told} {
    set lines {}
    dict for {name value} $told {
        lappend lines "$name: $value"
    }
    return [join $lines \n]
}

proc ::view::tip::Show {command} {
    set told [{*}$command]
    if {[dict size $told]} {
        show [text $told]
    }
}

# show --
#
#   Show a text beside the pointer, inside the screen.

proc ::view::tip::show {text} {
    if {![winfo exists .tip]} {
        toplevel .tip -borderwidth 1
        wm overrideredirect .tip 1
        wm attributes .tip -type tooltip
        label .tip.text -justify left -padx [theme px 6] -pady [theme px 4]
        pack .tip.text
    }
    .tip configure -background [theme colour axis]
    .tip.text configure -text $text -foreground [theme colour text] \
        -background [theme colour raised]
    update idletasks
    set x [expr {[winfo pointerx .] + [theme px 14]}]
    set y [expr {[winfo pointery .] + [theme px 14]}]
    set wide [winfo reqwidth .tip]
    set high [winfo reqheight .tip]
    if {$x + $wide > [winfo screenwidth .]} {
        set x [expr {[winfo pointerx .] - $wide - [theme px 8]}]
    }
    if {$y + $high > [winfo screenheight .]} {
        set y [expr {[winfo pointery .] - $high - [theme px 8]}]
    }
    wm geometry .tip +[expr {max(0, $x)}]+[expr {max(0, $y)}]
    wm deiconify .tip
    raise .tip
}
