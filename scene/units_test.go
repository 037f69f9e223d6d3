package scene

import "testing"

func TestNumbersWithUnitsAreReportedInSI(t *testing.T) {
	for _, c := range [][3]string{
		{"module", "1mm", ": write 0.001; units are SI"},
		{"x_deg", "30 deg", ": write 30; units are SI"},
		{"angle", "180°", ": write 3.14159; units are SI"},
		{"youngs_modulus", "1.5 MPa", ": write 1.5e+06; units are SI"},
		{"gravity", "9.81 m/s²", ": write it without its unit; units are SI"},
		{"teeth", "many", ""}, {"teeth", "", ""}, {"x", "mm", ""}, {"x", "1.2.3", ""}, {"x", "1e5", ""},
	} {
		if got := inSI(c[0], c[1]); got != c[2] {
			t.Errorf("%s: %q gives %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
