package store

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// DefaultPath is where the database is unless a person chooses another place:
// $XDG_DATA_HOME/palimpsest/palimpsest.db or ~/.local/share/palimpsest/… on
// Unix, the user's application folder on Windows and macOS.
func DefaultPath() (string, error) {
	dir, err := dataDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for the database: %w; name a database yourself", err)
	}
	return filepath.Join(dir, "palimpsest", "palimpsest.db"), nil
}

func dataDir() (string, error) {
	switch runtime.GOOS {
	case "windows", "darwin", "ios", "plan9":
		return os.UserConfigDir()
	}
	// The specification has a relative folder ignored.
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".local", "share"), nil
}

// IsServer reports whether a path is the address of a server, postgres://….
func IsServer(path string) bool {
	return strings.HasPrefix(path, "postgres://") || strings.HasPrefix(path, "postgresql://")
}

// WithoutPassword is an address of a server as it may be kept and shown; a path
// is returned as it is. had reports whether there was a password in it. An address
// that can't be read becomes "".
func WithoutPassword(address string) (shown string, had bool) {
	if !IsServer(address) {
		return address, false
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", true
	}
	if u.User != nil {
		_, had = u.User.Password()
		u.User = url.User(u.User.Username())
	}
	q := u.Query()
	for _, secret := range []string{"password", "sslpassword"} {
		had = had || q.Has(secret)
		q.Del(secret)
	}
	u.RawQuery = q.Encode()
	return u.String(), had
}

// redacted is an address that may be shown.
func redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the server"
	}
	if q := u.Query(); q.Has("password") {
		q.Set("password", "xxxxx")
		u.RawQuery = q.Encode()
	}
	return u.Redacted()
}
