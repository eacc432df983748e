// Package store writes notes to disk.
package store

import (
	"errors"
	"os"
	"path/filepath"
)

// Save writes text to name in dir by way of a temporary file.
func Save(dir, name, text string) error {
	f, err := os.CreateTemp(dir, ".note-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // tidying up; the error above is the one that matters
	}
	return err
}
