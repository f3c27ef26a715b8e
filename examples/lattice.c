/* SPDX-License-Identifier: MIT */
/*
 * examples/lattice.c - collisions and moves of 64 sites at once
 *
 * Each bit of a word is one site, and the particles of a site are the same
 * bit of seven words.  Collisions are logical operations on whole words.
 */

#include "examples/lattice.h"

#include "examples/mix.h"

#include <stdlib.h>
#include <string.h>

/* Uses of random words.  Each has its own key, so no word is used twice. */
enum purpose { COLLISION, FAN, FILL };

/* Returns the key of all random words of one step and purpose. */
static uint64_t
random_key(const struct lattice_tunnel *tunnel, enum purpose purpose,
    uint32_t step)
{
	return mix(mix(tunnel->seed) + ((uint64_t)purpose << 32 | step));
}

/* Returns 64 random bits for 64 sites of the tunnel. */
static uint64_t
random_word(uint64_t key, uint32_t row, uint32_t word)
{
	return mix(key ^ ((uint64_t)row << 32 | word));
}

uint64_t *
lattice_at(const struct lattice *slice, int64_t row, enum lattice_plane plane)
{
	size_t above = (size_t)(row + 1) * LATTICE_PLANES;

	return slice->now + (above + plane) * slice->tunnel.words;
}

size_t
lattice_border_bytes(const struct lattice_tunnel *tunnel)
{
	return 2 * tunnel->words * sizeof(uint64_t);
}

/*
 * Tells whether a site is wall or obstacle.  Lengths are in half sites along
 * the wind.  Rows are sqrt(3) half sites apart, hence the factor 3 in the
 * circle of the cylinder.
 */
static bool
site_solid(const struct lattice_tunnel *tunnel, uint32_t row, uint32_t x)
{
	int64_t along = 2 * (int64_t)x + (row & 1) -
	    (int64_t)tunnel->words * LATTICE_WORD_SITES / 2;
	int64_t across = (int64_t)row - tunnel->rows / 2;
	int64_t radius = tunnel->rows / 8;

	if (row == 0 || row == tunnel->rows - 1)
		return true;
	switch (tunnel->obstacle) {
	case LATTICE_PLATE:
		return along >= 0 && along < 8 && across >= -radius &&
		    across <= radius;
	case LATTICE_CYLINDER:
		return along * along + 3 * across * across <=
		    3 * radius * radius;
	default:
		return false;
	}
}

/* Returns 64 bits, each set with a probability of sixteenths / 16. */
static uint64_t
random_biased(uint64_t key, uint64_t place, unsigned sixteenths)
{
	uint64_t bits = 0;

	for (unsigned digit = 0; digit < 4; digit++) {
		uint64_t fair = mix(key ^ mix(place * 4 + digit));

		bits = sixteenths >> digit & 1 ? bits | fair : bits & fair;
	}
	return bits;
}

static void
lattice_fill(struct lattice *slice)
{
	/* Density of each direction, in sixteenths; the wind is eastward. */
	static const unsigned char density[LATTICE_PLANES] = {
		[LATTICE_EAST] = 6,
		[LATTICE_NORTHEAST] = 5,
		[LATTICE_NORTHWEST] = 3,
		[LATTICE_WEST] = 2,
		[LATTICE_SOUTHWEST] = 3,
		[LATTICE_SOUTHEAST] = 5,
		[LATTICE_REST] = 4,
	};
	uint32_t words = slice->tunnel.words;
	uint64_t key = random_key(&slice->tunnel, FILL, 0);

	for (uint32_t row = 0; row < slice->rows; row++)
		for (uint32_t i = 0; i < LATTICE_PLANES * words; i++) {
			uint32_t plane = i / words, word = i % words;
			uint64_t place = (uint64_t)(slice->first + row) *
				LATTICE_PLANES * words +
			    i;

			lattice_at(slice, row, plane)[word] =
			    random_biased(key, place, density[plane]) &
			    ~slice->solid[row * words + word];
		}
}

static void
lattice_build(struct lattice *slice)
{
	uint32_t sites = slice->tunnel.words * LATTICE_WORD_SITES;

	for (uint32_t row = 0; row < slice->rows; row++)
		for (uint32_t x = 0; x < sites; x++) {
			size_t site = (size_t)row * sites + x;
			uint64_t solid =
			    site_solid(&slice->tunnel, slice->first + row, x);

			slice->solid[site / LATTICE_WORD_SITES] |= solid
			    << site % LATTICE_WORD_SITES;
		}
}

