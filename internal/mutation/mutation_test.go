package mutation

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/internal/cputime"
)

// recorder is a test that fails without an effect on the one that makes it.
type recorder struct {
	testing.TB
	name string
	log  []string
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return r.name }
func (r *recorder) Failed() bool { return len(r.log) > 0 && strings.HasPrefix(r.log[0], "fatal") }
func (r *recorder) FailNow()     { runtime.Goexit() }
func (r *recorder) Logf(format string, args ...any) {
	if r.log = append(r.log, fmt.Sprintf(format, args...)); strings.HasPrefix(format, "fatal") {
		r.log = r.log[len(r.log)-1:]
	}
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.log = nil
	r.Logf("fatal: "+format, args...)
	r.FailNow()
}

// tried runs a loop and returns what it logged; a loop that ends early ends its goroutine alone.
// One input may ask for 1 MB.
func tried(t *testing.T, seeds [][]byte, n int, try Try) []string {
	t.Chdir(t.TempDir())
	r := &recorder{name: "FuzzToy"}
	done := make(chan bool)
	go func() {
		defer close(done)
		l := newLoop(r, seeds, 7, try)
		l.limit = 1 << 20
		l.run(n)
	}()
	<-done
	return r.log
}

// A reader of lines "key value" breaks its promise when a count is negative and comes after a name:
// the loop finds this from a seed that has neither, and writes the input for Go's fuzzer.
func TestLoopFindsAPlantedFault(t *testing.T) {
	try := func(t testing.TB, data []byte) string {
		named := false
		for i, line := range strings.Split(string(data), "\n") {
			key, value, ok := strings.Cut(line, " ")
			switch n, err := strconv.Atoi(value); {
			case !ok:
				return fmt.Sprintf("line %d: no value", i)
			case key == "name":
				named = true
			case key == "count" && err != nil:
				return fmt.Sprintf("line %d: no number", i)
			case key == "count" && n < -1 && named:
				t.Fatalf("%d things", n)
			case key != "count":
				return fmt.Sprintf("line %d: unknown key %q", i, key)
			}
		}
		return ""
	}
	log := tried(t, Texts("count 3\ncount 5\n", "name x\n"), 1_000_000, try)
	if len(log) != 2 || !strings.Contains(log[0], "things") || !strings.Contains(log[1], "testdata/fuzz/FuzzToy/") {
		t.Fatalf("log: %q", log)
	}
	// the input that was written breaks the guarantee again
	_, path, _ := strings.Cut(log[1], "the input is ")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, quoted, ok := strings.Cut(string(text), "[]byte(")
	input, err := strconv.Unquote(strings.TrimSuffix(quoted, ")\n"))
	if !ok || err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	r := &recorder{}
	done := make(chan bool)
	go func() { defer close(done); try(r, []byte(input)) }()
	<-done
	if !r.Failed() {
		t.Errorf("%q breaks nothing", input)
	}
}

// A reader of binary files that believes in the count of 4 bytes at their beginning asks for more
// than 1 MB in time.
func TestLoopBoundsMemory(t *testing.T) {
	var items []byte
	log := tried(t, Texts("\x02\x00\x00\x00ab"), 100_000, func(t testing.TB, data []byte) string {
		if len(data) >= 4 {
			if n := binary.LittleEndian.Uint32(data); n < 1<<26 {
				items = make([]byte, n)
			}
		}
		return strconv.Itoa(len(items))
	})
	if len(log) == 0 || !strings.Contains(log[0], "bytes of memory") || !strings.HasPrefix(log[0], "fatal") {
		t.Errorf("log: %q", log)
	}
}

// Equal seeds make equal inputs, whatever the outcomes' order in maps.
func TestLoopRepeats(t *testing.T) {
	run := func() (all []byte) {
		tried(t, Texts("<a b='1'><c/></a>\n<d/>\n", "x\x00y"), 2000, func(_ testing.TB, data []byte) string {
			all = append(all, data...)
			return string(data[:min(3, len(data))])
		})
		return all
	}
	if !bytes.Equal(run(), run()) {
		t.Error("inputs differ")
	}
}

// Of the mutations of XML a fair part stays well-formed: these reach beyond the reader of XML.
// Changes of bytes alone leave a few per cent.
func TestMutationsOfXMLStayWellFormed(t *testing.T) {
	m := newMaker(Texts("<robot name='r'>\n <link name='a'>\n  <mass value='1.5'/>\n </link>\n <!-- b --><link name=\"b\"/>\n</robot>\n"), rand.New(rand.NewPCG(1, 2)))
	well, changed := 0, 0
	const n = 5000
	for range n {
		data := m.make()
		if xml.Unmarshal(data, new(struct{})) == nil {
			well++
		}
		if !bytes.Equal(data, m.pool[0]) {
			changed++
		}
	}
	if well < n/4 || changed < n*9/10 {
		t.Errorf("of %d mutations %d are well-formed, %d differ from the seed", n, well, changed)
	}
}

// Elements end with their own end tags, comments and headers are none.
func TestElement(t *testing.T) {
	const text = "<?xml?><a><b x='/'/><!-- c --><b>t</b></a>"
	for at, want := range map[int]string{0: text[7:], 8: "<b x='/'/>", 12: "<b>t</b>", 40: ""} {
		i, k := element([]byte(text), at)
		if got := text[max(i, 0):k]; got != want {
			t.Errorf("from byte %d: %q, want %q", at, got, want)
		}
	}
}

// A reader that works for longer than the limit is stopped, one that stands still is not: it may wait for a processor.
func TestLoopBoundsWork(t *testing.T) {
	if !cputime.Known {
		t.Skip("processor time is not known on this system")
	}
	for _, c := range []struct {
		name string
		read func(stopped chan string)
		want bool
	}{
		{"work", func(stopped chan string) {
			for len(stopped) == 0 {
			}
		}, true},
		{"rest", func(chan string) { time.Sleep(300 * time.Millisecond) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			stopped := make(chan string, 1)
			l := newLoop(&recorder{name: "FuzzToy"}, Texts("x"), 7, func(testing.TB, []byte) string {
				c.read(stopped)
				return ""
			})
			l.longer = 100 * time.Millisecond
			l.hangs = func(path string) { stopped <- path }
			l.run(0)
			time.Sleep(150 * time.Millisecond) // and not after it either
			if got := len(stopped) == 1; got != c.want {
				t.Errorf("stopped: %t, want %t", got, c.want)
			}
		})
	}
}
