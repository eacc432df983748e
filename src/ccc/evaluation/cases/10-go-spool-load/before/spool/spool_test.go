package spool

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, Job{ID: "0001", To: "a@example.org"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "0001.json")); err != nil {
		t.Fatal(err)
	}
}
