package geometry

import (
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// Each face of a deformable is clipped independently of the others, so that workers
// share the faces of a pair of bodies: in chunks, whose contacts are joined in order.

// faceJob makes the contacts of some faces, one after the other.
type faceJob interface {
	// begin prepares a worker: its field and the margin.
	begin(w *clipWorker)
	// item appends the contacts of item i.
	item(w *clipWorker, i int, dst []Contact) []Contact
}

// clipWorker is the working memory of one worker. Fields start their searches from their
// last answer: each worker has its own copies.
type clipWorker struct {
	cutter
	shape      shapeField
	deformable deformableField
	self       selfField
	// triangles of the other surface within reach of a face
	within []int32
}

// clipper clips the faces of one pair of bodies after the other.
type clipper struct {
	// one of each worker
	workers []clipWorker
	// contacts of each chunk of the job in question
	chunks [][]Contact
	// the job in question, and its number of items
	job faceJob
	num int
	// that of the Data
	halt *halt

	// jobs, kept here so that they need no allocation
	verts        vertexJob
	onShape      shapeFaces
	onDeformable deformableFaces
	onSelf       selfFaces
}

// chunkSize is the number of items that are worth a worker's time, some tens of
// microseconds.
const chunkSize = 16

// job in question and its number of items
func (c *clipper) run(pool *workers.Pool, job faceJob, num int, dst []Contact) []Contact {
	if size := pool.Size(); len(c.workers) < size {
		c.workers = make([]clipWorker, size)
	}
	// Few items are done by the caller.
	if pool == nil || num <= chunkSize {
		w := &c.workers[0]
		job.begin(w)
		for i := range num {
			if c.halt.ends() {
				break
			}
			from := len(dst)
			dst = job.item(w, i, dst)
			c.halt.add(len(dst) - from)
		}
		return dst
	}
	for i := range c.workers {
		job.begin(&c.workers[i])
	}
	// Chunks write their own lists, which are joined in order.
	c.job, c.num = job, num
	n := (num + chunkSize - 1) / chunkSize
	for len(c.chunks) < n {
		c.chunks = append(c.chunks, nil)
	}
	// Chunks are independent of each other.
	pool.Run(n, (*chunks)(c))
	for _, found := range c.chunks[:n] {
		dst = append(dst, found...)
	}
	return dst
}

// chunks is a clipper whose job is done on workers.
type chunks clipper

// Do implements workers.Task.
func (c *chunks) Do(worker, k int) {
	w, found := &c.workers[worker], c.chunks[k][:0]
	for i := k * chunkSize; i < min((k+1)*chunkSize, c.num); i++ {
		if c.halt.ends() {
			break
		}
		from := len(found)
		found = c.job.item(w, i, found)
		c.halt.add(len(found) - from)
	}
	c.chunks[k] = found
}

// vertexSamples has the field at the vertices of a surface, each of which about six
// triangles share, as found with a zero normal.
type vertexSamples struct {
	// number of the current pair
	round int32
	// round in which each vertex was sampled
	seen []int32
	// distance and gradient at each vertex
	phi  []float64
	grad []r3.Vec
	// vertices of this round
	verts []int32
}

// list lists the vertices of some triangles of a surface.
func (c *vertexSamples) list(b *deformableSurface, tris []int32) {
	if n := b.spec.NumVerts; len(c.seen) < n || c.round == 1<<31-1 {
		n = max(n, len(c.seen))
		c.seen, c.phi, c.grad = make([]int32, n), make([]float64, n), make([]r3.Vec, n)
		c.round = 0
	}
	// A new round starts without samples.
	c.round++
	c.verts = c.verts[:0]
	for _, t := range tris {
		// Each vertex once.
		for _, v := range b.spec.Tris[t] {
			if c.seen[v] != c.round {
				c.seen[v] = c.round
				c.verts = append(c.verts, v)
			}
		}
	}
}

// vertexJob samples the field of a job at the listed vertices.
type vertexJob struct {
	faceJob
	samples *vertexSamples
	pos_W   []r3.Vec
}

// item samples vertex i of the list; it makes no contact.
func (j *vertexJob) item(w *clipWorker, i int, dst []Contact) []Contact {
	v := j.samples.verts[i]
	j.samples.phi[v], j.samples.grad[v] = w.field.at(j.pos_W[v], r3.Vec{})
	return dst
}

// clipNear appends the contacts of a job whose items are triangles of a surface, which
// share the samples of their vertices.
func (s *Data) clipNear(b *deformableSurface, near []int32, job faceJob) {
	// First the field at all vertices, then the triangles.
	s.samples.list(b, near)
	c := &s.clipper
	c.verts = vertexJob{job, &s.samples, b.dist.Mesh().Verts}
	s.contacts = c.run(s.Pool, &c.verts, len(s.samples.verts), s.contacts)
	s.contacts = c.run(s.Pool, job, len(near), s.contacts)
}

// at returns the field at vertex v, corner k of a triangle with the outward normal n_W.
func (c *vertexSamples) at(f field, v int32, k int, p_W, n_W r3.Vec) sample {
	s := sample{pos_W: p_W, phi: c.phi[v], grad_W: c.grad[v]}
	s.w[k] = 1
	// The nearest surface is the far side of a thin wall: search again with the normal.
	if s.phi < 0 && turnsAway(n_W, s.grad_W) {
		s.phi, s.grad_W = f.at(p_W, n_W)
	}
	return s
}

// clipTriangle cuts a triangle of the surface by the worker's field; areas of the parts
// are in m².
func (s *Data) clipTriangle(w *clipWorker, b *deformableSurface, tri int32) []part {
	if !b.isActive(tri) {
		return nil
	}
	// A triangle without area makes no contact.
	v, pa, pb, pc := b.corners(tri)
	area := r3.TriangleNormal(pa, pb, pc).Norm() / 2
	if area == 0 {
		return nil
	}
	// Samples at the corners.
	w.products = b.parent(tri) != nil
	f, n, at := w.field, b.dist.FaceNormal(tri), &s.samples
	ca, cb, cc := at.at(f, v[0], 0, pa, n), at.at(f, v[1], 1, pb, n), at.at(f, v[2], 2, pc, n)
	parts := withinReach(w.clip(&ca, &cb, &cc, n), max(s.moving, s.ContactRange))
	// From fractions of the triangle to m².
	for i := range parts {
		parts[i].area *= area
	}
	return parts
}

// withinReach drops the parts ahead of contact of a face that overlaps already, beyond
// the distance by which it moves: the margin is for faces that do not touch yet.
func withinReach(parts []part, moving float64) []part {
	// Whether any part overlaps.
	touches := false
	for i := range parts {
		touches = touches || parts[i].phi <= 0
	}
	if !touches {
		return parts
	}
	kept := parts[:0]
	for _, p := range parts {
		if p.phi <= moving {
			kept = append(kept, p)
		}
	}
	return kept
}