bool
lattice_init(struct lattice *slice, const struct lattice_tunnel *tunnel,
    uint32_t first, uint32_t rows)
{
	size_t row = tunnel->words * LATTICE_PLANES;

	*slice = (struct lattice){
		.tunnel = *tunnel,
		.first = first,
		.rows = rows,
		.now = calloc((size_t)rows + 2, row * sizeof(uint64_t)),
		.next = calloc((size_t)rows + 2, row * sizeof(uint64_t)),
		.solid = calloc(rows, tunnel->words * sizeof(uint64_t)),
	};
	if (slice->now == NULL || slice->next == NULL || slice->solid == NULL)
		return false;
	lattice_build(slice);
	lattice_fill(slice);
	return true;
}

void
lattice_fini(struct lattice *slice)
{
	free(slice->now);
	free(slice->next);
	free(slice->solid);
}

/*
 * Collides 64 sites; n[0] to n[5] are the directions in order, n[6] is rest.
 *
 *	two head-on, none else moving	both rotate by 60 degrees, left or
 *					right as `coin` says
 *	three at 120 degrees		all rotate by 60 degrees
 *	one moving, one at rest		two, 60 degrees to either side
 *	two at 120 degrees, none at rest	one between them, one at rest
 *
 * These cases exclude each other, so all changes are applied at once.  Each
 * keeps the number and the momentum of the particles.
 */
static void
word_collide(uint64_t n[LATTICE_PLANES], uint64_t coin)
{
	uint64_t ones = 0, twos = 0, fours = 0; /* number moving, in binary */
	uint64_t rest = n[LATTICE_REST], change_rest = 0;
	uint64_t one, two, three;
	uint64_t pair[3], bend[6];

	for (unsigned i = 0; i < 6; i++) {
		uint64_t carry = ones & n[i];

		ones ^= n[i];
		fours |= twos & carry;
		twos ^= carry;
	}
	one = ones & ~twos & ~fours;
	two = ~ones & twos & ~fours;
	three = (n[0] ^ n[1]) & (n[1] ^ n[2]) & (n[2] ^ n[3]) & (n[3] ^ n[4]) &
	    (n[4] ^ n[5]);
	for (unsigned i = 0; i < 3; i++)
		pair[i] = two & n[i] & n[i + 3];
	for (unsigned i = 0; i < 6; i++) {
		bend[i] = (one & rest & n[i]) |
		    (two & ~rest & n[(i + 1) % 6] & n[(i + 5) % 6]);
		change_rest |= bend[i];
	}
	for (unsigned i = 0; i < 6; i++)
		n[i] ^= three | pair[i % 3] | (pair[(i + 1) % 3] & coin) |
		    (pair[(i + 2) % 3] & ~coin) | bend[i] | bend[(i + 1) % 6] |
		    bend[(i + 5) % 6];
	n[LATTICE_REST] ^= change_rest;
}

/* Reflects the particles of solid sites. */
static void
word_reflect(uint64_t n[LATTICE_PLANES], const uint64_t before[LATTICE_PLANES],
    uint64_t solid)
{
	for (unsigned i = 0; i < 6; i++)
		n[i] = (n[i] & ~solid) | (before[(i + 3) % 6] & solid);
	n[LATTICE_REST] =
	    (n[LATTICE_REST] & ~solid) | (before[LATTICE_REST] & solid);
}

/* The fan: reverses particles that move left if the opposite bit is free. */
static void
word_blow(uint64_t n[LATTICE_PLANES], uint64_t where)
{
	static const unsigned char opposite[3][2] = {
		{ LATTICE_WEST, LATTICE_EAST },
		{ LATTICE_NORTHWEST, LATTICE_NORTHEAST },
		{ LATTICE_SOUTHWEST, LATTICE_SOUTHEAST },
	};

	for (unsigned i = 0; i < 3; i++) {
		uint64_t *left = &n[opposite[i][0]];
		uint64_t *right = &n[opposite[i][1]];
		uint64_t reversed = *left & ~*right & where;

		*left ^= reversed;
		*right ^= reversed;
	}
}

