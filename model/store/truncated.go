package store

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// cutShort is how many bytes a database lacks at its end, by what its first page
// says (https://www.sqlite.org/fileformat.html#the_database_header): SQLite reads
// nothing of a file that is shorter than that.
func cutShort(path string) (missing int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	head := make([]byte, 100)
	if _, err := io.ReadFull(f, head); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, nil // not even the header: there is nothing to save
		}
		return 0, err
	}
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 65536
	}
	const most = 1 << 40 // a damaged header may say anything
	whole := page * int64(binary.BigEndian.Uint32(head[28:]))
	if whole <= info.Size() || whole > most {
		return 0, nil
	}
	return whole - info.Size(), nil
}

// pad copies a database and its log to a file that is as long as the database
// was. The pages that are missing hold nothing, so that only what stood on them
// can't be read.
func pad(from, to string, missing int64) error {
	if err := copyWithLog(from, to); err != nil {
		return err
	}
	info, err := os.Stat(to)
	if err != nil {
		return err
	}
	return os.Truncate(to, info.Size()+missing)
}
