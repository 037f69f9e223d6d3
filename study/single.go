package study

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// RunFigure draws a plot of a single run folder: panels of signals or steps.
func RunFigure(dir string, plot *Plot) (*render.Figure, error) {
	s := &Study{File: new(File), Cases: []Case{{Name: "."}}}
	var err error
	for file, to := range map[string]*[]string{record.SignalsFile: &s.signals, record.StepsFile: &s.steps} {
		*to, err = record.ReadHeader(dir, file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	s.signals = slices.DeleteFunc(s.signals, func(name string) bool { return name == timeColumn }) // known anyway
	f, errs := s.resolvePlot("plot", plot)
	if len(errs) > 0 {
		return nil, withoutPositions(errs)
	}
	return s.buildFigure(&f, dir, []Row{{Case: s.Cases[0], Status: statusDone}})
}

// plainly takes the places in a study file out of faults.
func withoutPositions(errs []error) error {
	var out []string
	for _, err := range errs {
		text := strings.TrimPrefix(err.Error(), ": plots.plot")
		text = strings.TrimPrefix(text, ".panels.")
		out = append(out, strings.TrimLeft(text, ".:0123456789 "))
	}
	return errors.New(strings.Join(slices.Compact(out), "; "))
}

// PanelsByUnit makes a panel for each unit of columns of a run's table, all but the time
// for none; the unit is read off the end of a column's name.
func PanelsByUnit(dir, file string, columns []string) ([]Panel, error) {
	header, err := record.ReadHeader(dir, file)
	if err != nil {
		return nil, err
	}
	if len(columns) == 0 {
		for _, c := range header {
			if c != timeColumn {
				columns = append(columns, c)
			}
		}
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("%s: there is nothing to plot: the table has no column but the time", filepath.Join(dir, file))
	}
	var panels []Panel
	var order []string
	for _, c := range columns {
		unit, _ := render.Unit(c)
		k := slices.Index(order, unit)
		if k < 0 {
			k = len(order)
			order = append(order, unit)
			panels = append(panels, Panel{})
		}
		if file == record.StepsFile {
			panels[k].Steps = append(panels[k].Steps, c)
		} else {
			panels[k].Signals = append(panels[k].Signals, c)
		}
	}
	return panels, nil
}
