package study

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/record"
)

// timeColumn is the name of the time (s) in every table of a run.
const timeColumn = "time_s"

// column is a column of a table, or a formula over its columns that is evaluated row
// by row.
//
//	grip_N                  the column grip_N
//	1e3*(tip_x - base_x)    a formula; its value is a number
//	z < 0.1 and time_s > 1  a condition; its value is true or false
type column struct {
	// text is the column or formula as written in the study file.
	text string
	// names are the columns that it needs.
	names []string
	// expr is the formula; nil for the column names[0] itself.
	expr *expression
}

// newColumn looks a text up among the known columns, or else compiles it as a formula
// over them. With truth the text is a condition and always a formula.
func newColumn(text string, known []string, truth bool) (*column, error) {
	if slices.Contains(known, text) && !truth {
		return &column{text: text, names: []string{text}}, nil
	}
	// the columns of a row are numbers
	env := map[string]any{}
	for _, n := range known {
		env[n] = 0.0
	}
	var e *expression
	var err error
	if truth {
		e, err = condition(text, env)
	} else {
		e, err = compile(text, env)
	}
	if err != nil {
		return nil, err
	}
	// names that are no columns are functions of the formula
	c := &column{text: text, expr: e}
	for _, n := range e.names {
		if slices.Contains(known, n) {
			c.names = append(c.names, n)
		}
	}
	return c, nil
}

// evaluate returns the values of the column, one for each row of the table; those of a
// condition are 1 where it is true and 0 elsewhere. It returns nil where the table lacks
// a column that is needed.
func (c *column) evaluate(t *record.Table) ([]float64, error) {
	// the columns that are needed; a run of another version may lack one
	data := make([][]float64, len(c.names))
	for i, n := range c.names {
		if data[i] = t.Column(n); data[i] == nil {
			return nil, nil
		}
	}
	if c.expr == nil {
		return data[0], nil
	}
	// evaluate the formula row by row
	env := make(map[string]any, len(c.names))
	out := make([]float64, numRows(t))
	for k := range out {
		for i, n := range c.names {
			env[n] = data[i][k]
		}
		v, err := c.expr.value(env)
		if err != nil {
			return nil, err
		}
		if b, ok := v.(bool); ok {
			if b {
				out[k] = 1
			}
		} else if out[k], ok = toFloat(v); !ok {
			return nil, fmt.Errorf("%q is %v, not a number", c.text, v)
		}
	}
	return out, nil
}

// numRows returns the number of rows of a table.
func numRows(t *record.Table) int {
	if len(t.Data) == 0 {
		return 0
	}
	return len(t.Data[0])
}
