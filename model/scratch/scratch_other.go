//go:build !linux

package scratch

import (
	"errors"
	"os"
)

func anonymous(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func descriptor(f *os.File) string { return f.Name() }

func link(*os.File, string) error { return errors.ErrUnsupported }
