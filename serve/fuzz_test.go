package serve

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/internal/mutation"
)

// FuzzDecode reads values of any bytes: it may refuse them, but neither panics nor takes memory that they do not have.
// What it reads is what it writes.
func FuzzDecode(f *testing.F) {
	seeds := [][]byte{
		encode(nil, map[string]any{"id": 1, "do": "step", "list": []any{1.5, true, nil, "text", []byte{1}}}),
		encode(nil, array{dims: []int{2, 3}, floats: make([]float64, 6)}),
		encode(nil, array{dims: []int{2}, ints: []int32{1, -1}}),
		encode(nil, array{dims: []int{3}, bytes: []byte{1, 2, 3}}),
		[]byte("\xde\x00\x01\xa1a\xd4\x0a\x00"), []byte("\xca\x3f\x80\x00\x00"),
	}
	mutation.Fuzz(f, seeds, func(t testing.TB, b []byte) string {
		v, err := decode(b)
		if err != nil {
			return err.Error()
		}
		again, err := decode(encode(nil, v))
		// NaN is not equal to itself, but its text is
		if err != nil || !reflect.DeepEqual(again, v) && fmt.Sprint(again) != fmt.Sprint(v) {
			t.Errorf("%v is written and read as %v (%v)", v, again, err)
		}
		return fmt.Sprintf("%T", v)
	})
}

// harmless are the methods that FuzzRequests calls: they neither read nor write files that a request names, nor take
// long.
var harmless = []string{
	"close", "reset", "step", "state", "restore", "signals", "contacts", "vertices", "poses", "joints", "command", "set_value",
	"jacobian", "vector_reset", "vector_step", "vector_close", "vector_states", "end_record",
}

// FuzzRequests answers any requests of a session and a vector. Each answer is a result or an error, and steps that
// follow work.
func FuzzRequests(f *testing.F) {
	frame := func(list ...map[string]any) (b []byte) {
		for _, m := range list {
			one := encode(beginFrame(nil), m)
			if err := endFrame(one); err != nil {
				f.Fatal(err)
			}
			b = append(b, one...)
		}
		return b
	}
	seeds := [][]byte{
		frame(map[string]any{"id": 1, "do": "step", "sim": 1, "n": 3}, map[string]any{"id": 2, "do": "signals", "sim": 1}),
		frame(map[string]any{"id": 1, "do": "command", "sim": 1, "drive": "turn", "target": 0.3, "velocity": 1.0}, map[string]any{"id": 2, "do": "state", "sim": 1}),
		frame(map[string]any{"id": 1, "do": "vector_step", "vector": 2, "actions": array{dims: []int{2, 1}, floats: []float64{1, 2}}, "substeps": 2, "rest": []any{0}}),
		frame(map[string]any{"id": 1, "do": "vector_reset", "vector": 2, "which": []any{1}, "seeds": []any{4}}),
		frame(map[string]any{"id": 1, "do": "restore", "sim": 1, "time": 0.5, "steps": 3}, map[string]any{"id": 1, "do": "jacobian", "sim": 1, "drives": []string{"turn"}}),
		frame(map[string]any{"id": 1, "do": "vertices", "sim": 1, "name": "pad", "velocities": true}, map[string]any{"id": 1, "do": "reset", "sim": 1, "seed": 4}),
		frame(map[string]any{"id": 1, "do": "set_value", "sim": 1, "name": "x", "value": 1}, map[string]any{"id": 1, "do": "joints", "sim": 1}, map[string]any{"id": 1, "do": "poses", "sim": 1}),
	}
	path := sceneFile(f, testScene)
	mutation.Fuzz(f, seeds, func(t testing.TB, b []byte) string {
		var out bytes.Buffer
		c := &connection{out: &out, sessions: map[int]*session{}, vectors: map[int]*vectorEnv{}}
		defer c.close()
		c.stopped.Store(-1)
		answer := func(r *request) map[string]any {
			out.Reset()
			if err := c.answer(r); err != nil {
				t.Fatal(err)
			}
			_, body, err := (&frameReader{r: &out}).next(nil)
			if err != nil {
				t.Fatal(err)
			}
			v, err := decode(body)
			if err != nil {
				t.Fatal(err)
			}
			return v.(map[string]any)
		}
		load := map[string]any{"path": path, "threads": int64(1)}
		answer(&request{do: "load", arguments: load})
		answer(&request{do: "vector", arguments: map[string]any{"path": path, "threads": int64(1), "n": int64(2), "actions": []any{"turn"}, "as": []any{""}}})
		said := ""
		for frames := (&frameReader{r: bytes.NewReader(b)}); ; {
			var r request
			_, body, err := frames.next(nil)
			if err == io.EOF {
				break
			}
			if err == nil {
				r.parse(body)
				err = r.err
			}
			if err != nil {
				return said + err.Error()
			}
			n, _ := r.arguments["n"].(int64)
			substeps, _ := r.arguments["substeps"].(int64)
			if !slices.Contains(harmless, r.do) || n > 20 || substeps > 20 {
				continue
			}
			m := answer(&r)
			if e, ok := m["error"].(map[string]any); ok {
				said += e["text"].(string)
			} else if _, ok := m["ok"]; !ok {
				t.Errorf("%v: neither a result nor an error: %v", r, m)
			}
		}
		if _, ok := c.sessions[1]; ok {
			answer(&request{do: "step", arguments: map[string]any{"sim": int64(1)}})
		}
		return said
	})
}
