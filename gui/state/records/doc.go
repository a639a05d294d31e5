// Package records is the list of records, what is ticked in it, and the record looked at.
package records
