#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# tests/viewer/report/page.pl - checks that a page or an SVG is well-formed
#
#   page.pl [--xml] FILE    print the errors; the status is 1 if there are any
#   page.pl --steps FILE    print the page with a script that operates it and
#                           writes the results into data-steps of the body
#
# In a well-formed page elements are closed in the order in which they were
# opened, no id is given twice, and no address leads outside the page.

use strict;
use warnings;

my $mode = @ARGV > 1 ? shift : '';
open my $file, '<:encoding(UTF-8)', $ARGV[0] or die "$ARGV[0]: $!\n";
my $text = do { local $/; <$file> };
close $file;
binmode STDOUT, ':encoding(UTF-8)';

if ($mode eq '--steps') {
	my $script = do { local $/; <DATA> };
	$text =~ s{</body>}{<script>$script</script>\n</body>};
	print $text;
	exit 0;
}

my @bad;
my %void = map { $_ => 1 } qw(meta br hr link img input);
my (@open, %names);

# The texts of scripts and styles have no elements.  They must not load anything.
while ($text =~ m{<(script|style)\b[^>]*>(.*?)</\1>}gs) {
	my $inside = $2;
	push @bad, "$1 with an address: $&"
	    if $inside =~ m{\b(?:https?:|url\(|import\b|fetch\(|XMLHttp).{0,40}};
}
(my $rest = $text) =~ s{(<(script|style)\b[^>]*>).*?(</\2>)}{$1$3}gs;
$rest =~ s{<!--.*?-->}{}gs;
while ($rest =~ m{<(/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+(?:="[^"<]*")?)*)\s*(/?)>}g) {
	my ($end, $name, $attributes, $closed) = ($1, $2, $3, $4);
	if ($end) {
		my $was = pop @open // 'nothing';
		push @bad, "</$name> ends $was" if $was ne $name;
	} elsif (!$closed && ($mode eq '--xml' || !$void{$name})) {
		push @open, $name;
	}
	while ($attributes =~ m{\s([\w:-]+)="([^"]*)"}g) {
		my ($attribute, $value) = ($1, $2);
		push @bad, "$name leads to $value"
		    if $attribute =~ /^(?:src|href|xlink:href|action)$/ &&
		    $value !~ /^(?:#|data:)/;
		push @bad, "two are called $value"
		    if $attribute eq 'id' && $names{$value}++;
	}
}
push @bad, "open at the end: @open" if @open;
(my $plain = $rest) =~ s{</?[A-Za-z][\w:-]*(?:\s+[\w:-]+(?:="[^"<]*")?)*\s*/?>}{}g;
$plain =~ s{^\s*(?:<!DOCTYPE html>|<\?xml[^>]*\?>)}{};
push @bad, "unexpected: $1" if $plain =~ m{(<.{0,60})}s;
push @bad, "& stands alone: $1"
    if $rest =~ m{(&(?!(?:#x?[0-9a-f]+|[a-z]+);).{0,40})}s;
print "$ARGV[0]: $_\n" for @bad;
exit(@bad ? 1 : 0);

__DATA__
(function () {
	const canvas = document.getElementById("timeline"), found = [];
	const look = () => canvas.dataset.drawn.split(" ").map(Number);
	const box = canvas.getBoundingClientRect();
	const at = share => ({ bubbles: true, cancelable: true,
		clientX: box.left + 150 + share * (box.width - 150),
		clientY: box.top + 20, pointerId: 1 });
	const [rows, t0, span] = look();
	found.push(rows > 6 && t0 === 0 && span > 0 ? "whole" : "nothing");
	/* The time under the pointer stays in its place. */
	canvas.dispatchEvent(new WheelEvent("wheel",
		Object.assign(at(0.25), { deltaY: -1 })));
	let [, t1, span1] = look();
	found.push(Math.abs(span1 - 0.8 * span) <= 1 &&
		Math.abs(t1 - 0.05 * span) < 0.001 * span ? "zoomed" : "not zoomed");
	for (const key of ["w", "s", "d"])
		canvas.dispatchEvent(new KeyboardEvent("keydown", { key }));
	let [, t2, span2] = look();
	found.push(Math.abs(span2 - span1) <= 1 && t2 > t1 ? "keyed" : "not keyed");
	canvas.setPointerCapture = () => { };
	canvas.dispatchEvent(new PointerEvent("pointerdown", at(0.5)));
	canvas.dispatchEvent(new PointerEvent("pointermove", at(0.45)));
	canvas.dispatchEvent(new PointerEvent("pointerup", at(0.45)));
	found.push(look()[1] > t2 ? "dragged" : "not dragged");
	canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "f" }));
	found.push(look()[2] === span ? "whole" : "a part");
	/* A thread need not communicate at every place. */
	found.push([0.1, 0.3, 0.5, 0.7, 0.9].some(share => {
		canvas.dispatchEvent(new PointerEvent("pointermove", at(share)));
		return / at [\d.]+ [num]?s: \d+ % communication(?: of \d+ threads)?(?:, [\d.]+ % waiting)?, the longest about [\d.]+ [num]?s$/
			.test(document.getElementById("timeline-tip").textContent);
	}) ? "tip" : "no tip");
	/* One host with two processes. */
	const first = Object.assign(at(0), { clientX: box.left + 20, clientY: box.top + 5 });
	canvas.dispatchEvent(new PointerEvent("pointerdown", first));
	const counts = [look()[0]];
	canvas.dispatchEvent(new PointerEvent("pointerdown", first));
	for (const key of ["2", "1", "3"]) {
		counts.push(look()[0]);
		canvas.dispatchEvent(new KeyboardEvent("keydown", { key }));
	}
	counts.push(look()[0]);
	found.push(counts.join() === [1, rows, 3, 1, rows].join() ? "folded" : "not folded");
	const thing = document.querySelector("[data-thing]");
	thing.dispatchEvent(new MouseEvent("click", { bubbles: true }));
	found.push(document.querySelectorAll(".same").length > 0 ? "linked" : "alone");
	document.body.dataset.steps = found.join(" ");
})();
