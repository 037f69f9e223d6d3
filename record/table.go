package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/internal/textcell"
)

// Tables are comma-separated: a line of names, then a line of numbers for each step, all with the
// same number of values. Numbers are read as strconv.ParseFloat does, nan and inf included. Names
// may stand in quotes, and behind an apostrophe where they begin as formulas do (package textcell); values may not, and
// there are no comments. Lines may end in \r\n.
//
// encoding/csv would take most of the time of reading a table of 10⁵ rows: it makes a string of
// each field. Here a line stays in the buffer of the reader, and a field is parsed in place.

// Table is a CSV file of numbers with a header. Columns of a run's tables name their
// unit at the end, such as time_s.
type Table struct {
	// Columns are the names in the order of the file.
	Columns []string
	// Data[i] are the values of column i, one for each row.
	Data [][]float64
}

// Column returns a column by name, nil when there is none.
func (t *Table) Column(name string) []float64 {
	for i, c := range t.Columns {
		if c == name {
			return t.Data[i]
		}
	}
	return nil
}

// ReadColumns reads columns of a table of a run folder, in the order of the file: of the
// finished run or, without one, of the run that is running. nil stands for all columns;
// columns that the table does not have are left out. Reading fewer columns saves time
// and memory. An error names the file, the line and the column.
func ReadColumns(dir, name string, columns []string) (*Table, error) {
	path := filepath.Join(dir, name)
	f, err := openResult(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return namedTable(path, f, columns)
}

// ReadHeader reads the names of a table's columns.
func ReadHeader(dir, name string) ([]string, error) {
	path := filepath.Join(dir, name)
	f, err := openResult(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	header, err := readHeader(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return header, nil
}

// ReadColumns reads columns, nil: all, of a table of the run being written, as far
// as it was flushed.
func (f *Folder) ReadColumns(name string, columns []string) (*Table, error) {
	path := filepath.Join(f.Dir, name+partial)
	file, err := inputfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return namedTable(path, file, columns)
}

// namedTable parses a table and names its file in errors.
func namedTable(path string, r io.Reader, columns []string) (*Table, error) {
	t, err := parseTable(r, columns)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// openResult opens a file of a run folder: the finished one or, during a
// run, the partial one.
func openResult(path string) (*os.File, error) {
	f, err := inputfile.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		if part, perr := inputfile.Open(path + partial); perr == nil {
			// rows wait in memory: a run that was killed early leaves a table without even a header
			if info, serr := part.Stat(); serr == nil && info.Size() > 0 {
				return part, nil
			}
			part.Close()
		}
	}
	return f, err
}

// tableBuffer is the longest line of a table that can be read, bytes.
const tableBuffer = 1 << 20

// tableReaders are readers with buffers of that length, for the next table.
var tableReaders = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, tableBuffer) }}

// readHeader reads the names in the first line, without quotes and spaces.
func readHeader(r *bufio.Reader) ([]string, error) {
	line, err := r.ReadString('\n')
	// A last line without its end is a header too.
	if err != nil && !(errors.Is(err, io.EOF) && line != "") {
		return nil, err
	}
	names := strings.Split(strings.TrimRight(line, "\r\n"), ",")
	for i, n := range names {
		names[i] = textcell.Unescape(strings.Trim(strings.TrimSpace(n), `"`))
	}
	return names, nil
}

// parseTable reads the chosen columns of a table, or all for nil. A last line without its
// end, as in the table of a run that is running, is ignored if it is not complete.
func parseTable(in io.Reader, columns []string) (*Table, error) {
	r := tableReaders.Get().(*bufio.Reader)
	defer tableReaders.Put(r)
	r.Reset(in)
	defer r.Reset(nil)
	header, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	// which columns are wanted, and where they go
	t := new(Table)
	place := make([]int, len(header)) // of a column among those read, −1: not wanted
	for i, name := range header {
		place[i] = -1
		if columns == nil || slices.Contains(columns, name) {
			place[i] = len(t.Columns)
			t.Columns = append(t.Columns, name)
		}
	}
	t.Data = make([][]float64, len(t.Columns))
	// Line 1 is the header.
	for number := 2; ; number++ {
		// valid until the next call: numbers are copied out below
		line, err := r.ReadSlice('\n')
		whole := err == nil
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		// Lines end in \n or \r\n; empty ones are passed over.
		for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
			line = line[:len(line)-1]
		}
		if len(line) > 0 {
			// A line has as many values as the header, unless it is the last and was cut.
			if n := 1 + countCommas(line); n != len(header) {
				if !whole {
					return t, nil
				}
				return nil, fmt.Errorf("line %d has %d values, the header %d", number, n, len(header))
			}
			if err := t.row(line, header, place); err != nil {
				if !whole {
					return t.cut(), nil
				}
				return nil, fmt.Errorf("line %d, %w", number, err)
			}
		}
		if !whole {
			return t, nil
		}
	}
}

// countCommas counts the separators of a line.
func countCommas(line []byte) int {
	n := 0
	for _, c := range line {
		if c == ',' {
			n++
		}
	}
	return n
}

// row appends the wanted values of a line: place[i] is the column of t that the
// line's value i goes to, −1 for none. After an error some columns are longer.
func (t *Table) row(line []byte, header []string, place []int) error {
	at := 0
	for i, p := range place {
		end := at
		// A field reaches to the next comma.
		for end < len(line) && line[end] != ',' {
			end++
		}
		if p >= 0 {
			field := line[at:end]
			// the text is valid during the call
			x, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(field), len(field)), 64)
			if err != nil {
				return fmt.Errorf("column %s: %q is not a number", header[i], field)
			}
			t.Data[p] = append(t.Data[p], x)
		}
		at = end + 1
	}
	return nil
}

// cut drops the values of a last line that is incomplete: all columns get the length of
// the last one.
func (t *Table) cut() *Table {
	if len(t.Data) == 0 {
		return t
	}
	// Columns are filled from left to right, so the last one is the shortest.
	n := len(t.Data[len(t.Data)-1])
	for i := range t.Data {
		t.Data[i] = t.Data[i][:n]
	}
	return t
}
