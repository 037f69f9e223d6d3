package formats

// PVD: the collection files of ParaView, which list data files over time.
//
//	<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">
//	  <Collection>
//	    <DataSet timestep="0.01" group="" part="0" name="finger" file="finger_00001.vtu"/>
//	  </Collection>
//	</VTKFile>

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/curlfree/curlfree/internal/authorship"
)

// PVD is a ParaView collection: an XML list of data files over time. ParaView
// opens it as an animation. The initial state belongs in it like any other.
type PVD struct {
	// DataSets are the files, in the order in which ParaView lists them.
	DataSets []PVDDataSet
}

// PVDDataSet is one file of a collection at one time.
type PVDDataSet struct {
	// Time is the simulated time of the file, s.
	Time float64
	// Part numbers the files of one time, from 0.
	Part int
	// Name is the name of the part, or "".
	Name string
	// File is the path of the file, relative to the folder of the collection.
	File string
}

// Add appends a file to the collection.
func (p *PVD) Add(time float64, part int, name, file string) {
	p.DataSets = append(p.DataSets, PVDDataSet{time, part, name, file})
}

// WriteFile writes the collection to a file atomically.
func (p *PVD) WriteFile(path string) error { return writeAtomically(path, p.Write) }

// Write writes the collection to a stream. Times must be finite; names and
// paths may have any characters.
func (p *PVD) Write(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n")
	for _, s := range p.DataSets {
		if math.IsNaN(s.Time) || math.IsInf(s.Time, 0) {
			return fmt.Errorf("meshes: PVD: the time of %s is %v", s.File, s.Time)
		}
		fmt.Fprintf(&b, "<DataSet timestep=\"%v\" group=\"\" part=\"%d\" name=\"", s.Time, s.Part)
		if err := xml.EscapeText(&b, []byte(s.Name)); err != nil {
			return err
		}
		b.WriteString("\" file=\"")
		if err := xml.EscapeText(&b, []byte(filepath.ToSlash(s.File))); err != nil {
			return err
		}
		b.WriteString("\"/>\n")
	}
	b.WriteString("</Collection>\n</VTKFile>\n<!-- " + authorship.Mark + " -->\n")
	_, err := w.Write(b.Bytes())
	return err
}
