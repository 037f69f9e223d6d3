// Package record writes and reads the results of a run: a recording of states and
// contacts, from which all pictures and exports are made, tables of steps and
// signals, a summary, and checkpoints from which a run continues.
//
// # A run folder
//
//	run.json         Summary: the scene, its size, cost, statistics, checks
//	steps.csv        a row for each step: iterations, contacts, times of the stages
//	signals.csv      a row for each step: the signals that the scene defines
//	recording.curl   Recording: a frame for each recorded instant
//	checkpoint.json  state of an unfinished run, see Folder.Checkpoint and Resume
//
// During a run, its files end in ".partial" and run.json does not exist.
// Folder.Finish renames them, run.json last. ReadRun and ReadColumns read both. A lock
// on the folder keeps a second run out; it ends with the process.
//
// # Recording files
//
// A recording file is the line "curlfree recording 3", followed by blocks: one header,
// frames and, where the run came to its end, an index. Numbers are little-endian.
//
//	block
//	  kind      1 byte   H header, F frame, I index
//	  length    4 bytes  of the data
//	  time      8 bytes  float64, s; of frames
//	  checksum  4 bytes  CRC-32C of everything else in the block
//	  data      header and frames are packed with Zstandard
//	index data, for each frame
//	  length    4 bytes  of the frame's data
//	  time      8 bytes  float64, s
//	after the index
//	  offset    8 bytes  of the index block in the file
//	  mark      8 bytes  "curl end"
//
// A block is written by one call and never changed. If a run is killed, the frames up
// to the last whole block remain; without an index they are found by walking from
// block to block. Version 2 of the format, which is still read, has no kinds,
// checksums and index.
//
// The header is the JSON of Static, in which a mesh that several shapes share is
// written once. A frame has, each list with its length before it,
//
//	Q, V                    float64
//	Poses                   unit quaternion (w, x, y, z) and origin, float64
//	for each deformable     vertices and velocities as float32, stresses as float32
//	Contacts                bodies, position (float64), vectors (float32), gap, area
//	ContactSurfaces         sums as float64, then the faces
//
// Faces are rounded to 16 bits. A corner is its position in the bounding box of the
// surface; pressures and areas are parts of the largest; normals are octahedral
// coordinates (Cigolle et al., A Survey of Efficient Representations for Independent
// Unit Vectors, 2014); traction and slip are components along the two tangents of the
// normal. Corners that faces share are written once: a face names a corner by how many
// new corners ago it was met. The numbers of all faces go column by column, low bytes
// before high bytes, because that packs well.
//
// The sizes of a frame's parts, before packing, are in bytes
//
//	list length         4     int32
//	pose               56     7 float64
//	vertex, velocity   12     3 float32 each
//	stress              4     float32, Pa
//	contact            84     2 int32, 3 float64, 11 float32, 2 int32
//	surface           132     4 int32, 14 float64, list length; then, if it has faces:
//	  box              48     least corner and size, 6 float64, m
//	  corners           6     3 uint16 each, coordinate by coordinate, as differences
//	  counts            1     uint8 for each face
//	  references  1 or more  variable-length integers for each corner of each face
//	  scales           32     largest pressure, area, traction, slip, 4 float64
//	  columns          16     8 uint16 for each face, column by column
//
// Readers treat files as hostile: a length is compared with the bytes that are left
// before memory is taken, a block may unpack to a bounded multiple of its size, all
// indices are checked and all numbers must be finite.
//
// # Errors
//
// Error messages name the file, for tables the line and the column, for recordings the frame and
// its time, and the remedy. A damaged frame does not end the reading of others: At returns the
// first frame in its place and Err returns the fault. A run that fails removes its partial files
// unless a checkpoint exists.
//
// # Export formats
//
// Formats is the registry of the formats that recordings are exported to. A format is
// one file of this package, see Format.
package record
