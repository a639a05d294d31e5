package main

import (
	"fmt"
	"math"
)

// rng is splitmix64. The standard library's generators may change what they
// return from one release to the next; committed samples must not.
type rng struct{ state uint64 }

func (r *rng) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// n is a number in [0, max).
func (r *rng) n(max int) int { return int(r.next() % uint64(max)) }

// between is a number in [low, high].
func (r *rng) between(low, high int) int { return low + r.n(high-low+1) }

// chance is true in percent of the cases.
func (r *rng) chance(percent int) bool { return r.n(100) < percent }

// pick takes one of the choices.
func pick[T any](r *rng, choices ...T) T { return choices[r.n(len(choices))] }

// hex is n random hexadecimal digits.
func (r *rng) hex(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "0123456789abcdef"[r.n(16)]
	}
	return string(b)
}

// base62 is n random letters and digits, as ids have them.
func (r *rng) base62(n int) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	b := make([]byte, n)
	for i := range b {
		b[i] = digits[r.n(len(digits))]
	}
	return string(b)
}

// uuid is a random UUID of version 4.
func (r *rng) uuid() string {
	return fmt.Sprintf("%s-%s-4%s-%s%s-%s", r.hex(8), r.hex(4), r.hex(3), string("89ab"[r.n(4)]), r.hex(3), r.hex(12))
}

// decimal is a number in [low, high] with so many digits behind the point.
func (r *rng) decimal(low, high, digits int) string {
	scale := int(math.Pow10(digits))
	v := r.between(low*scale, high*scale)
	return fmt.Sprintf("%d.%0*d", v/scale, digits, v%scale)
}
