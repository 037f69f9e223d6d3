package study

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime/debug"
	"sync"

	"github.com/curlfree/curlfree/internal/inputfile"
)

// The result of a case is kept as long as its fingerprint is unchanged,
//
//	fingerprint = SHA-256(scene fingerprint, program digest)                       (1)
//
// The scene fingerprint covers the scene file with its overrides and every file that
// the scene reads (scene.Scene.Fingerprint). The program digest is that of the
// executable file. A version number would not serve: it does not cover uncommitted
// changes, and not every build has one. Two programs that differ may compute different
// results, and a table that mixes them would be wrong without any sign of it; running a case
// again without need only costs time.

// programDigest returns the digest of the running program, in hexadecimal. Where the
// executable cannot be read, its build information is used instead.
var programDigest = sync.OnceValue(func() string {
	if digest, err := digestOfFile(os.Executable()); err == nil {
		return digest
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.String()
	}
	return "unknown"
})

// digestOfFile returns the SHA-256 of a file. It takes an error so that it can follow
// os.Executable directly.
func digestOfFile(path string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	f, err := inputfile.Open(path)
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

// fingerprint returns (1).
func fingerprint(scene, program string) string {
	h := sha256.Sum256([]byte(scene + "\n" + program))
	return hex.EncodeToString(h[:])
}
