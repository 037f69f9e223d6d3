package live

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/web/webtest"
)

// gantry is a tool that three slides move, with a turn about z and a gripper of two fingers, which starts half open.
const gantry = `
time: {step: 0.005, duration: 1}
bodies:
  x: {mass: 1, pose: {xyz: [0, 0, 0.5]}, joint: {type: prismatic, axis: [1, 0, 0]}, shapes: [{box: {size: [0.05, 0.05, 0.05]}}]}
  y: {mass: 1, pose: {xyz: [0, 0, 0.5]}, joint: {type: prismatic, parent: x, axis: [0, 1, 0]}}
  z: {mass: 1, pose: {xyz: [0, 0, 0.5]}, joint: {type: prismatic, parent: y, axis: [0, 0, 1]}}
  tool: {mass: 1, inertia: {ixx: 1e-3, iyy: 1e-3, izz: 1e-3}, pose: {xyz: [0, 0, 0.5]}, joint: {type: revolute, parent: z, axis: [0, 0, 1]}}
  left: {mass: 0.1, pose: {xyz: [0, 0.1, 0.4]}, joint: {type: prismatic, parent: tool, axis: [0, 1, 0], lower: 0, upper: 0.04, position: 0.02}, shapes: [{box: {size: [0.02, 0.02, 0.1]}}]}
drives:
  arm:
    robot: ""
    joints: [x, y, z, tool, left]
    kp: 2000
    kd: 100
    inverse_dynamics: true
    target: {teleop: tool, speed: 0.2, turn_speed: 0.8, gripper: [left]}
`

// pose reads number k of the pose of the body that moves the tool (0 to 2: m, 6: sine of half of its turn), and the
// opening of the gripper along the tool's own y axis.
func pose(p *webtest.Tab, k int) float64 {
	return p.Number(fmt.Sprintf(`curlfree.frame.poses[7 * curlfree.scene.bodies.indexOf('tool') + %d]`, k))
}

// opening is how far the gripper is open, m: the finger is 0.1 m from the tool's axis where it is closed.
const opening = `((() => { const b = n => curlfree.frame.poses.subarray(7 * curlfree.scene.bodies.indexOf(n)), a = b('left'), t = b('tool')
	return Math.hypot(a[0] - t[0], a[1] - t[1]) - 0.1 })())`

// fakes stand for devices that a test machine does not have, below the interfaces that browsers offer: a gamepad with
// the standard layout, and a 6-dof mouse whose reports are those of its wire.
const fakes = `
	window.pad = { axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ pressed: false, value: 0 })) }
	window.pad.index = 1
	navigator.getGamepads = () => [null, window.pad]
	window.mouse = new EventTarget()
	window.mouse.open = async () => { window.mouse.opened = true }
	window.mouse.send = (id, ...values) => {
		const data = new DataView(new ArrayBuffer(2 * values.length))
		values.forEach((v, i) => data.setInt16(2 * i, v, true))
		window.mouse.dispatchEvent(Object.assign(new Event('inputreport'), { reportId: id, data }))
	}
	Object.defineProperty(navigator, 'hid', { configurable: true, value: Object.assign(new EventTarget(), { requestDevice: async () => [window.mouse] }) })`

// A gamepad, a 6-dof mouse and the pads on the screen move a tool while their switch is held, not without it, within
// the speed of the drive; they close and open the gripper; the log of all of it repeats the run bit for bit.
func TestDevicesSteerARobot(t *testing.T) {
	path := filepath.Join(t.TempDir(), record.InputsFile)
	s, stop := started(t, gantry, Options{Threads: 1, Speed: 1, InputsLog: path})
	_, address, end := servedToBrowsers(t, s)
	p := webtest.New(t, 1280, 720)
	// the page finds the devices when it is loaded
	p.Do(chromedp.ActionFunc(func(ctx context.Context) error { return onNewDocument(ctx, fakes) }))
	p.Open(address)
	p.Until(`!!curlfree.frame && !!curlfree.liveStatus`, chromedp.Evaluate(`{ const a = document.getElementById('live-axes'); a.value = 'world'; const v = document.getElementById('live-share'); v.value = 1 }`, nil))
	rests := func(what string) {
		t.Helper()
		p.Do(chromedp.Sleep(300 * time.Millisecond)) // to come to rest: 0.2 m/s at 2 m/s²
		x := pose(p, 0)
		p.Do(chromedp.Sleep(150 * time.Millisecond))
		if now := pose(p, 0); math.Abs(now-x) > 1e-4 {
			t.Errorf("%s: the tool moves from %g to %g", what, x, now)
		}
	}
	gamepad(t, p, rests)
	sixDofMouse(t, p, rests)
	pads(t, p, rests)
	p.Keep("live-devices")
	// the log of inputs is the run
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	end()
	in, err := record.ReadInputs(path)
	if err != nil {
		t.Fatal(err)
	}
	sc := load(t, gantry)
	if err := run.Replay(sc, in); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Run(context.Background(), sc, run.Options{Dir: t.TempDir(), Inputs: in}); err != nil {
		t.Error(err)
	}
	checkLog(t, in)
	p.NoFaults()
}

