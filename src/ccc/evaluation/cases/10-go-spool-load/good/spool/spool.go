// Package spool 在磁盘上保存待发任务。
package spool

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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

// Load 按文件名顺序读出 dir 中的全部任务。dir 不存在视为空队列。
func Load(dir string) ([]Job, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var jobs []Job
	for _, entry := range entries { // ReadDir 已按文件名排序
		if filepath.Ext(entry.Name()) != ".json" {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err // 已含文件名
		}
		var job Job
		if err := json.Unmarshal(data, &job); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		jobs = append(jobs, job)
	}
	return jobs, nil
}
