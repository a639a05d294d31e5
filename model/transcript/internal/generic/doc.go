// Package generic reads JSON of no known format by a field map: paths to the
// messages and their parts, given by a person or guessed.
package generic
