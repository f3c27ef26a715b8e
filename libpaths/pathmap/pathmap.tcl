# pathmap.tcl --
#
#   The package pathmap: generate, read, look at, instrument, change, check,
#   draw and write path maps.  What a path map is stands in libpaths/map.h.
#
#	package require pathmap
#
#	set spec [pathmap cluster -hosts 2 -processes 1 -threads 4]
#	pathmap define spec element total -type f64*1 -join reduce -op sum
#	pathmap define spec use t* total exchange
#	set map [pathmap generate $spec -shape binary -via tcp]
#	pathmap write [pathmap instrument $map] total.map
#
#   A map and a spec are values; every procedure but [define] gives back a new
#   one.  Errors are thrown as {EVENTSPACE PATHMAP REASON} with one line:
#
#	SYNTAX	a line of a map is wrong: "FILE:LINE: WORD: expected ..."
#	SPEC	a definition is wrong, or names what is not there
#	SHAPE	threads cannot be joined in this shape
#	NAME	the map has no such thing
#	NOMATCH	nothing in the map matches a pattern
#	USAGE	an option is not known or its value is wrong
#	FILE	a file cannot be read or written
#	CHECK	the map is not sound: the line eventspace-map-check says
#
#   Generate, see generate.tcl:
#     cluster ?-hosts N? ?-processes N? ?-threads N? ?-cores BOOL?
#         ?-listen LIST? ?-address LIST? ?-topology LIST?
#         a spec with hosts h0.., processes p0.., threads t0.. in blocks
#     spec
#         an empty spec, for clusters that are not regular
#     define specVar host NAME ?-address A? ?-topology FILE|N?
#     define specVar process NAME -host HOST ?-listen {ENDPOINT ...}|auto?
#     define specVar thread NAME -process PROCESS ?-core N|auto?
#     define specVar element NAME -type T ?-process P? ?-keep N? ?-full F?
#         ?-take T? ?-join reduce|gather|scatter|broadcast|barrier? ?-op OP?
#         ?-shape S? ?-k N? ?-via V?
#     define specVar use THREADS ELEMENT ?any|read|write|exchange?
#         ?-with ITEMS?
#     generate spec ?-via V? ?-shape S? ?-k N? ?-file F?
#         a map; shapes are flat, binary, kary, host, or a nested list of
#         processes or threads: {{p0 p1} {p2 p3}}
#
#   Text, see text.tcl:
#     read FILE, write MAP FILE        "-" is standard input or output
#     parse TEXT ?FILE?, text MAP      the same bytes, but for edits
#
#   Instrument, see instrument.tcl:
#     instrument MAP ?-where PATTERN? ?-at all|head? ?-mode MODE? ?-keep N?
#     strip MAP ?-where PATTERN? ?-at all|head?
#
#   A PATTERN means stages: "reduce" or "sum*" by kind or name, "t0/total" by
#   path, "t0/*:proxy" both; see chain.tcl, [matches].
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::text
package require pathmap::chain
package require pathmap::shape
package require pathmap::generate
package require pathmap::instrument

namespace eval ::pathmap {
    namespace ensemble create -map {
        parse      ::pathmap::text::parse
        text       ::pathmap::text::text
        read       ::pathmap::text::read
        write      ::pathmap::text::write
        spec       ::pathmap::generate::spec
        cluster    ::pathmap::generate::cluster
        define     ::pathmap::generate::define
        generate   ::pathmap::generate::generate
        instrument ::pathmap::instrument::instrument
        strip      ::pathmap::instrument::strip
    }
}
package provide pathmap 0.1
