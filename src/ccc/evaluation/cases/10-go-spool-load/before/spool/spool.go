// Package spool 在磁盘上保存待发任务。
package spool

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// Job 是一封待发的信。
type Job struct {
	ID   string `json:"id"`
	To   string `json:"to"`
	Body string `json:"body"`
}

// Write 把任务写入 dir。
func Write(dir string, job Job) error {
	data, err := json.Marshal(job)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, job.ID+".json"), data, 0o600)
}
