package store

import (
	"strings"
	"testing"
)

// A mistyped server is refused, not made into a file; a path stays one.
func TestCheckAddress(t *testing.T) {
	for _, bad := range []string{"mysql://bob:S3cretPw@h/db", "POSTGRES://bob:S3cretPw@h/db", "postgres:/bob:S3cretPw@h/db", "Postgresql://h/db",
		"host=127.0.0.1 port=1 password=S3cretPw user=x", "password=S3cretPw", "bob:S3cretPw@h/db", "//bob:S3cretPw@h/db", "postgres:bob:S3cretPw@h/db",
		"postgres://bob:S3 cretPw@127.0.0.1:1/db", "file:///tmp/x.db", "dbname=x"} {
		err := CheckAddress(bad)
		if err == nil {
			t.Errorf("%q was taken", bad)
			continue
		}
		if text := err.Error(); strings.Contains(text, "cretPw") || !strings.Contains(text, "postgres://NAME") || !strings.Contains(text, "./records.db") {
			t.Errorf("%q: %s", bad, text)
		}
		if _, err := Open(bad); err == nil || strings.Contains(err.Error(), "cretPw") {
			t.Errorf("%q was opened: %v", bad, err)
		}
	}
	for _, good := range []string{"records.db", "./a/b.db", "/srv/mail@host/x.db", `C:\data\x.db`, "C:/data/x.db", "~/host/x.db", "a=b.db",
		"postgres://bob:S3cretPw@h/db", "postgresql://h/db?sslmode=disable", "日本/x.db", "my file.db"} {
		if err := CheckAddress(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}

// No message has a password, however the address spells it.
func TestNoPasswordInMessages(t *testing.T) {
	for _, address := range []string{"postgres://bob:S3cretPw@127.0.0.1:1/db?sslpassword=S3cretPw2&sslkey=/x", "postgres://bob:S3cret%50w@127.0.0.1:1/db?sslmode=zzz",
		"postgres://bob:S3cretPw%zz@h/db", "postgres://127.0.0.1:1/db?password=S3cretPw&user=x", "postgres://bob:S3cretPw@127.0.0.1:99999999/db",
		"postgres://bob:S3cretPw@127.0.0.1:1/db?SSLPASSWORD=S3cretPw2", "postgres://127.0.0.1:1/db?sslpassword=S3%63retPw2&sslkey=/x&sslcert=/y",
		"postgres://bob:S3cretPw/x@h/db", "postgres://bob:S3cretPw#x@h/db", "postgres://bob:S3cretPw?x@h/db"} {
		_, err := Open(address)
		if err == nil {
			t.Fatalf("%s was opened", address)
		}
		if strings.Contains(err.Error(), "cretPw") || strings.Contains(err.Error(), "cret%50w") || strings.Contains(err.Error(), "%63ret") {
			t.Errorf("%s: %v", address, err)
		}
		if shown, _ := WithoutPassword(address); strings.Contains(shown, "cretPw") || strings.Contains(shown, "cret%50w") {
			t.Errorf("%s is shown as %s", address, shown)
		}
	}
}
