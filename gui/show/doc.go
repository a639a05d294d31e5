// Package show is how values are said and drawn on every screen: tokens, fates, reasons,
// policies, facts, errors.
package show
