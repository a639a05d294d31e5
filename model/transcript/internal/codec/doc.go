// Package codec is what the transcript formats share to read: cutting a source
// into records, finding conversations in it, building messages and threads, and
// decoding parts. What they share to write is package edit, below this one.
//
// [Format] is what a format implements; whoever adds one begins there. The
// formats are in the packages beside this one, one package a family.
package codec
