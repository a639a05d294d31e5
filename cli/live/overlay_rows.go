package live

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"palimpsest/model/store"
)

// unpack reads an overlay that covers the first messages of a request.
func (c *Compactor) unpack(row *store.Overlay, of int) (*overlay, error) {
	if o, ok := c.kept.get(row.Chain); ok && o.record == row.Record {
		return o, nil
	}
	r, err := zstd.NewReader(bytes.NewReader(row.Body), zstd.WithDecoderMaxMemory(mostBody))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	o := &overlay{chain: row.Chain, of: of, record: row.Record}
	if err := json.NewDecoder(r).Decode(&o.pieces); err != nil {
		return nil, fmt.Errorf("the overlay of %s can't be read: %w", row.Record, err)
	}
	for _, x := range o.pieces {
		if x.Msg >= of || x.Msg < 0 && len(x.Text) == 0 {
			return nil, fmt.Errorf("the overlay of %s is damaged", row.Record)
		}
	}
	c.kept.put(row.Chain, o)
	return o, nil
}

// packOverlay spells the pieces; their texts keep their bytes.
func packOverlay(o *overlay) ([]byte, error) {
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out)
	if err != nil {
		return nil, err
	}
	if err := json.NewEncoder(w).Encode(o.pieces); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}
