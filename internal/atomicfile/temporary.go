package atomicfile

import (
	"errors"
	"os"
	"sync"
)

// A program that a signal ends runs no deferred calls. So temporary files and folders are listed here while they exist,
// and Discard removes them.

// temporary are the temporary files and folders of the process.
var temporary = struct {
	sync.Mutex
	paths   map[string]bool
	writing int  // files that are written
	ended   bool // Discard was called
}{paths: map[string]bool{}}

// errEnded is the error of files that are begun after Discard.
var errEnded = errors.New("the program ends")

// create makes a temporary file or folder and lists it, so that no path exists that is not listed.
func create(file int, make func() (string, error)) (string, error) {
	temporary.Lock()
	defer temporary.Unlock()
	if temporary.ended {
		return "", errEnded
	}
	path, err := make()
	if err == nil {
		temporary.paths[path] = true
		temporary.writing += file
	}
	return path, err
}

// forget removes a path from the list; file is 1 where it was that of a file.
func forget(file int, path string) {
	temporary.Lock()
	defer temporary.Unlock()
	delete(temporary.paths, path)
	temporary.writing -= file
}

// Saving counts as a file that is being written until done is called: for what belongs to it, and must not end in the
// middle.
func Saving() (done func()) {
	temporary.Lock()
	defer temporary.Unlock()
	temporary.writing++
	return func() {
		temporary.Lock()
		defer temporary.Unlock()
		temporary.writing--
	}
}

// TempDir makes a folder among the temporary files of the system, as os.MkdirTemp does. remove removes it with all that
// it contains.
func TempDir(pattern string) (dir string, remove func(), err error) {
	dir, err = create(0, func() (string, error) { return os.MkdirTemp("", pattern) })
	return dir, func() {
		os.RemoveAll(dir)
		forget(0, dir)
	}, err
}

// Writing returns the number of files that are being written.
func Writing() int {
	temporary.Lock()
	defer temporary.Unlock()
	return temporary.writing
}

// Discard removes all temporary files and folders, as a program does before it ends without returning from what it
// does. Files cannot be written afterwards.
func Discard() {
	temporary.Lock()
	defer temporary.Unlock()
	temporary.ended = true
	for path := range temporary.paths {
		os.RemoveAll(path)
	}
}
