//go:build !unix

package cputime

import "time"

// Known reports whether this system has the time.
const Known = false

// Used returns 0.
func Used() time.Duration { return 0 }
