// Package serve lets programs in other languages step scenes: requests and answers are MessagePack frames over a pair
// of pipes or a Unix socket. docs/protocol.md describes them.
//
//	client → frame → decode → request ─┐
//	                                   ├→ method → answer → encode → frame → client
//	client → frame {"do": "interrupt"} ┘ ends the present method
//
// A connection has sessions, each with a scene, a stepper and a state, and vectors of states that are stepped together.
// Its requests are answered one after the other, in their order. When the connection ends, so does all that it has:
// a step that takes long is interrupted.
package serve
