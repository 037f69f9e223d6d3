// Package inputfile opens files that a user named, or that lie in a folder of results. Reading a
// device such as /dev/zero may never end, and opening a pipe waits for a program at its other end:
// both are refused by name before they are opened.
package inputfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Endless says what is at a path where reading it may never end: "a device", "a pipe or a socket".
// It returns "" for files, folders, and where there is nothing. Links are followed.
func Endless(path string) string {
	st, err := os.Stat(path)
	switch {
	case err != nil || st.IsDir() || st.Mode().IsRegular():
		return ""
	case st.Mode()&fs.ModeDevice != 0:
		return "a device"
	}
	return "a pipe or a socket"
}

// Open opens a file for reading. It refuses devices, pipes and sockets.
func Open(path string) (*os.File, error) {
	if what := Endless(path); what != "" {
		return nil, fmt.Errorf("%s is %s, not a file: write its content to a file first", path, what)
	}
	return os.Open(path)
}

// Read returns the content of a file that Open opens.
func Read(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
