package gears

import (
	"fmt"
	"math"
)

// Least thickness of tips over the module.
const leastTip = 0.05

const deg = 180 / math.Pi

// Check returns an error that says which parameter is at fault and which value would do, or nil.
func (g *Gear) Check() error {
	if err := g.checkParameters(); err != nil {
		return err
	}
	if err := g.checkModifications(); err != nil {
		return err
	}
	return g.checkTooth()
}

// checkParameters checks each on its own.
func (g *Gear) checkParameters() error {
	between := func(name string, v, lo, hi float64, unit string) error {
		if v >= lo && v <= hi { // false for NaN
			return nil
		}
		return fmt.Errorf("gears: %s is %.6g%s: give %g to %g%s", name, v, unit, lo, hi, unit)
	}
	least := 5.0
	if g.Form == Rack {
		least = 1
	}
	for _, err := range []error{
		between("module", g.Module, 1e-5, 1, " m"),
		between("number of teeth", float64(g.Teeth), least, 1e4, ""),
		between("pressure angle", g.PressureAngle*deg, 10, 35, "°"),
		between("helix angle", g.Helix*deg, -60, 60, "°"),
		between("profile shift", g.Shift, -2, 2, ""),
		between("addendum", g.Addendum, 0.2, 2, ""),
		between("clearance", g.Clearance, 0, 1, ""),
		between("fillet", g.Fillet, 0, 1, ""),
		between("thinning over the module", g.Thinning/g.Module, 0, 0.5, ""),
		between("face width over the module", g.FaceWidth/g.Module, 0.01, 1e4, ""),
		between("Young's modulus", g.Material.E, 1e5, 1e13, " Pa"),
		between("Poisson's ratio", g.Material.Nu, 0, 0.499, ""),
	} {
		if err != nil {
			return err
		}
	}
	if g.Form == Rack && g.Shift != 0 {
		return fmt.Errorf("gears: a rack has no profile shift (now %.4g): give it 0 and the shift to its gear", g.Shift)
	}
	if n := len(g.Displacements); n != 0 && n != g.Teeth {
		return fmt.Errorf("gears: %d displacements of teeth for %d teeth: give one for each tooth, or none", n, g.Teeth)
	}
	return nil
}

// checkModifications checks what is taken off flanks.
func (g *Gear) checkModifications() error {
	t := g.Tooth()
	length := math.Abs(t.STip - t.SFoot)
	for _, r := range []struct {
		name string
		Relief
	}{{"tip relief", g.TipRelief}, {"root relief", g.RootRelief}} {
		switch {
		case !(r.Amount >= 0 && r.Amount < g.Module/10):
			return fmt.Errorf("gears: %s of %.4g m: give 0 to a tenth of the module, %.4g m; usual are a few hundredths of it", r.name, r.Amount, g.Module/10)
		case r.Amount > 0 && !(r.Length > 0 && r.Length <= length):
			return fmt.Errorf("gears: length of the %s is %.4g m: give a length along the line of action of at most that of the flank, %.4g m", r.name, r.Length, length)
		case r.Power != 0 && !(r.Power >= 1 && r.Power <= 4):
			return fmt.Errorf("gears: power of the %s is %g: give 1 (linear) to 4", r.name, r.Power)
		}
	}
	if c := math.Max(math.Abs(g.ProfileCrowning), math.Abs(g.LeadCrowning)); !(c < g.Module/10) {
		return fmt.Errorf("gears: crowning of %.4g m: give less than a tenth of the module, %.4g m", c, g.Module/10)
	}
	for k, f := range g.Displacements {
		if !(math.Abs(f) < g.Module/4) {
			return fmt.Errorf("gears: displacement of tooth %d is %.4g m: give less than a quarter of the module, %.4g m", k, f, g.Module/4)
		}
	}
	if !(g.Eccentricity >= 0 && g.Eccentricity < g.Module/4) {
		return fmt.Errorf("gears: eccentricity is %.4g m: give 0 to a quarter of the module, %.4g m", g.Eccentricity, g.Module/4)
	}
	return nil
}