void
lattice_collide(struct lattice *slice, uint32_t step)
{
	uint32_t words = slice->tunnel.words;
	uint64_t coins = random_key(&slice->tunnel, COLLISION, step);
	uint64_t fan = random_key(&slice->tunnel, FAN, step);

	for (uint32_t row = 0; row < slice->rows; row++)
		for (uint32_t word = 0; word < words; word++) {
			uint32_t y = slice->first + row;
			uint64_t *site = lattice_at(slice, row, 0) + word;
			uint64_t solid = slice->solid[row * words + word];
			uint64_t n[LATTICE_PLANES], before[LATTICE_PLANES];

			for (unsigned i = 0; i < LATTICE_PLANES; i++)
				n[i] = before[i] = site[i * words];
			word_collide(n, random_word(coins, y, word));
			word_reflect(n, before, solid);
			/* The fan is at the first site of each row. */
			if (word == 0)
				word_blow(n,
				    random_word(fan, y, 0) & ~solid & 1);
			for (unsigned i = 0; i < LATTICE_PLANES; i++)
				site[i * words] = n[i];
		}
}

/* Copies a row, shifted one site to the right; the row is a ring. */
static void
row_right(uint64_t *to, const uint64_t *from, uint32_t words)
{
	uint64_t carry = from[words - 1] >> 63;

	for (uint32_t i = 0; i < words; i++) {
		to[i] = from[i] << 1 | carry;
		carry = from[i] >> 63;
	}
}

static void
row_left(uint64_t *to, const uint64_t *from, uint32_t words)
{
	uint64_t carry = from[0] << 63;

	for (uint32_t i = words; i-- > 0;) {
		to[i] = from[i] >> 1 | carry;
		carry = from[i] << 63;
	}
}

static void
row_stay(uint64_t *to, const uint64_t *from, uint32_t words)
{
	memcpy(to, from, words * sizeof(*to));
}

/*
 * Fills one row of `next` from the three rows of `now` around it.  A diagonal
 * move goes half a site to the side, and odd rows are shifted half a site to
 * the right.  So a particle that comes to an odd row keeps its site number
 * when it moves right, and has one less when it moves left.  In an even row
 * it has one more when it moves right, and keeps the number when it moves
 * left.
 */
static void
row_move(struct lattice *slice, uint32_t row)
{
	uint32_t words = slice->tunnel.words;
	uint64_t *to = slice->next + (row + 1) * LATTICE_PLANES * words;
	const uint64_t *here = lattice_at(slice, row, 0);
	const uint64_t *above = lattice_at(slice, (int64_t)row - 1, 0);
	const uint64_t *below = lattice_at(slice, (int64_t)row + 1, 0);
	bool odd = (slice->first + row) & 1;
	void (*east)(uint64_t *, const uint64_t *, uint32_t) =
	    odd ? row_stay : row_right;
	void (*west)(uint64_t *, const uint64_t *, uint32_t) =
	    odd ? row_left : row_stay;

	row_right(to + LATTICE_EAST * words, here + LATTICE_EAST * words,
	    words);
	row_left(to + LATTICE_WEST * words, here + LATTICE_WEST * words, words);
	row_stay(to + LATTICE_REST * words, here + LATTICE_REST * words, words);
	east(to + LATTICE_NORTHEAST * words, below + LATTICE_NORTHEAST * words,
	    words);
	east(to + LATTICE_SOUTHEAST * words, above + LATTICE_SOUTHEAST * words,
	    words);
	west(to + LATTICE_NORTHWEST * words, below + LATTICE_NORTHWEST * words,
	    words);
	west(to + LATTICE_SOUTHWEST * words, above + LATTICE_SOUTHWEST * words,
	    words);
}

void
lattice_move(struct lattice *slice)
{
	uint64_t *now = slice->now;

	for (uint32_t row = 0; row < slice->rows; row++)
		row_move(slice, row);
	slice->now = slice->next;
	slice->next = now;
}

struct lattice_sums
lattice_sums(const struct lattice *slice)
{
	static const signed char speed[LATTICE_PLANES] = {
		[LATTICE_EAST] = 2,
		[LATTICE_NORTHEAST] = 1,
		[LATTICE_NORTHWEST] = -1,
		[LATTICE_WEST] = -2,
		[LATTICE_SOUTHWEST] = -1,
		[LATTICE_SOUTHEAST] = 1,
	};
	struct lattice_sums sums = { 0, 0, 0 };
	uint32_t words = slice->tunnel.words;

	for (uint32_t row = 0; row < slice->rows; row++)
		for (uint32_t i = 0; i < LATTICE_PLANES * words; i++) {
			uint64_t bits = lattice_at(slice, row, 0)[i];
			uint64_t count = (uint64_t)__builtin_popcountll(bits);
			uint64_t place = (uint64_t)(slice->first + row) *
				LATTICE_PLANES * words +
			    i;

			sums.particles += count;
			sums.wind +=
			    count * (uint64_t)(int64_t)speed[i / words];
			sums.checksum += mix(bits ^ mix(place));
		}
	return sums;
}
