package replay

import "palimpsest/model/tokens"

// CostAt is what the input of all calls and the summaries cost, in tokens of fresh input.
// What is read from the prompt cache is cheaper, unless a pause was longer than the
// cache lives. The agent's own output is left out: it is the same under every policy.
func (t Totals) CostAt(r tokens.Rates) float64 {
	if r == (tokens.Rates{}) {
		r = tokens.RatesFor("")
	}
	return float64(t.CacheRead-t.Expired)*r.Read + float64(t.CacheWrite+t.Expired)*r.Write +
		float64(t.ModelInput) + float64(t.ModelOutput)*r.Output
}
