# SPDX-License-Identifier: MIT
#
# tests/damage.pl - perl damage.pl FILE PLACE: damages an event space
#
# PLACE is tuple, the start of a tuple in the middle of the first ring; counts,
# the number of tuples of that ring; definitions, the name of the process; or
# cut, which cuts the file in the middle of that ring.  collectors/space_format.h
# has the offsets.

use strict;
use warnings;

my ($file, $place) = @ARGV;
open my $f, '+<:raw', $file or die "$file: $!";

sub number {
	my ($at, $form) = @_;
	seek $f, $at, 0;
	read($f, my $bytes, 8) == 8 or die "$file: cut at $at";
	return unpack $form, $bytes;
}

sub flip {
	my ($at, $bit) = @_;
	my $byte = number($at, 'C');
	seek $f, $at, 0;
	print $f chr($byte ^ 1 << $bit);
}

# Returns the offset of a struct es_space_ring.
sub ring {
	my $collectors = number(64, 'Q');
	return $collectors if number(96, 'L') > 0;
	for (my $at = number(24, 'Q');; $at += number($at + 24, 'Q')) {
		return $at + 128 if number($at + 8, 'L') == 1;
	}
}

my $ring = ring();
my ($hot, $tuples) = (number($ring + 16, 'Q'), number($ring + 24, 'Q'));
my $bytes = number($ring + 8, 'L');
my $capacity = number($ring + 32, 'Q');
my $middle = $tuples + $bytes * (int(number($hot + 8, 'Q') / 2) % $capacity);

if ($place eq 'tuple') { flip($middle + 5, 4) }
elsif ($place eq 'counts') { flip($hot + 8, 1) }
elsif ($place eq 'definitions') { flip(200, 3) }
elsif ($place eq 'cut') { truncate $f, $middle or die "$file: $!" }
else { die "$place: unknown\n" }
