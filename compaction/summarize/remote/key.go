package remote

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/zalando/go-keyring"
)

// KeyRef names the place of a key. The key itself is in no setting, preset,
// record, export or log.
type KeyRef struct {
	Env     string `json:"env,omitempty"`     // environment variable
	Keyring string `json:"keyring,omitempty"` // account in the key store of the system
}

// keyringService is the name under which the system's key store lists our keys.
const keyringService = "palimpsest"

// lookup finds the key: in the system's key store when one is named there, else
// or when that fails in the environment.
func (r KeyRef) lookup() (string, error) {
	var stored error
	if r.Keyring != "" {
		key, err := keyring.Get(keyringService, r.Keyring)
		if err == nil {
			return clean(key)
		}
		stored = err
	}
	if r.Env != "" {
		if key := os.Getenv(r.Env); key != "" {
			return clean(key)
		}
		return "", fmt.Errorf("the variable %s is not set", r.Env)
	}
	switch {
	case errors.Is(stored, keyring.ErrNotFound):
		return "", fmt.Errorf("the key store of this system holds no key named %q", r.Keyring)
	case stored != nil:
		return "", fmt.Errorf("the key store of this system can't be read: %w", stored)
	}
	return "", nil
}

// clean takes the line break off that pasted and piped keys end with. A key
// that no header can carry is refused here: the error of the HTTP library would
// quote it.
func clean(key string) (string, error) {
	key = strings.TrimSpace(key)
	for _, r := range key {
		if r < 0x21 || r > 0x7e {
			return "", errors.New("the key holds a character that no key has; was something else copied with it?")
		}
	}
	return key, nil
}

// SaveKey puts a key into the key store of the system.
func SaveKey(account, key string) error {
	key, err := clean(key)
	if err != nil {
		return err
	}
	if err := keyring.Set(keyringService, account, key); err != nil {
		return fmt.Errorf("the key store of this system took no key: %w", err)
	}
	return nil
}
