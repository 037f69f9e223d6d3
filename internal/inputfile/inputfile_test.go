package inputfile

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Devices, and sockets as pipes, are refused at once by their name; files are read, folders and what
// is missing have the errors of the operating system.
func TestWhatNeverEndsIsRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	if b, err := Read(file); err != nil || string(b) != "text" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := Read(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
	if _, err := Read(dir); err == nil || Endless(dir) != "" {
		t.Errorf("a folder: %v, %q", err, Endless(dir))
	}
	socket := filepath.Join(dir, "socket")
	if l, err := net.Listen("unix", socket); err == nil {
		defer l.Close()
	} else {
		t.Log(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Skip(err)
	}
	for path, want := range map[string]string{link: "a device", socket: "a pipe or a socket"} {
		if _, err := os.Stat(path); err != nil {
			t.Log(err)
			continue
		}
		begin := time.Now()
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), path+" is "+want+", not a file") {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
		if d := time.Since(begin); d > time.Second {
			t.Errorf("%s: refused after %v", path, d)
		}
	}
}
