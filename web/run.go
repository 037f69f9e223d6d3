package web

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"strings"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// Run is a recorded run as a page shows it: its scene, its signals, and its frames in
// chunks whose first is a key frame.
type Run struct {
	// Scene is the scene of the recording.
	Scene *Scene
	// Signals are the columns of the run's tables of signals.
	Signals *Columns

	rec *record.Recording
	// stride is the number of recorded frames for one that is shown.
	stride int
}

// ChunkFrames is the number of frames in a chunk.
const ChunkFrames = 32

// Columns are numbers over time, as the page's charts take them.
type Columns struct {
	// Columns are the names and units of the columns.
	Columns []Signal `json:"columns"`
	// Time is the time of each row, s.
	Time Floats `json:"time"`
	// Values are the numbers of each column.
	Values []Floats `json:"values"`
}

// chartRows is the largest number of rows of signals that a page is given.
const chartRows = 3000

// OpenRun prepares the recording of a run folder, which the caller opened and closes, and
// reads the folder's signals. It returns an error for signals or a summary that cannot be
// read, and for a damaged recording.
func OpenRun(dir string, rec *record.Recording) (*Run, error) {
	// the first frame alone is read here: recordings may have gigabytes
	r := &Run{rec: rec, stride: 1, Scene: NewScene(&rec.Static, rec.At(0), nil, nil)}
	table, err := record.ReadColumns(dir, record.SignalsFile, nil)
	switch {
	case errors.Is(err, os.ErrNotExist): // a recording alone
		table = &record.Table{}
	case err != nil:
		return nil, err
	}
	// units of columns that are in SI units; other columns name theirs
	r.Signals = newColumns(table, record.SignalUnits(dir))
	// scales of colours that apply to the whole recording
	opt, err := render.RecordedOptions(&rec.Static)
	if err != nil {
		return nil, err
	}
	for i := range r.Scene.Fields {
		f := &r.Scene.Fields[i]
		f.Max = render.FieldTop(rec, f.Name)
		if opt.FieldMax > 0 && (opt.Field == f.Name || opt.Field == "" && f.Name == "von_mises") {
			f.Max = opt.FieldMax
		}
	}
	return r, rec.Err()
}

// newColumns returns the columns of a table but the time, each with its unit. Of more rows
// than a chart can show, each stretch of rows becomes two, the least and the largest
// number of each column in their order, so that no peak is lost.
func newColumns(t *record.Table, units map[string]string) *Columns {
	c := &Columns{Columns: []Signal{}, Time: Floats{}, Values: []Floats{}}
	if len(t.Data) == 0 {
		return c
	}
	// time is the first column of all tables
	time := t.Data[0]
	stretch := (2*len(time) + chartRows - 1) / chartRows
	whole := stretch <= 2 // all rows fit
	for i := 0; i < len(time); i += stretch {
		last := min(i+stretch, len(time)) - 1
		if whole {
			for k := i; k <= last; k++ {
				c.Time = append(c.Time, float32(time[k]))
			}
			continue
		}
		c.Time = append(c.Time, float32(time[i]), float32(time[last]))
	}
	for j := 1; j < len(t.Columns); j++ {
		name := t.Columns[j]
		unit, ok := units[name]
		// a joint's unit follows from its kind, which only the name may show: rad or m
		if named, _ := render.Unit(name); !ok || unit == "1" || named != "" && strings.Contains(unit, " or ") {
			unit = named
		}
		c.Columns = append(c.Columns, Signal{Name: name, Unit: unit})
		values := make(Floats, 0, len(c.Time))
		for i := 0; i < len(time); i += stretch {
			part := t.Data[j][i:min(i+stretch, len(time))]
			if whole {
				for _, x := range part {
					values = append(values, float32(x))
				}
				continue
			}
			// in their order in time, so that a rise is no fall
			first, second := extremes(part)
			values = append(values, float32(first), float32(second))
		}
		c.Values = append(c.Values, values)
	}
	return c
}

// extremes returns the least and the largest of some numbers, in their order; NaN where
// none is a number.
func extremes(x []float64) (first, second float64) {
	// rows of the least and of the largest
	lo, hi := -1, -1
	for i, v := range x {
		if math.IsNaN(v) {
			continue
		}
		if lo < 0 || v < x[lo] {
			lo = i
		}
		if hi < 0 || v > x[hi] {
			hi = i
		}
	}
	// a gap in the chart, where no row has a number
	if lo < 0 {
		return math.NaN(), math.NaN()
	}
	return x[min(lo, hi)], x[max(lo, hi)]
}

// Len returns the number of frames that are shown.
func (r *Run) Len() int { return (r.rec.Len() + r.stride - 1) / r.stride }

// Chunks returns the number of chunks.
func (r *Run) Chunks() int { return (r.Len() + ChunkFrames - 1) / ChunkFrames }

// Times returns the times of the frames, s.
func (r *Run) Times() []float64 {
	t := make([]float64, r.Len())
	for k := range t {
		t[k] = r.rec.Time(k * r.stride)
	}
	return t
}

// Chunk returns chunk j: messages of frames, each with its length as uint32 before it. It
// returns an error for a damaged recording.
func (r *Run) Chunk(j int) ([]byte, error) {
	var out []byte
	// a new encoder begins with a key frame, so that each chunk stands alone
	enc := NewEncoder(r.Scene)
	for k := j * ChunkFrames; k < min((j+1)*ChunkFrames, r.Len()); k++ {
		message := enc.Frame(r.rec.At(k*r.stride), &Numbers{})
		out = binary.LittleEndian.AppendUint32(out, uint32(len(message)))
		out = append(out, message...)
	}
	return out, r.rec.Err()
}
