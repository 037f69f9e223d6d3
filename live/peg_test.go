package live

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/curlfree/curlfree/internal/cputime"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// recordedHand are the twists of examples/finray-peg, which a person gave with a 6-dof mouse.
type recordedHand struct{ rows [][8]float64 }

func readHand(t testing.TB) *recordedHand {
	t.Helper()
	f, err := os.Open("../examples/finray-peg/twists.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	h := &recordedHand{}
	for _, line := range lines[1:] {
		var row [8]float64
		for i, cell := range line {
			if row[i], err = strconv.ParseFloat(cell, 64); err != nil {
				t.Fatal(err)
			}
		}
		h.rows = append(h.rows, row)
	}
	return h
}

// at is what the hand commands at a time (s), and whether it holds the switch.
func (h *recordedHand) at(t float64) sim.TeleopInput {
	n := len(h.rows)
	i := sort.Search(n, func(i int) bool { return h.rows[i][0] > t })
	in := sim.TeleopInput{Drive: "arm", Hold: t < h.rows[n-1][0]}
	if i == 0 || i == n {
		return in
	}
	a, b := h.rows[i-1], h.rows[i]
	s := (t - a[0]) / (b[0] - a[0])
	var now [8]float64
	for k := range now {
		now[k] = a[k] + s*(b[k]-a[k])
	}
	grip := now[7]
	in.Linear, in.Angular, in.Gripper = [3]float64(now[1:4]), [3]float64(now[4:7]), &grip
	return in
}

// A hand at 20 commands a second puts the peg into the cup of examples/finray-peg, in steps as they come from a
// browser.
func TestAHandPutsThePegIntoTheCup(t *testing.T) {
	if os.Getenv("CURLFREE_LONG") == "" {
		t.Skip("15 s of finray-peg: CURLFREE_LONG=1 runs it")
	}
	sc, err := scene.Load("../examples/finray-peg/live.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	hand, in := readHand(t), &record.Inputs{TimeStep: sc.File.Time.Step, Steps: int(15 / sc.File.Time.Step)}
	for step, every := 0, int(0.05/in.TimeStep); step < in.Steps; step += every {
		command := hand.at(float64(step)*in.TimeStep + 0.025)
		in.List = append(in.List, record.Input{Step: step, OperatorInput: sim.OperatorInput{Teleop: &command}})
	}
	if err := run.Replay(sc, in); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	sum, err := run.Run(context.Background(), sc, run.Options{Dir: dir, Inputs: in})
	if err != nil {
		t.Fatal(err)
	}
	signals, err := record.ReadColumns(dir, record.SignalsFile, []string{"insertion_mm"})
	if err != nil {
		t.Fatal(err)
	}
	depth := signals.Column("insertion_mm")
	t.Logf("%.2f× real time, %.2f ms a step (p95 %.2f), peg %g mm in the cup", sum.RealTime, sum.StepMs.Mean, sum.StepMs.P95, depth[len(depth)-1])
	if got := depth[len(depth)-1]; got < 100 {
		t.Errorf("the peg is %g mm in the cup: it stands at 106", got)
	}
}

// measured is what a page sees of a session.
type measured struct {
	mu       sync.Mutex
	bytes    int
	frames   int
	first    time.Time
	last     time.Time
	simFirst float64
	simLast  float64
	inputs   int
	sent     []time.Time // of input k
	latency  []time.Duration
	stepMs   []float64
}

// frame reads the numbers of a frame.
func (m *measured) frame(b []byte, signals, stats int) {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.simLast = math.Float64frombits(binary.LittleEndian.Uint64(b[2:]))
	if m.frames == 0 {
		m.first, m.simFirst = now, m.simLast
	}
	m.frames++
	m.bytes += len(b)
	m.last = now
	stat := func(i int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[14+4*(signals+i):])))
	}
	m.stepMs = append(m.stepMs, stat(1))
	for n := int(stat(stats - 1)); m.inputs < n && m.inputs < len(m.sent); m.inputs++ {
		m.latency = append(m.latency, now.Sub(m.sent[m.inputs]))
	}
}

// The figures of docs/live.md: run it alone on a machine by CURLFREE_LONG=1 go test ./live -run Figures -v.
func TestFiguresOfAPlayedSession(t *testing.T) {
	if os.Getenv("CURLFREE_LONG") == "" {
		t.Skip("20 s of the clock: CURLFREE_LONG=1 runs it")
	}
	sc, err := scene.Load("../examples/finray-peg/live.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSession(sc, Options{Speed: 1, Paused: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	_, address, _ := served(t, s, ServerOptions{})
	c := dial(t, address)
	signals, stats := len(sc.Signals.Names()), len(StatNames())
	c.write(`{"do": "fields", "fields": ["von_mises"]}`)
	c.write(`{"do": "play"}`)
	m := &measured{}
	over := make(chan struct{})
	go func() {
		defer close(over)
		for {
			kind, b, err := c.Read(ctx)
			if err != nil {
				return
			}
			switch {
			case kind == websocket.MessageBinary:
				m.frame(b, signals, stats)
			case bytes.Equal(b, ping):
				c.write(`{"do": "pong"}`)
			}
		}
	}()
	cpu := cputime.Used()
	hand, last := readHand(t), sim.TeleopInput{}
	for tick := time.NewTicker(50 * time.Millisecond); ; <-tick.C {
		m.mu.Lock()
		now := m.simLast
		m.mu.Unlock()
		if now > 14.5 {
			break
		}
		command := hand.at(now + 0.025)
		message, _ := json.Marshal(Command{Input: &sim.OperatorInput{Teleop: &command}})
		// what only confirms the last command is no input
		if !reflect.DeepEqual(command, last) {
			m.mu.Lock()
			m.sent = append(m.sent, time.Now())
			m.mu.Unlock()
		}
		last = command
		c.write(string(message))
	}
	cpu = cputime.Used() - cpu
	cancel()
	<-over
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	slices.Sort(m.latency)
	slices.Sort(m.stepMs)
	wall := m.last.Sub(m.first).Seconds()
	at := func(list []time.Duration, p float64) time.Duration { return list[int(p*float64(len(list)-1))] }
	t.Logf("%.1f %% of real time over %.1f s, %.1f s of processor time", 100*(m.simLast-m.simFirst)/wall, wall, cpu.Seconds())
	t.Logf("%.1f frames/s, %.2f MB/s, %.1f kB a frame", float64(m.frames)/wall, float64(m.bytes)/wall/1e6, float64(m.bytes)/float64(m.frames)/1e3)
	t.Logf("step: median %.2f ms, p95 %.2f ms", m.stepMs[len(m.stepMs)/2], m.stepMs[len(m.stepMs)*95/100])
	t.Logf("message to frame: median %v, p95 %v of %d inputs", at(m.latency, 0.5), at(m.latency, 0.95), len(m.latency))
}