// checkLog checks that no input of the log asks for more than the drive allows, or moves without the switch.
func checkLog(t *testing.T, in *record.Inputs) {
	t.Helper()
	moved, gripped := false, false
	for _, i := range in.List {
		c := i.Teleop
		if c == nil {
			t.Fatalf("an input that no device made: %+v", i)
		}
		// corners of the sticks' square ask for √3 times the speed: the drive bounds it
		if c.Linear.Norm() > 0.2*math.Sqrt(3)+1e-9 || c.Angular.Norm() > 0.8*math.Sqrt(3)+1e-9 {
			t.Errorf("step %d asks for %v m/s, %v rad/s", i.Step, c.Linear, c.Angular)
		}
		if !c.Hold && (c.Linear.Norm() > 0 || c.Angular.Norm() > 0) {
			t.Errorf("step %d moves without the switch: %+v", i.Step, c)
		}
		moved, gripped = moved || c.Linear.Norm() > 0.1, gripped || c.Gripper != nil
	}
	if !moved || !gripped {
		t.Errorf("the log has no motion or no gripper in %d inputs", len(in.List))
	}
}

// gamepad steers by the fake gamepad: the left stick, and its right shoulder button as the switch.
func gamepad(t *testing.T, p *webtest.Tab, rests func(string)) {
	t.Helper()
	// in axes of the world, away is x and right is −y
	p.Run(`pad.axes[1] = -1`)
	rests("a stick without the switch")
	start := pose(p, 0)
	p.Run(`window.t0 = curlfree.frame.time; pad.buttons[5].pressed = true`)
	p.Until(`curlfree.frame.time > window.t0 + 0.5`)
	// no more than 0.2 m/s over the time that passed, and most of it
	moved, took := pose(p, 0)-start, p.Number(`curlfree.frame.time - window.t0`)
	if moved < 0.02 || moved > 0.2*(took+0.1) {
		t.Errorf("the stick moves the tool %g m in %g s", moved, took)
	}
	// speed between frames, once the tool goes at its bound
	v := p.Number(`new Promise(done => { const x = () => curlfree.frame.poses[7 * curlfree.scene.bodies.indexOf('tool')], t = curlfree.frame.time, a = x()
		const wait = () => curlfree.frame.time > t + 0.2 ? done((x() - a) / (curlfree.frame.time - t)) : requestAnimationFrame(wait); wait() })`)
	if math.Abs(v-0.2) > 0.01 {
		t.Errorf("the tool goes at %g m/s, its bound is 0.2", v)
	}
	p.Until(opening+` < 1e-3`, chromedp.Evaluate(`pad.axes[1] = 0; pad.buttons[0].pressed = true`, nil))                 // A closes
	p.Until(opening+` > 0.039`, chromedp.Evaluate(`pad.buttons[0].pressed = false; pad.buttons[1].pressed = true`, nil)) // B opens
	p.Run(`pad.buttons[1].pressed = false; pad.axes[1] = -1; pad.buttons[5].pressed = false`)
	rests("a released switch")
	// a window that loses the focus lets go, and a button that is still held does not count when it comes back
	p.Run(`pad.axes[1] = 1; pad.buttons[5].pressed = true`)
	p.Do(chromedp.Sleep(200 * time.Millisecond))
	p.Run(`window.dispatchEvent(new Event('blur'))`)
	rests("a window without the focus")
	p.Run(`pad.buttons[5].pressed = false; pad.axes[1] = 0`)
}

// sixDofMouse steers by reports of a 6-dof mouse: translation, rotation, and a button of it as the switch.
func sixDofMouse(t *testing.T, p *webtest.Tab, rests func(string)) {
	t.Helper()
	p.Until(`window.mouse.opened`, chromedp.Evaluate(`[...document.querySelectorAll('button')].find(b => b.textContent.startsWith('Connect')).click()`, nil))
	// full deflection is 350; y of the device points to the hand
	p.Run(`mouse.send(1, 0, -350, 0); mouse.send(2, 0, 0, -350)`)
	rests("a cap without a button")
	start, turn := pose(p, 0), pose(p, 6)
	p.Run(`mouse.send(3, 1)`)
	p.Do(chromedp.Sleep(500 * time.Millisecond))
	p.Run(`mouse.send(1, 0, 0, 0); mouse.send(2, 0, 0, 0)`)
	if d := pose(p, 0) - start; d < 0.02 || d > 0.3 {
		t.Errorf("the 6-dof mouse moves the tool %g m", d)
	}
	if d := pose(p, 6) - turn; d < 0.02 || d > 0.5 {
		t.Errorf("the 6-dof mouse turns the tool by the half sine %g", d)
	}
	p.Run(`mouse.send(1, 0, -350, 0); mouse.send(3, 0)`)
	rests("a released button")
	// pulled out while its button is held
	p.Run(`mouse.send(1, 0, 350, 0); mouse.send(3, 1)`)
	p.Do(chromedp.Sleep(200 * time.Millisecond))
	p.Run(`navigator.hid.dispatchEvent(Object.assign(new Event('disconnect'), { device: mouse }))`)
	rests("a device that is gone")
}

