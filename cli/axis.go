package cli

import (
	"fmt"
	"strings"

	"palimpsest/compaction/replay"
)

// axisFlag is "trigger=50..95/9", "tail=2k..32k/7", "batch=0,10,20msgs".
type axisFlag struct{ replay.Axis }

// UnmarshalText reads the axis.
func (x *axisFlag) UnmarshalText(b []byte) (err error) {
	name, values, _ := strings.Cut(strings.ReplaceAll(string(b), " ", ""), "=")
	if values == "" {
		return fmt.Errorf("%q is no axis, as in trigger=50..95/9 or tail=2k,8k,20k; there are %v", b, replay.Params())
	}
	x.Axis, err = replay.ReadAxis(replay.Param(strings.ToLower(name)), "", values)
	return err
}
