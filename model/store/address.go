package store

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/pattern"
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

// CheckAddress refuses what is neither a path nor the address of a server: another
// scheme, another spelling of ours, a list of settings, a name and password without a
// scheme. As a path it would become a new file whose name holds a password. The error
// repeats nothing of it.
func CheckAddress(address string) error {
	why := ""
	switch {
	case IsServer(address):
		if strings.ContainsAny(address, " \t\n") {
			why = "an address holds no spaces"
		}
	case schemeExpr.MatchString(address):
		why = "its scheme is not known, or not spelled as it has to be"
	case settingExpr.MatchString(address):
		why = "it is a list of settings"
	case accountExpr.MatchString(address):
		why = "it holds a name and a password, and no scheme"
	}
	if why == "" {
		return nil
	}
	return &model.Problem{Code: "bad-address", What: "This is no database: " + why + ".",
		Why:  "It is neither the path of a file nor the address of a server.",
		Next: "Give a path (./records.db) or postgres://NAME:PASSWORD@HOST/DATABASE, with its special characters as %XX."}
}

var (
	schemeExpr  = pattern.New(`^[A-Za-z][A-Za-z0-9+.-]+:/`) // one letter is a drive
	settingExpr = pattern.New(`(?i)(?:^|[\s;?&])(?:host|hostaddr|port|user|` +
		`password|dbname|sslmode|sslpassword|passfile|service)\s*=`)
	accountExpr = pattern.New(`^(?:[A-Za-z]+:)?/{0,2}[^/\\@:]+:[^/\\@]+@`)
)

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
	for key := range q {
		if isSecret(key) {
			had = true
			q.Del(key)
		}
	}
	u.RawQuery = q.Encode()
	return u.String(), had
}

// isSecret reports whether a setting of an address is a password: password,
// sslpassword.
func isSecret(key string) bool {
	return strings.Contains(strings.ToLower(key), "pass") && !strings.EqualFold(key, "passfile")
}

// passwordsIn lists the passwords of an address, as it spells them and as they are.
func passwordsIn(address string) []string {
	var out []string
	add := func(spelled string) {
		plain, err := url.QueryUnescape(spelled)
		if err != nil {
			plain = spelled
		}
		for _, s := range []string{spelled, plain, url.QueryEscape(plain), url.PathEscape(plain)} {
			if s != "" && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	_, rest, _ := strings.Cut(address, "://")
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		if _, password, ok := strings.Cut(rest[:at], ":"); ok {
			add(password)
			// a library that takes the address to end there quotes what is before
			if end := strings.IndexAny(password, "/?#"); end > 0 {
				add(password[:end])
			}
		}
	}
	if _, query, ok := strings.Cut(rest, "?"); ok {
		for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' }) {
			if key, value, ok := strings.Cut(pair, "="); ok && isSecret(key) {
				add(value)
			}
		}
	}
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

// withoutPasswords is a message about an address, wherever a library quotes it.
func withoutPasswords(message, address string) string {
	for _, p := range passwordsIn(address) {
		message = strings.ReplaceAll(message, p, "xxxxx")
	}
	return message
}

// ServerError is what went wrong with the server at an address while something was done,
// on one line and without the passwords of the address.
func ServerError(op, address string, err error) error {
	said := strings.Join(strings.Fields(withoutPasswords(err.Error(), address)), " ")
	return &Error{Op: op, Kind: ErrServer, Detail: strings.TrimSuffix(said, "."), Path: redacted(address), Err: errors.New(said)}
}

// redacted is an address that may be shown.
func redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the server"
	}
	q := u.Query()
	for key := range q {
		if isSecret(key) {
			q.Set(key, "xxxxx")
			u.RawQuery = q.Encode()
		}
	}
	return u.Redacted()
}
