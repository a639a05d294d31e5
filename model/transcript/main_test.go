package transcript

import (
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"
)

// checkedFormats holds the formats of which a document went through checkDocument.
var checkedFormats sync.Map

// TestMain fails where the tests, run whole, have checked no document of a format, with the real
// files beside the project or without them.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.list").Value.String() == "" {
		for _, f := range Formats() {
			if _, checked := checkedFormats.Load(f.Format); !checked {
				fmt.Printf("FAIL: no test reads a document of the format %s that the project carries\n", f.Format)
				code = 1
			}
		}
	}
	os.Exit(code)
}
