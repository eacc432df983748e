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

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	for _, id := range []string{"0002", "0001"} {
		if err := Write(dir, Job{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	jobs, err := Load(dir)
	if err != nil || len(jobs) != 2 || jobs[0].ID != "0001" {
		t.Fatalf("得到 %v, %v", jobs, err)
	}
}

func TestLoadMissingDir(t *testing.T) {
	jobs, err := Load(filepath.Join(t.TempDir(), "none"))
	if err != nil || len(jobs) != 0 {
		t.Fatalf("得到 %v, %v", jobs, err)
	}
}
