package model

// TextFile is a file whose text an index knows.
type TextFile struct {
	ID      int64
	Path    string
	Size    int64  // bytes that are indexed, from its begin
	Changed int64  // when it was changed last, in Unix nanoseconds; it is only compared
	Stamp   []byte // a hash of the begin and the end of what is indexed: whether a file only grew
	Decoded bool   // its text is not its bytes: places say nothing of where
	None    bool   // it is no history
}

// TextExtent is a part of a file that a column of a group represents.
type TextExtent struct {
	File     int64 // ID; in a group that is being stored, the index in its files
	Column   int
	Off, Len int64
}

// TextPart is a part of a slice, in bytes.
type TextPart struct{ Slice, Off, Len int }

// TextGroup is the index of some megabytes of text: a table of bits with a row for
// each hash of three bytes that follow one another, and a column for each block of
// text, cut into slices of rows.
type TextGroup struct {
	ID      int64
	Wild    []byte   // a bit a column: it may hold anything
	Slices  [][]byte // nil where all bits are 0
	Extents []TextExtent
}
