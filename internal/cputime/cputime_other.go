//go:build !unix

package cputime

import "time"

// Known reports whether this system tells the time.
const Known = false

// Used returns 0.
func Used() time.Duration { return 0 }
