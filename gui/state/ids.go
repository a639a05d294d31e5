package state

import "palimpsest/model"

// RecordIDs are the IDs of records, in their order.
func RecordIDs(list []*model.Record) []string {
	ids := make([]string, len(list))
	for i, r := range list {
		ids[i] = r.ID
	}
	return ids
}
