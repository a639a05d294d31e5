// Package report writes records for people and spreadsheets: CSV, one row a
// record, and Markdown. Both are for reading; what can be imported
// again is the store's export.
//
// Numbers that a record does not have are empty in CSV and "not recorded" in
// Markdown, never 0. Both functions write as they go and stop at the first error
// of the list or of the writer.
package report
