// Package cputime reports the CPU time of a benchmark. On a machine that
// others use, too, the time on the clock says how busy they are; the ratio of two
// CPU times says how good a program is. Only tests import it.
package cputime

import "testing"

// Unit is that of the metric.
const Unit = "cpu-ns/op"

// Report begins to measure; the function it gives ends it and reports. It is
// called behind all that is made ready, and deferred.
func Report(b *testing.B) func() {
	from := Process()
	return func() {
		if d := Process() - from; d > 0 && b.N > 0 {
			b.ReportMetric(float64(d.Nanoseconds())/float64(b.N), Unit)
		}
	}
}
