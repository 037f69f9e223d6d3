package study

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// On a full disk cases have no result, the error says so, and they run when there is room again.
func TestAFullDiskLosesNoResultOfAPlan(t *testing.T) {
	s := bounce(t)
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=400k"); err != nil {
		t.Skipf("mounting is not permitted here: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	p := planned(t, s, dir)
	if _, err := p.Exec(t.Context(), []int{0}, Options{Jobs: 1, Program: "a"}); err != nil {
		t.Fatal(err)
	}
	// fill the disk
	path := filepath.Join(dir, "full")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	f.Close()
	_, err = p.Exec(t.Context(), everything(p), Options{Jobs: 1, Program: "a"})
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "case 1") {
		t.Errorf("got %v", err)
	}
	if at := p.Status(true); at.Done != 1 || at.Failed+at.Damaged != 0 {
		t.Errorf("%+v", at)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Exec(t.Context(), everything(p), Options{Jobs: 1, Program: "a"}); err != nil {
		t.Error(err)
	}
	if at := p.Status(true); at.Done != 6 {
		t.Errorf("%+v", at)
	}
}
