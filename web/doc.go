// Package web shows runs in a browser: the page, the format of what it is sent, and the
// export of a recording as one file.
//
// # The page and its sources
//
// The page is written as plain modules in web/page and bundled into web/dist, which is
// part of the repository, so that building the program needs Go alone. A page is given
// frames by a source, an object with
//
//	scene              the scene, see Scene
//	length, times      number and times of the frames that can be asked for; growing where live
//	frame(k)           promise of the decoded frame k
//	signals            {names, units, time, values}: columns for the charts
//	live               true where frames come by themselves; then listen(do) calls do(frame)
//
// and there are three: source_embedded.js reads frames that the page's own file has,
// source_http.js asks the server of a recorded run for them, source_live.js is sent them
// over a WebSocket. A page chooses by the element with the id "curlfree-source", which
// WritePage fills in: {"kind": "live", "path": "ws"} and so on.
//
// A source may have controls(app), which adds panels, buttons and keys; app.js says what
// an app offers, view.js what the picture does. The controls of live runs are in
// live_controls.js.
//
// # Format of a frame
//
// A scene travels as JSON, a frame as one binary message. Numbers are little-endian.
//
//	kind       1 byte   'F'
//	flags      1 byte   1: key frame
//	time       8 bytes  float64, s
//	step       4 bytes  uint32
//	signals    4 bytes each, float32, as many as Scene.Signals; NaN: unknown
//	stats      4 bytes each, float32, as many as Scene.Stats
//	poses      columns x, y, z on the grid of positions; w, x, y, z on that of rotations
//	vertices   for each deformable: columns x, y, z on the grid of positions
//	fields     count, 1 byte; for each: index in Scene.Fields, 1 byte; for each deformable
//	           an exponent and, unless it is 0, a byte of levels for each vertex
//	contacts   count; bodies A + 1, B + 1 of each; columns x, y, z of points; exponent;
//	           columns x, y, z of the forces on B in steps of 2^(exponent − 128 − 15) N
//	surfaces   count; for each: bodies A + 1, B + 1; float32 area (m²), normal force (N),
//	           largest pressure (Pa) and sliding speed (m/s), force on B (N) and centre of
//	           pressure (m), three each; number of faces and, if any:
//	           corners of each, exponents of pressure and of sliding speed, a level of both
//	           for each face, columns x, y, z of all corners
//
// Counts and bodies are numbers of seven bits a byte, the lowest first, with the eighth
// bit where another follows. A column has integers: positions are multiples of
// Scene.Quantum, components of unit quaternions multiples of Scene.RotationQuantum. With
// the integers x_i and those of the message before p_i (0 in a key frame, and for contacts
// and surfaces always) it stores
//
//	r_i = (x_i − p_i) − (x_{i−1} − p_{i−1}),   p_{−1} = x_{−1} = 0,
//
// in the order 0, −1, 1, −2 …, as numbers of seven bits a byte. A body that moves as a
// whole, or rests, becomes bytes near zero, which also pack well. A level l of an exponent
// e stands for l/255 2^(e − 128) in the SI unit of the field; levels of fields are
// differences, modulo 256, from those of the message before.
//
// So a position differs from the recorded one by at most Quantum/2 along each axis, which
// is some 2⁻¹⁷ of the largest body, a rotation by some 2e-6 rad, a field by 1/255 of its
// largest value in the frame, a force by 2⁻¹⁵ of the frame's largest component.
package web