// pads steers by a finger on the pads of the page.
func pads(t *testing.T, p *webtest.Tab, rests func(string)) {
	t.Helper()
	height := pose(p, 2)
	touch := func(id, kind string, x, y float64) chromedp.Action {
		return chromedp.Evaluate(fmt.Sprintf(`{ const e = document.getElementById('%s'), r = e.getBoundingClientRect(); e.setPointerCapture = () => {}; e.hasPointerCapture = () => true
			e.dispatchEvent(new PointerEvent('%s', { pointerId: 1, clientX: r.left + %g * r.width, clientY: r.top + %g * r.height, bubbles: true })) }`, id, kind, x, y), nil)
	}
	p.Do(touch("live-pad-lift", "pointerdown", 0.5, 0), chromedp.Sleep(400*time.Millisecond))
	p.Do(touch("live-pad-lift", "pointerup", 0.5, 0))
	if d := pose(p, 2) - height; d < 0.02 || d > 0.25 {
		t.Errorf("the pad lifts the tool by %g m", d)
	}
	rests("a finger that was lifted")
	p.Until(opening+` < 1e-3`, touch("live-close", "pointerdown", 0.5, 0.5))
	p.Do(touch("live-close", "pointerup", 0.5, 0.5))
	rests("a button that was let go")
}

// Choosing another robot stops the one that moved, at once and not after the silence of the switch, and does not move
// the other with a switch that was held for the first.
func TestAnotherRobotStopsTheFirst(t *testing.T) {
	const two = `
time: {step: 0.005, duration: 1}
bodies:
  a: {mass: 1, pose: {xyz: [0, 0, 0.5]}, joint: {type: prismatic, axis: [1, 0, 0]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}
  b: {mass: 1, pose: {xyz: [0, 1, 0.5]}, joint: {type: prismatic, axis: [1, 0, 0]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}
drives:
  first: {robot: "", joints: [a], kp: 2000, kd: 100, target: {teleop: a, follow: position, speed: 0.2}}
  second: {robot: "", joints: [b], kp: 2000, kd: 100, target: {teleop: b, follow: position, speed: 0.2}}
`
	path := filepath.Join(t.TempDir(), record.InputsFile)
	s, stop := started(t, two, Options{Threads: 1, Speed: 1, InputsLog: path})
	_, address, end := servedToBrowsers(t, s)
	p := webtest.New(t, 1280, 720)
	p.Do(chromedp.ActionFunc(func(ctx context.Context) error { return onNewDocument(ctx, fakes) }))
	p.Open(address)
	x := func(body string) string {
		return `curlfree.frame.poses[7 * curlfree.scene.bodies.indexOf('` + body + `')]`
	}
	p.Until(x("a")+` > 0.05`, chromedp.Evaluate(`document.getElementById('live-axes').value = 'world'; pad.axes[1] = -1; pad.buttons[5].pressed = true`, nil))
	p.Run(`{ const r = document.getElementById('live-robot'); r.value = 1; r.dispatchEvent(new Event('change')) }`)
	p.Do(chromedp.Sleep(300 * time.Millisecond))
	a, b := p.Number(x("a")), p.Number(x("b"))
	p.Do(chromedp.Sleep(200 * time.Millisecond))
	if now := p.Number(x("a")); math.Abs(now-a) > 1e-4 {
		t.Errorf("the first robot continues from %g to %g m", a, now)
	}
	if b > 1e-3 || p.Number(x("b")) > 1e-3 {
		t.Errorf("the second robot moved %g m by a switch that was held for the first", b)
	}
	// released and held again, the switch is the second robot's
	p.Run(`pad.buttons[5].pressed = false`)
	p.Do(chromedp.Sleep(150 * time.Millisecond))
	p.Until(x("b")+` > 0.02`, chromedp.Evaluate(`pad.buttons[5].pressed = true`, nil))
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	end()
	in, err := record.ReadInputs(path)
	if err != nil || len(in.List) < 3 {
		t.Fatalf("%+v, %v", in, err)
	}
	// nobody had to wait for the deadline: the page said itself that the first robot was let go
	var held string
	for _, i := range in.List {
		if c := i.Teleop; c.Hold && held != "" && c.Drive != held {
			t.Errorf("step %d moves %s while %s is held", i.Step, c.Drive, held)
		} else if c.Hold {
			held = c.Drive
		} else if c.Drive == held {
			held = ""
		}
	}
	p.NoFaults()
}

// A gripper whose joints have no limits cannot be closed or opened: the scene says so, in place of a page that stays
// empty.
func TestGrippersNeedLimits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(path, []byte(strings.Replace(gantry, "lower: 0, upper: 0.04, ", "", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := scene.Load(path, nil); err == nil || !strings.Contains(err.Error(), `gripper: joint "left" has no limits`) {
		t.Errorf("a gripper without limits: %v", err)
	}
}

// onNewDocument runs a script before those of each page that is loaded.
func onNewDocument(ctx context.Context, script string) error {
	_, err := page.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
	return err
}
