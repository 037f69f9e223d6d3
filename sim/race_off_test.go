//go:build !race

package sim

// raceDetector tells that the race detector watches this test binary.
const raceDetector = false
