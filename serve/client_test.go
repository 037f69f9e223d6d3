package serve

import (
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// client is a client of a server in this process.
type client struct {
	t      testing.TB
	in     io.WriteCloser
	out    io.Reader
	frames *frameReader
	id     int64
	done   chan error
}

// connect starts a server and reads its greeting.
func connect(t testing.TB) *client {
	t.Helper()
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	c := &client{t: t, in: in, out: out, done: make(chan error, 1)}
	go func() {
		err := Serve(context.Background(), requests, answers, Options{Version: "test"})
		_ = answers.Close()
		c.done <- err
	}()
	hello := c.receive()
	if hello["protocol"] != int64(Protocol) || hello["curlfree"] != "test" {
		t.Fatalf("greeting %v", hello)
	}
	t.Cleanup(func() { _ = in.Close(); _ = out.Close() })
	return c
}

// send sends a value as a frame.
func (c *client) send(v map[string]any) {
	c.t.Helper()
	b := encode(beginFrame(nil), v)
	if err := endFrame(b); err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.in.Write(b); err != nil {
		c.t.Fatal(err)
	}
}

// receive receives a frame.
func (c *client) receive() map[string]any {
	c.t.Helper()
	if c.frames == nil {
		c.frames = &frameReader{r: c.out}
	}
	_, b, err := c.frames.next(nil)
	if err != nil {
		c.t.Fatal(err)
	}
	v, err := decode(b)
	if err != nil {
		c.t.Fatal(err)
	}
	return numbers(v).(map[string]any)
}

// numbers returns a value with the numbers of arrays of float64 as such.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	case []any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	case array:
		if v.kind == typeFloat64 {
			v.floats, _ = v.appendFloats(nil)
			v.data = nil
		}
		return v
	}
	return v
}

// call sends a request and returns its answer.
func (c *client) call(do string, arguments map[string]any) map[string]any {
	c.t.Helper()
	c.id++
	m := map[string]any{"id": c.id, "do": do}
	for k, v := range arguments {
		m[k] = v
	}
	c.send(m)
	answer := c.receive()
	if answer["id"] != c.id {
		c.t.Fatalf("answer %v to request %d", answer, c.id)
	}
	return answer
}

// ok is call of a request that succeeds.
func (c *client) ok(do string, arguments map[string]any) any {
	c.t.Helper()
	answer := c.call(do, arguments)
	v, ok := answer["ok"]
	if !ok {
		c.t.Fatalf("%s: %v", do, answer["error"])
	}
	return v
}

// fails is call of a request that fails, and returns kind and text.
func (c *client) fails(do string, arguments map[string]any) (kind, text string) {
	c.t.Helper()
	e, ok := c.call(do, arguments)["error"].(map[string]any)
	if !ok {
		c.t.Fatalf("%s %v: no error", do, arguments)
	}
	return e["kind"].(string), e["text"].(string)
}

// ends waits for the end of the server.
func (c *client) ends() error {
	c.t.Helper()
	select {
	case err := <-c.done:
		return err
	case <-time.After(20 * time.Second):
		c.t.Fatal("the server continues")
		return nil
	}
}

// testScene is a soft pad under a ball beside an arm with a drive: contacts, vertices, joints, signals of steps and of
// references.
const testScene = `time: {step: 0.01, duration: 0.2}
meshes: {block: {box: {size: [0.2, 0.2, 0.1], cells: [2, 2, 1]}}}
materials: {foam: {youngs_modulus: 1e5, density: 500}}
deformables: {pad: {mesh: block, material: foam, elements: tet4, pose: {xyz: [0, 0, 0.05]}, attach: [{body: world, where: {z_max: -0.049}}]}}
bodies:
  ball: {pose: {xyz: [0, 0, 0.2]}, shapes: [{sphere: {radius: 0.05}}]}
  arm: {pose: {xyz: [1, 0, 1]}, shapes: [{box: {size: [0.1, 0.1, 0.3]}}], joint: {type: revolute, axis: [0, 1, 0]}}
drives: {turn: {joint: arm, kp: 20, kd: 2}}
signals:
  height: {position: z, body: ball}
  fallen: {position: z, body: ball, since: 0.05}
  force: {contact_force: z, body: ball}
  q: {joint_state: position, joint: arm}
solver: {friction_lag: geometry}
`

// sceneFile writes a scene and returns its path.
func sceneFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// loadTest loads the scene of the tests and returns its number.
func (c *client) loadTest() int64 {
	c.t.Helper()
	return c.ok("load", map[string]any{"path": sceneFile(c.t, testScene)}).(map[string]any)["sim"].(int64)
}

// raw returns a frame of some bytes.
func raw(body string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body...)
}
