// What a hand commands: each device gives {hold, linear, angular, grip} with components from
// −1 to 1; linear is right, away, up as seen by the axes that the page chose, grip > 0 opens.

// keys by their place on the keyboard, so that layouts of other languages have them there too
const keys = {
  KeyD: ['linear', 0, 1], KeyA: ['linear', 0, -1], KeyW: ['linear', 1, 1], KeyS: ['linear', 1, -1], KeyE: ['linear', 2, 1], KeyQ: ['linear', 2, -1],
  KeyI: ['angular', 0, -1], KeyK: ['angular', 0, 1], KeyO: ['angular', 1, 1], KeyU: ['angular', 1, -1], KeyJ: ['angular', 2, 1], KeyL: ['angular', 2, -1],
  KeyX: ['grip', 0, 1], KeyZ: ['grip', 0, -1],
}

const nothing = () => ({ hold: false, linear: [0, 0, 0], angular: [0, 0, 0], grip: 0 })

// Keyboard: Shift is the switch. While it is held, keys of the page rest.
export class Keyboard {
  constructor() {
    this.down = new Set()
    this.hold = false
    const press = (e, on) => {
      if (e.key === 'Shift') {
        this.hold = on && e.target.type !== 'search' // where capital letters are typed
      } else if (e.code in keys && (this.hold || !on)) {
        if (on) this.down.add(e.code)
        else this.down.delete(e.code)
        if (this.hold) {
          e.preventDefault()
          e.stopPropagation()
        }
      }
    }
    window.addEventListener('keydown', e => press(e, true), true)
    window.addEventListener('keyup', e => press(e, false), true)
  }

  release() {
    this.down.clear()
    this.hold = false
  }

  read() {
    const c = nothing()
    c.hold = this.hold
    for (const code of this.down) {
      const [part, axis, sign] = keys[code]
      if (part === 'grip') c.grip += sign
      else c[part][axis] += sign
    }
    return c
  }
}

// Gamepad: the right shoulder button is the switch. A pad keeps no record of what was pressed: after release() its
// button has to be seen up before it counts again.
export class Gamepads {
  constructor() { this.spent = new Set() } // numbers of pads whose button was held at a release

  read() {
    const c = nothing()
    for (const pad of navigator.getGamepads?.() || []) {
      if (!pad) continue
      if (!pad.buttons[5]?.pressed) this.spent.delete(pad.index)
      if (this.spent.has(pad.index)) continue
      const a = i => { const x = pad.axes[i] || 0; return Math.abs(x) < 0.12 ? 0 : x }
      const b = i => (pad.buttons[i]?.pressed ? 1 : 0)
      if (!b(5)) continue
      c.hold = true
      c.linear = [a(0), -a(1), -a(3)]
      c.angular = [b(13) - b(12), b(15) - b(14), -a(2)]
      c.grip = b(1) - b(0)
    }
    return c
  }

  release() {
    for (const pad of navigator.getGamepads?.() || []) if (pad?.buttons[5]?.pressed) this.spent.add(pad.index)
  }
}

// SixDof is a 6-dof mouse by WebHID: reports 1 and 2 are translation and rotation, 16 bits
// each, some devices send both in report 1; report 3 are buttons.
export class SixDof {
  constructor() {
    this.c = nothing()
    this.buttons = 0
  }

  async connect() {
    const list = await navigator.hid.requestDevice({ filters: [{ vendorId: 0x256f }, { vendorId: 0x046d, usagePage: 1, usage: 8 }] })
    // a device that is pulled out sends no report that its button is up
    navigator.hid.addEventListener?.('disconnect', e => {
      if (!list.includes(e.device)) return
      this.c = nothing()
      this.buttons = 0
    })
    for (const device of list) {
      if (!device.opened) await device.open()
      device.addEventListener('inputreport', e => this.report(e.reportId, e.data))
    }
    return list.length > 0
  }

  report(id, data) {
    const three = at => [0, 2, 4].map(k => Math.max(-1, Math.min(1, data.getInt16(at + k, true) / 350)))
    // the device's axes are right, towards the hand, down
    const turn = v => [v[0], -v[1], -v[2]]
    if (id === 1) {
      this.c.linear = turn(three(0))
      if (data.byteLength >= 12) this.c.angular = turn(three(6))
    } else if (id === 2) {
      this.c.angular = turn(three(0))
    } else if (id === 3) {
      this.buttons = data.getUint8(0)
    }
  }

  release() { this.buttons = 0 }

  read() { return { ...this.c, hold: this.buttons !== 0 } }
}

// merged adds what several hands command.
export function merged(list) {
  const c = nothing()
  for (const h of list) {
    if (h.hold) c.hold = true
    for (let k = 0; k < 3; k++) {
      c.linear[k] += h.linear[k]
      c.angular[k] += h.angular[k]
    }
    c.grip += h.grip
  }
  const bound = x => Math.max(-1, Math.min(1, x))
  return { hold: c.hold, linear: c.linear.map(bound), angular: c.angular.map(bound), grip: bound(c.grip) }
}
