package spool

import (
	"os"
	"path/filepath"
	"strings"
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

func TestLoadBroken(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "0007.json"), []byte(`{"id": "00`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "0007.json") {
		t.Fatalf("得到 %v，应为带文件名的错误", err)
	}
}
