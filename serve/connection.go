package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/curlfree/curlfree/kinds"
)

// Protocol is the version of the protocol. It grows with every change that a client of an earlier one could not
// understand.
const Protocol = 1

// method answers a request. What it returns is encoded before the next request is read.
type method func(c *connection, a *arguments) (any, error)

// methods are the methods of requests by name.
var methods map[string]method

func init() {
	methods = map[string]method{
		"load": load, "close": closeSession, "reset": resetSession, "step": step, "state": getState, "restore": setState,
		"signals": signals, "contacts": contacts, "vertices": vertices, "poses": poses, "joints": joints, "command": command, "set_value": setValue,
		"jacobian": jacobian, "gradient": gradientOf, "render": renderSession, "record": recordSession, "end_record": endRecord,
		"vector": newVector, "vector_reset": resetVector, "vector_step": stepVector, "vector_close": closeVector,
		"vector_states": vectorState, "read": readRun,
	}
}

// Options are the settings of a server.
type Options struct {
	// Version is the version of the program.
	Version string
}

// connection is a client with what it has loaded.
type connection struct {
	opt      Options
	out      io.Writer
	sessions map[int]*session
	vectors  map[int]*vectorEnv
	last     int    // number of the last session or vector
	frame    []byte // that is written

	id      int64        // of the request at hand
	stopped atomic.Int64 // id of the request that is to end at once
	gone    atomic.Bool  // the client has gone: whatever runs ends
}

// request is a request that was read, or the error of reading. Arrays among the arguments are in memory.
type request struct {
	memory    []byte
	id        int64
	do        string
	arguments map[string]any
	err       error
}

// Serve answers requests until the stream of requests ends, ctx is done, or a frame is no frame. The error is nil where
// the client ended the stream between two frames. Where in is an io.Closer it is closed at the end of ctx.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opt Options) error {
	c := &connection{opt: opt, out: out, sessions: map[int]*session{}, vectors: map[int]*vectorEnv{}}
	defer c.close()
	c.stopped.Store(-1)
	stop := context.AfterFunc(ctx, func() {
		c.gone.Store(true)
		if closer, ok := in.(io.Closer); ok {
			_ = closer.Close()
		}
	})
	defer stop()
	// the client can refuse another version before it asks for anything
	if err := c.write(map[string]any{"curlfree": opt.Version, "protocol": Protocol}); err != nil {
		return err
	}
	err := c.serve(in)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == io.EOF:
		return nil
	}
	return err
}

// serve reads and answers requests. Two goroutines take turns: the one that has read a request answers it, without the
// cost of another goroutine, while the other one reads what comes next, mostly an interrupt.
func (c *connection) serve(in io.Reader) error {
	frames := &frameReader{r: in}
	ends := make(chan error, 2)
	var reading, answering sync.Mutex
	ended := false // under answering
	turns := func() {
		var r request
		for {
			// who waits to answer keeps others from reading, so that answers have the order of requests
			reading.Lock()
			c.read(frames, &r)
			answering.Lock()
			reading.Unlock()
			if ended {
				answering.Unlock()
				return
			}
			err := r.err
			if err == nil {
				err = c.answer(&r)
			} else if err != io.EOF {
				// the stream has lost its frames: say why
				_ = c.write(map[string]any{"id": r.id, "error": describe(err, "protocol")})
			}
			ended = err != nil
			answering.Unlock()
			if err != nil {
				ends <- err
				return
			}
		}
	}
	go turns()
	go turns()
	return <-ends
}

// read reads a request. Interrupts act at once.
func (c *connection) read(frames *frameReader, r *request) {
	for {
		memory, frame, err := frames.next(r.memory)
		*r = request{memory: memory, err: err}
		if err == nil {
			r.parse(frame)
		}
		if r.err != nil {
			c.gone.Store(true)
		}
		if r.do != "interrupt" {
			return
		}
		c.stopped.Store(r.id)
	}
}

// parse reads a request of a frame.
func (r *request) parse(frame []byte) {
	v, err := decode(frame)
	if err != nil {
		r.err = err
		return
	}
	m, ok := v.(map[string]any)
	id, hasID := m["id"].(int64)
	do, hasDo := m["do"].(string)
	if !ok || !hasID || !hasDo {
		r.err = errors.New("a request is a map with the keys id, a whole number, and do, a text")
		return
	}
	delete(m, "id")
	delete(m, "do")
	r.id, r.do, r.arguments = id, do, m
}

// answer answers a request.
func (c *connection) answer(r *request) error {
	c.id = r.id
	f, ok := methods[r.do]
	var result any
	var err error
	if !ok {
		err = fmt.Errorf("no method is called %q%s", r.do, kinds.Suggest(r.do, slices.Sorted(maps.Keys(methods))))
	} else {
		result, err = f(c, &arguments{of: r.arguments})
	}
	if err != nil {
		return c.write(map[string]any{"id": r.id, "error": describe(err, "request")})
	}
	return c.write(map[string]any{"id": r.id, "ok": result})
}

// write sends a frame.
func (c *connection) write(v any) error {
	c.frame = encode(beginFrame(c.frame), v)
	if err := endFrame(c.frame); err != nil {
		return err
	}
	_, err := c.out.Write(c.frame)
	return err
}

// interrupted reports whether the request at hand is to end at once.
func (c *connection) interrupted() bool { return c.gone.Load() || c.stopped.Load() == c.id }

// number returns the number of a new session or vector.
func (c *connection) number() int {
	c.last++
	return c.last
}

// close ends all that the connection has.
func (c *connection) close() {
	c.gone.Store(true)
	for _, s := range c.sessions {
		s.close()
	}
	for _, v := range c.vectors {
		v.close()
	}
}
