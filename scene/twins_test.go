package scene

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/curlfree/curlfree/sim"
)

// same returns what a run of a scene depends on as text, to compare scenes: the file
// without positions, and the bits of the state after a few steps.
func same(sc *Scene) string {
	st, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		return err.Error()
	}
	defer st.Close()
	x := sc.Model.Start.Clone()
	for range 3 {
		if err := st.Step(x, sc.File.Time.Step); err != nil {
			return err.Error()
		}
	}
	text := fileText(sc.File)
	for _, v := range append(append([]float64{}, x.Q...), x.V...) {
		text += fmt.Sprintf(" %x", math.Float64bits(v))
	}
	return text
}

// fileText writes all values of a file without positions.
func fileText(f *File) string {
	var b strings.Builder
	writeValue(&b, reflect.ValueOf(f).Elem())
	return b.String()
}

// writeValue writes a value with all that it points to.
func writeValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil ")
			return
		}
		writeValue(b, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Type != posType && f.IsExported() && f.Name != "Dir" {
				b.WriteString(f.Name + ":")
				writeValue(b, v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			writeValue(b, v.Index(i))
		}
		b.WriteByte(';')
	case reflect.Map:
		for _, k := range sortedKeys(v) {
			b.WriteString(k + "=")
			writeValue(b, v.MapIndex(reflect.ValueOf(k)))
		}
	default:
		fmt.Fprintf(b, "%v ", v.Interface())
	}
}

func sortedKeys(v reflect.Value) []string {
	m := map[string]bool{}
	for _, k := range v.MapKeys() {
		m[k.String()] = true
	}
	return keysOf(m)
}
