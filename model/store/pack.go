package store

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"github.com/klauspost/compress/zstd"
	"sync"
)

// blockSize is the length of a block before it is packed. Histories grow at
// their end, so cuts at fixed places already share all but the last block of
// two versions; cuts found in the content would also share what follows an
// insertion, which append-only files don't have, at the price of a rolling hash
// over every byte. 256 kB is where zstd at its fastest level reaches 4 : 1 on
// transcripts; smaller blocks pack worse.
const blockSize = 256 << 10

// How the data of a block is spelled.
const (
	codecRaw  = 0
	codecZstd = 1
)

// packer packs blocks and record bodies with zstd, unpacker is its inverse. Both
// serve any number of goroutines and databases.
var (
	packer = sync.OnceValue(func() *zstd.Encoder {
		return must(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(blockSize)))
	})
	unpacker = sync.OnceValue(func() *zstd.Decoder {
		// The bound keeps a damaged database from asking for any amount of memory.
		return must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<30)))
	})
)

func must[T any](made T, err error) T {
	if err != nil {
		panic(err) // one of the options above is wrong
	}
	return made
}

// packBlock packs plain, or leaves it as it is when that would not make it smaller.
func packBlock(plain []byte) (codec int, data []byte) {
	data = packer().EncodeAll(plain, make([]byte, 0, len(plain)/2))
	if len(data) >= len(plain) {
		return codecRaw, plain
	}
	return codecZstd, data
}

// unpackBlock is the plain block, in the memory of buf, after checking it against
// its length and SHA-256. Any difference is [ErrCorrupt].
func unpackBlock(b *blockRow, buf []byte) (plain []byte, err error) {
	switch b.Codec {
	case codecRaw:
		plain = b.Data
	case codecZstd:
		if plain, err = unpacker().DecodeAll(b.Data, buf[:0]); err != nil {
			return nil, &Error{Kind: ErrCorrupt, Detail: fmt.Sprintf("block %x can't be unpacked", short(b.SHA)), Err: err}
		}
	default:
		return nil, failure(ErrCorrupt, "block %x is packed by an unknown method %d", short(b.SHA), b.Codec)
	}
	sum := sha256.Sum256(plain)
	if len(plain) != b.Size || !bytes.Equal(sum[:], b.SHA) {
		return nil, failure(ErrCorrupt, "block %x holds other bytes than were stored", short(b.SHA))
	}
	return plain, nil
}

// short is enough of a hash to recognise it by.
func short(sha []byte) []byte { return sha[:min(len(sha), 6)] }
