# tip.tcl --
#
#   The tooltip with the details of the thing under the pointer.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::theme

namespace eval ::view::tip {
    namespace path ::view
    namespace export schedule hide show text
    namespace ensemble create

    # Time that the pointer must rest before the tooltip is shown, ms.
    variable Delay 250
    variable Timer {}
}
package provide view::tip 0.1

# schedule --
#
#   Shows a tooltip when the pointer has rested for a moment.
#
# Arguments:
#   command     command prefix, called then; returns a dictionary of the fields
#               to show; empty: no tooltip

proc ::view::tip::schedule {command} {
    variable Delay
    variable Timer

    hide
    set Timer [after $Delay [namespace code [list Show $command]]]
}

proc ::view::tip::hide {} {
    variable Timer
    after cancel $Timer
    if {[winfo exists .tip]} {
        wm withdraw .tip
    }
}

# text --
#
#   Formats a dictionary as lines "NAME: VALUE".

proc ::view::tip::text {fields} {
    set lines {}
    dict for {name value} $fields {
        lappend lines "$name: $value"
    }
    return [join $lines \n]
}

proc ::view::tip::Show {command} {
    set fields [{*}$command]
    if {[dict size $fields]} {
        show [text $fields]
    }
}

# show --
#
#   Shows a text next to the pointer, inside the screen.

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
    set width [winfo reqwidth .tip]
    set height [winfo reqheight .tip]
    if {$x + $width > [winfo screenwidth .]} {
        set x [expr {[winfo pointerx .] - $width - [theme px 8]}]
    }
    if {$y + $height > [winfo screenheight .]} {
        set y [expr {[winfo pointery .] - $height - [theme px 8]}]
    }
    wm geometry .tip +[expr {max(0, $x)}]+[expr {max(0, $y)}]
    wm deiconify .tip
    raise .tip
}
