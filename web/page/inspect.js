// What a picked body is and does: place, velocity, contacts.

import { el } from './dom.js'
import { scaleOf, shown } from './signals.js'

const withUnit = (x, unit) => {
  const s = scaleOf(Math.abs(x), unit)
  return `${shown(x / s.factor)} ${s.unit}`
}

// list of numbers in one unit, all with the decimals of the largest: least is what the format can tell
function triple(v, unit, least = 0) {
  const top = Math.max(...v.map(Math.abs)), s = scaleOf(top, unit)
  const known = top > 0 ? Math.max(10 ** (Math.floor(Math.log10(top)) - 4), least) / s.factor : 1
  const decimals = Math.max(0, Math.min(6, -Math.floor(Math.log10(known) + 1e-9)))
  return `${v.map(x => shown(Number((x / s.factor).toFixed(decimals)), 6)).join(', ')} ${s.unit}`
}

// roll, pitch and yaw of a quaternion w x y z, degrees
function angles(w, x, y, z) {
  const d = 180 / Math.PI
  return [Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))].map(a => a * d)
}

// placeOf returns the place of a body: its origin, or the mean of a deformable's surface.
function placeOf(body, frame) {
  if (body.data) {
    const v = frame.verts[body.index], sum = [0, 0, 0]
    for (let i = 0; i < v.length; i++) sum[i % 3] += v[i]
    return sum.map(x => x / (v.length / 3))
  }
  return body.number < 0 ? [0, 0, 0] : Array.from(frame.poses.subarray(7 * body.number, 7 * body.number + 3))
}

// forcesOn returns the force on a body from each other body, and whether they slide.
function forcesOn(body, frame, name) {
  const sums = new Map()
  const add = (a, b, force) => {
    if (a !== body.number && b !== body.number) return
    const other = a === body.number ? b : a, sign = b === body.number ? 1 : -1
    const s = sums.get(other) || [0, 0, 0, 0]
    for (let k = 0; k < 3; k++) s[k] += sign * force[k]
    s[3]++
    sums.set(other, s)
  }
  for (const c of frame.contacts) add(c.a, c.b, c.force)
  for (const c of frame.surfaces) if (c.counts.length) add(c.a, c.b, c.force)
  return [...sums].map(([other, s]) => ({ name: other < 0 ? 'world' : name[other], force: s.slice(0, 3), count: s[3] }))
}

export class Inspector {
  constructor(panel, scene) {
    Object.assign(this, { panel, scene })
    this.last = null
  }

  pick(body) {
    this.body = body
    this.last = null
    this.panel.hidden = !body
    this.panel.open = !!body
  }

  // show writes the numbers of a frame. Velocities are differences from the frame shown
  // before, which is nearby in time when playing.
  show(frame) {
    if (!this.body) return
    const { body } = this, rows = []
    const at = placeOf(body, frame)
    rows.push([body.data ? 'centre' : 'position', triple(at, 'm', this.scene.quantum)])
    if (!body.data && body.number >= 0) {
      const p = frame.poses, k = 7 * body.number
      rows.push(['roll, pitch, yaw', angles(p[k + 3], p[k + 4], p[k + 5], p[k + 6]).map(a => shown(Number(a.toFixed(3)), 6)).join(', ') + '°'])
    }
    if (this.last && frame.time !== this.last.time) {
      const dt = frame.time - this.last.time
      const least = this.scene.quantum / Math.abs(dt) // what positions on the grid can tell
      this.velocity = Math.abs(dt) < 0.3 ? at.map((x, i) => Math.round((x - this.last.at[i]) / dt / least) * least) : null
    }
    if (this.velocity) rows.push(['velocity', triple(this.velocity, 'm/s')])
    this.last = { time: frame.time, at }
    if (body.data) {
      // values at vertices are means over their elements: a peak within one element is larger, as signals tell
      const tops = []
      this.scene.fields.forEach((f, i) => {
        const values = frame.fields.get(i)?.[body.index]
        if (values) tops.push([f.label, withUnit(values.reduce((a, b) => Math.max(a, b), 0), f.unit)])
      })
      if (tops.length) rows.push(['largest at vertices of the surface', ''], ...tops)
    }
    const contacts = forcesOn(body, frame, this.scene.bodies)
    const table = el('table', {}, ...rows.map(([a, b]) => b === '' ? el('tr', {}, el('th', { colspan: 2, class: 'group' }, a)) : el('tr', {}, el('th', { scope: 'row' }, a), el('td', {}, b))))
    const forces = contacts.length === 0 ? el('p', { class: 'quiet' }, 'touches nothing')
      : el('table', {}, ...contacts.map(c => el('tr', {}, el('th', { scope: 'row' }, `force from ${c.name}`), el('td', {}, triple(c.force, 'N')))))
    this.panel.querySelector('.content').replaceChildren(el('p', { class: 'title' }, body.name), table, forces)
  }
}
