package replay

// What the tests of real histories need of those on random ones.
var (
	Define = define
	Same   = same
)
