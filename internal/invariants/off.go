//go:build !invariants

// Package invariants switches expensive self-checks at build time: build with
// the tag invariants to have them.
package invariants

// Enabled is true in builds with the tag invariants.
const Enabled = false
