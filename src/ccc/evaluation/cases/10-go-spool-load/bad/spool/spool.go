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

// Load 按文件名顺序读出 dir 中的全部任务。
func Load(dir string) ([]Job, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil
	}
	var jobs []Job
	for _, entry := range entries { // ReadDir 已按文件名排序
		if filepath.Ext(entry.Name()) != ".json" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			continue
		}
		var job Job
		if err := json.Unmarshal(data, &job); err != nil {
			continue
		}
		jobs = append(jobs, job)
	}
	return jobs, nil
}
