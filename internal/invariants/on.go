//go:build invariants

// Package invariants switches expensive self-checks at build time.
package invariants

// Enabled is true in builds with the tag invariants.
const Enabled = true
