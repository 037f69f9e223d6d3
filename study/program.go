package study

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime/debug"
	"sync"
)

// program identifies the program that runs, by a digest of its file. A version would
// not do: it says neither what has changed in a working tree, nor does every build
// have one, and a case that is taken for what another program would make of it is a
// wrong result that nobody sees. A case that is run again without need costs time only.
var program = sync.OnceValue(func() string {
	if digest, err := digestOfFile(os.Executable()); err == nil {
		return digest
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.String()
	}
	return "unknown"
})

func digestOfFile(path string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// inputs is a digest of all that decides what becomes of a case: its scene with
// what that reads and what the case sets, and the program.
func inputs(scene, program string) string {
	h := sha256.Sum256([]byte(scene + "\n" + program))
	return hex.EncodeToString(h[:])
}