// checkTooth refuses teeth that cannot be cut.
func (g *Gear) checkTooth() error {
	t, m := g.Tooth(), g.Module
	switch g.Form {
	case Internal:
		return g.checkInternal(&t)
	case External:
		if err := g.checkRoot(&t); err != nil {
			return err
		}
	}
	tip := 2 * t.HalfAt(t.RTip)
	if g.Form == External {
		tip *= t.RTip
	}
	if tip < leastTip*m {
		return fmt.Errorf("gears: teeth are pointed, %.3g m thick at the tip: give an addendum of at most %.4g (now %.4g), a tip diameter that is as much smaller, or a smaller profile shift (now %.4g)",
			math.Max(0, tip), g.addendumOfTip(), g.Addendum, g.Shift)
	}
	return nil
}

// checkRoot refuses undercut and gaps that are too narrow.
func (g *Gear) checkRoot(t *Tooth) error {
	if t.a < 0 {
		// a = 0 for the radius of the rounding
		most := t.rho + t.a/(1/math.Cos(t.Alpha)-math.Tan(t.Alpha))
		return fmt.Errorf("gears: gaps are too narrow for a fillet of %.4g modules: give a fillet of at most %.4g, or a smaller addendum (now %.4g)",
			g.Fillet, math.Max(0, math.Floor(most/g.Module*1e4)/1e4), g.Addendum)
	}
	if t.SFoot < 0 {
		deep := g.Addendum + g.Clearance - g.Fillet*(1-math.Sin(t.Alpha))
		sin := math.Sin(t.Alpha)
		shift := deep - t.R*sin*sin/g.Module
		teeth := math.Ceil(float64(g.Teeth) * (deep - g.Shift) / (deep - shift))
		return fmt.Errorf("gears: %d teeth with profile shift %.4g are undercut: give a shift of at least %.4g, at least %.0f teeth, or a larger pressure angle",
			g.Teeth, g.Shift, math.Ceil(shift*1e4)/1e4, teeth)
	}
	if t.RTip <= t.radiusAt(t.SFoot)+0.1*g.Module {
		return fmt.Errorf("gears: the flank from %.6g to %.6g m diameter is shorter than a tenth of the module: give a tip diameter of at least %.6g m",
			2*t.radiusAt(t.SFoot), 2*t.RTip, 2*(t.radiusAt(t.SFoot)+0.5*g.Module))
	}
	return nil
}

// checkInternal refuses rings whose tips reach below the base circle, or whose gaps or teeth are pointed.
func (g *Gear) checkInternal(t *Tooth) error {
	m := g.Module
	if t.RTip < t.RBase {
		most := (t.R-t.RBase)/m + g.Shift
		return fmt.Errorf("gears: tips of the internal gear at %.6g m diameter lie inside its base circle of %.6g m, where there is no involute: give an addendum of at most %.4g (now %.4g), a shift of at least %.4g or at least %.0f teeth",
			2*t.RTip, 2*t.RBase, math.Floor(most*1e4)/1e4, g.Addendum, math.Ceil((g.Addendum-(t.R-t.RBase)/m)*1e4)/1e4,
			math.Ceil(2*(g.Addendum-g.Shift)*math.Cos(g.Helix)/(1-math.Cos(t.Alpha))))
	}
	if half := t.HalfAt(t.RRoot); t.Pitch/2-half <= 0 {
		return fmt.Errorf("gears: gaps of the internal gear are pointed at the root circle of %.6g m: give a smaller clearance (now %.4g) or shift (now %.4g)", 2*t.RRoot, g.Clearance, g.Shift)
	}
	if tip := 2 * t.HalfAt(t.RTip) * t.RTip; tip < leastTip*m {
		return fmt.Errorf("gears: teeth of the internal gear are pointed, %.3g m thick at the tip: give a smaller addendum (now %.4g) or a larger shift (now %.4g)", math.Max(0, tip), g.Addendum, g.Shift)
	}
	return nil
}

// addendumOfTip returns the largest addendum whose tip is thick enough, rounded down, by bisection.
func (g *Gear) addendumOfTip() float64 {
	lo, hi := 0.0, g.Addendum
	for range 60 {
		mid := (lo + hi) / 2
		h := *g
		h.TipDiameter = 0
		// the root stays where it is
		h.Clearance += h.Addendum - mid
		h.Addendum = mid
		t := h.Tooth()
		tip := 2 * t.HalfAt(t.RTip)
		if g.Form == External {
			tip *= t.RTip
		}
		if tip >= leastTip*g.Module {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Floor(lo*1e4) / 1e4
}
