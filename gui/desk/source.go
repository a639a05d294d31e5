package desk

import (
	"bytes"
	"io"
)

// bytesSource reads a sample from memory.
func bytesSource(b []byte) io.ReaderAt { return bytes.NewReader(b) }
