// Readparquet prints a Parquet file as JSON: columns with their types, units, and rows. A test of package
// study runs it, so that files are read by a program that did not write them.
package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"

	"github.com/parquet-go/parquet-go"
)

func main() {
	f, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		log.Fatal(err)
	}
	p, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		log.Fatal(err)
	}
	var out struct {
		Columns, Types []string
		Units          string
		Rows           [][]any
	}
	for _, c := range p.Root().Columns() {
		out.Columns = append(out.Columns, c.Name())
		out.Types = append(out.Types, c.Type().String())
	}
	out.Units, _ = p.Lookup("units")
	for _, g := range p.RowGroups() {
		rows := g.Rows()
		buf := make([]parquet.Row, 64)
		for {
			n, err := rows.ReadRows(buf)
			for _, r := range buf[:n] {
				line := make([]any, len(r))
				for k, v := range r {
					switch {
					case v.IsNull():
					case v.Kind() == parquet.ByteArray:
						line[k] = string(v.ByteArray())
					case v.Kind() == parquet.Double:
						line[k] = v.Double()
					case v.Kind() == parquet.Int64:
						line[k] = v.Int64()
					case v.Kind() == parquet.Boolean:
						line[k] = v.Boolean()
					}
				}
				out.Rows = append(out.Rows, line)
			}
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				log.Fatal(err)
			}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		log.Fatal(err)
	}
}
