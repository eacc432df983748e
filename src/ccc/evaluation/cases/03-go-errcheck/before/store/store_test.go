package store

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSave(t *testing.T) {
	dir := t.TempDir()
	if err := Save(dir, "a.txt", "milk\n"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "a.txt"))
	if err != nil || string(got) != "milk\n" {
		t.Fatalf("read %q, %v", got, err)
	}
}
