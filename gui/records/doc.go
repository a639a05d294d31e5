// Package records is the screen of stored compactions.
package records
