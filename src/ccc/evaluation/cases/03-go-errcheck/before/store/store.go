// Package store writes notes to disk.
package store

import (
	"os"
	"path/filepath"
)

// Save writes text to name in dir by way of a temporary file.
func Save(dir, name, text string) error {
	f, err := os.CreateTemp(dir, ".note-*")
	if err != nil {
		return err
	}
	f.WriteString(text)
	f.Close()
	os.Rename(f.Name(), filepath.Join(dir, name))
	return nil
}
