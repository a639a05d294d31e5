package facts

// BuildInBatches is [Build] with batches of so many bytes.
var BuildInBatches = build

// Remembered is how many places a lister knows what may be listed at.
func Remembered(l *Lister) int { return len(l.offers) }
