// Steering a robot of a live run by keyboard, gamepad, 6-dof mouse or pads on the screen. The
// dead-man switch is sent again every 100 ms while it is held: a page that hangs stops the robot.

import * as THREE from 'three'
import { el } from './dom.js'
import { Gamepads, Keyboard, SixDof, merged } from './live_hands.js'

const period = 50, confirm = 100 // ms

export function addTeleop(app, link) {
  const robots = app.scene.live.teleops
  if (!robots.length) return null
  const box = app.panel('Steer the robot', 'left', true, true)
  const keyboard = new Keyboard(), sixDof = new SixDof(), pads = { hold: false, linear: [0, 0, 0], angular: [0, 0, 0], grip: 0 }
  const hands = [keyboard, new Gamepads(), sixDof, { read: () => pads, release: () => { pads.hold = false } }]
  const robot = el('select', { id: 'live-robot', 'aria-label': 'Robot' }, ...robots.map((r, i) => el('option', { value: i }, r.drive)))
  const axes = el('select', { id: 'live-axes', 'aria-label': 'Axes' }, ...['view', 'world', 'tool'].map(a => el('option', { value: a }, a)))
  const share = el('input', { type: 'range', min: 0.05, max: 1, step: 0.05, value: 0.6, id: 'live-share', 'aria-label': 'Share of the largest speed' })
  const state = el('output', { id: 'live-teleop', class: 'quiet', style: 'display:block' })
  if (robots.length > 1) box.append(el('label', { class: 'row' }, 'Robot', robot))
  box.append(el('label', { class: 'row' }, 'Axes', axes), el('label', { class: 'row' }, 'Speed', share))
  box.append(padsOf(pads, robots.some(r => r.grip[0] < r.grip[1])))
  if (navigator.hid) {
    box.append(el('button', { type: 'button', class: 'text', onclick: async () => {
      try {
        app.say(await sixDof.connect() ? 'The 6-dof mouse is connected: hold Shift or a button of it.' : 'No 6-dof mouse was chosen.')
      } catch (err) {
        app.say(`The 6-dof mouse does not answer: ${err.message}`)
      }
    } }, 'Connect a 6-dof mouse'))
  }
  box.append(state, el('p', { class: 'quiet' }, 'Hold Shift: W S A D Q E move, I K U O J L turn, Z X close and open.'))
  const grips = robots.map(() => null) // what is commanded of grippers
  let sent = null, at = 0, held = null // the drive whose switch is held

  // command turns what hands want into velocities of the robot
  const command = c => {
    const r = robots[+robot.value], s = +share.value, tool = axes.value === 'tool'
    const turned = v => (axes.value === 'view' ? inView(app.view, v) : axes.value === 'tool' ? v : [v[1], -v[0], v[2]])
    const out = { drive: r.drive, hold: true, linear: turned(c.linear).map(x => x * s * r.speed), angular: turned(c.angular).map(x => x * s * r.turn_speed) }
    if (tool) out.tool = true
    if (r.grip[0] < r.grip[1]) {
      const k = +robot.value
      if (c.grip) grips[k] = c.grip > 0 ? r.grip[1] : r.grip[0]
      if (grips[k] !== null) out.gripper = grips[k]
    }
    return out
  }
  const release = () => {
    for (const h of hands) h.release()
    tick()
  }
  const tick = () => {
    const c = merged(hands.map(h => h.read())), now = performance.now()
    // another robot was chosen, or the switch let go: the one that moved stops
    if (held !== null && (!c.hold || held !== robots[+robot.value].drive)) {
      link.send({ input: { teleop: { drive: held } } })
      held = null
    }
    if (!c.hold) {
      sent = null
      state.textContent = 'The switch is not held: the robot rests.'
      return
    }
    const teleop = command(c), text = JSON.stringify(teleop)
    if (text !== sent || now - at >= confirm) {
      link.send({ input: { teleop } })
      sent = text
      at = now
    }
    held = teleop.drive
    state.textContent = 'The robot follows.'
  }
  setInterval(tick, period)
  window.addEventListener('blur', release)
  document.addEventListener('visibilitychange', () => document.hidden && release())
  robot.addEventListener('change', release)
  return null
}

// inView turns right, away, up as the viewer sees them into the world: away is horizontal.
function inView(view, v) {
  const away = view.camera.getWorldDirection(new THREE.Vector3())
  away.addScaledVector(view.up, -away.dot(view.up))
  if (away.lengthSq() < 1e-6) away.copy(view.camera.up)
  away.normalize()
  const right = new THREE.Vector3().crossVectors(away, view.up)
  return right.multiplyScalar(v[0]).addScaledVector(away, v[1]).addScaledVector(view.up, v[2]).toArray().map(x => Math.round(x * 1e6) / 1e6)
}

// padsOf makes pads for fingers and mice: a press is the switch.
function padsOf(hand, gripper) {
  const pad = (name, wide, set) => {
    const knob = el('span', { style: 'position:absolute;left:50%;top:50%;width:14px;height:14px;margin:-7px;border-radius:50%;background:var(--accent);pointer-events:none' })
    const e = el('div', { role: 'button', 'aria-label': name, title: name, id: `live-pad-${name}`, style: `position:relative;touch-action:none;flex:${wide ? 2 : 1};height:84px;border:1px solid var(--line);border-radius:8px;background:var(--page)` }, knob,
      el('span', { class: 'quiet', style: 'position:absolute;left:6px;bottom:2px;pointer-events:none' }, name))
    const move = ev => {
      const r = e.getBoundingClientRect(), b = x => Math.max(-1, Math.min(1, x))
      const x = wide ? b(2 * (ev.clientX - r.left) / r.width - 1) : 0, y = b(1 - 2 * (ev.clientY - r.top) / r.height)
      knob.style.left = `${50 + 45 * x}%`
      knob.style.top = `${50 - 45 * y}%`
      set(x, y)
    }
    e.addEventListener('pointerdown', ev => { e.setPointerCapture(ev.pointerId); hand.hold = true; move(ev) })
    e.addEventListener('pointermove', ev => { if (e.hasPointerCapture(ev.pointerId)) move(ev) })
    const end = () => { hand.hold = false; knob.style.left = knob.style.top = '50%'; set(0, 0) }
    e.addEventListener('pointerup', end)
    e.addEventListener('pointercancel', end)
    return e
  }
  const hold = (name, sign) => {
    const b = el('button', { type: 'button', class: 'text', id: `live-${name}` }, name)
    b.addEventListener('pointerdown', ev => { b.setPointerCapture(ev.pointerId); hand.hold = true; hand.grip = sign })
    const end = () => { hand.hold = false; hand.grip = 0 }
    b.addEventListener('pointerup', end)
    b.addEventListener('pointercancel', end)
    return b
  }
  const bar = el('div', { class: 'bar' }, pad('move', true, (x, y) => { hand.linear[0] = x; hand.linear[1] = y }),
    pad('lift', false, (x, y) => { hand.linear[2] = y }), pad('turn', false, (x, y) => { hand.angular[2] = -y }))
  return el('div', {}, bar, gripper ? el('div', { class: 'bar' }, hold('close', -1), hold('open', 1)) : '')
}
