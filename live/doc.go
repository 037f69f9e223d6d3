// Package live runs a scene in real time for people who watch it and change it.
//
// A Session owns stepper and state and steps them on one goroutine, paced to the clock. Viewers
// send Commands and receive Snapshots:
//
//	viewer → Send → commands ─┐                      ┌→ Next → frame of the newest snapshot
//	viewer → Send → commands ─┴→ Session.Run: step ──┴→ Next → …
//
// A viewer that is slow misses snapshots; the session never waits for one. All viewers see the same
// run. Inputs of operators get the number of the step before which they act, and are kept: a run of
// the scene with them (curlfree run --inputs) has the same bits, whatever the clock did.
//
// A Server shows a session to browsers over HTTP and WebSocket: server.go says what it refuses.
package live
