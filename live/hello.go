package live

import (
	"encoding/json"

	"github.com/curlfree/curlfree/web"
)

// What pages need of a session before the first frame, beside the scene: which controls to show.

// controls are what viewers can change besides dragging bodies.
type controls struct {
	// Step is the time step, s.
	Step float64 `json:"step"`
	// Values are the live values.
	Values []slider `json:"values"`
	// Teleops are the robots that can be steered.
	Teleops []steered `json:"teleops"`
}

// slider is a live value.
type slider struct {
	// Name is that of the scene; numbers are in the unit of what the value drives.
	Name  string  `json:"name"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Value float64 `json:"value"`
}

// steered is a robot that can be steered.
type steered struct {
	// Drive is what inputs name; the page multiplies its sticks by the bounds of speed, so that full deflection is the
	// bound.
	Drive string `json:"drive"`
	Body  int    `json:"body"` // number of the link with the tool frame
	// Frame is the tool frame in the link: position, m, and quaternion w, x, y, z.
	Frame [7]float64 `json:"frame"`
	Speed float64    `json:"speed"`      // bound, m/s
	Turn  float64    `json:"turn_speed"` // bound, rad/s
	Grip  [2]float64 `json:"grip"`       // range of the gripper; equal: none
}

// hello returns the first message: the scene with the controls of the session as "live".
func (s *Session) hello(scene *web.Scene) ([]byte, error) {
	// lists that are empty travel as [], which scripts can walk through
	c := controls{Step: s.h, Values: []slider{}, Teleops: []steered{}}
	for _, l := range s.scene.Model.LiveValues() {
		c.Values = append(c.Values, slider{l.Name, l.Min, l.Max, l.Value})
	}
	for _, t := range s.scene.Model.Teleops() {
		// the same order of numbers as in poses of frames
		q, p := t.X_BF.R.Quat(), t.X_BF.P
		c.Teleops = append(c.Teleops, steered{t.Drive, t.Body, [7]float64{p[0], p[1], p[2], q[0], q[1], q[2], q[3]}, t.Speed, t.Turn, t.Grip})
	}
	// one message, so that no page shows a scene without its controls
	return json.Marshal(struct {
		*web.Scene
		Live controls `json:"live"`
	}{scene, c})
}
