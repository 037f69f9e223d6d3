//go:build race

package sim

// raceDetector says that the race detector watches this test binary.
const raceDetector = true
