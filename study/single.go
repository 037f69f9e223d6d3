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

// A run folder is plotted as a study with a single case, whose folder it is. Its columns are
// those of its tables, since the scene of the run may not exist any more.

// RunFigure makes the figure of a plot of a single run folder, whose panels show
// signals or steps. Faults of the plot are returned in one error, without positions.
func RunFigure(dir string, plot *Plot) (*render.Figure, error) {
	// a study of one case, which is the folder itself
	s := &Study{File: new(File), Cases: []Case{{Name: "."}}}
	var err error
	for file, to := range map[string]*[]string{record.SignalsFile: &s.signals, record.StepsFile: &s.steps} {
		*to, err = record.ReadHeader(dir, file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	// the time is a column that is always known
	s.signals = slices.DeleteFunc(s.signals, func(name string) bool { return name == timeColumn })
	s.units = record.SignalUnits(dir)
	// resolve and build the figure like one of a study
	f, errs := s.resolvePlot("plot", plot)
	if len(errs) > 0 {
		return nil, withoutPositions(errs)
	}
	return s.buildFigure(&f, dir, []Row{{Case: s.Cases[0], Status: statusDone}})
}

// withoutPositions joins faults and removes the positions in a study file, which a
// single run does not have.
func withoutPositions(errs []error) error {
	// messages start like ": plots.plot.panels.0.signals: …"
	var out []string
	for _, err := range errs {
		text := strings.TrimPrefix(err.Error(), ": plots.plot")
		text = strings.TrimPrefix(text, ".panels.")
		out = append(out, strings.TrimLeft(text, ".:0123456789 "))
	}
	return errors.New(strings.Join(slices.Compact(out), "; "))
}

// PanelsByUnit makes one panel for each unit among columns of a table of a run, in the
// order in which units occur. The unit is the ending of the column's name (grip_N), or that which
// the run states for a signal; signals of unknown units get panels of their own. No columns means
// all of the table except the time.
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
		return nil, fmt.Errorf("%s: nothing to plot: the table has no column except the time", filepath.Join(dir, file))
	}
	// one panel for each unit, in the order in which the units first occur
	var panels []Panel
	var units []string
	known := map[string]string{}
	if file == record.SignalsFile {
		known = record.SignalUnits(dir)
	}
	for _, c := range columns {
		unit, _ := unitOf(c, known)
		// nothing is known of the signal: it may be anything, and shares no axis
		if unit == "" && file == record.SignalsFile && known[c] != plainUnit {
			unit = "of " + c
		}
		k := slices.Index(units, unit)
		if k < 0 {
			k = len(units)
			units = append(units, unit)
			panels = append(panels, Panel{})
		}
		// the key of the panel depends on the table
		if file == record.StepsFile {
			panels[k].Steps = append(panels[k].Steps, c)
		} else {
			panels[k].Signals = append(panels[k].Signals, c)
		}
	}
	return panels, nil
}
