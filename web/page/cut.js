// The panel of the cut: a plane across x, y or z that opens bodies.

import { Box3 } from 'three'
import { el } from './dom.js'
import { scaleOf, shown } from './signals.js'

const STEPS = 1000 // of the slider

export class Cut {
  constructor(parent, view) {
    Object.assign(this, { view, flip: false, at: null })
    this.axis = el('select', { 'aria-label': 'Axis of the cut', id: 'cut-axis', onchange: () => this.begin() },
      ...['off', 'x', 'y', 'z'].map(a => el('option', { value: a === 'off' ? '' : a }, a)))
    this.place = el('input', { type: 'range', min: 0, max: STEPS, value: STEPS / 2, 'aria-label': 'Place of the cut', id: 'cut-place', onpointerdown: () => this.widen(), oninput: () => this.move() })
    this.out = el('output', { id: 'cut-value' })
    const other = el('button', { type: 'button', class: 'text', onclick: () => { this.flip = !this.flip; this.apply() } }, 'Other half')
    parent.append(el('label', { class: 'row' }, 'Axis', this.axis), el('label', { class: 'row' }, 'Place', this.place), el('div', { class: 'bar' }, other, this.out))
  }

  // begin cuts through the middle of what is shown now: bodies of a run may be far from where they began.
  begin() {
    this.range = null
    this.at = null
    this.place.value = STEPS / 2
    if (this.axis.value) {
      this.widen()
      this.at = (this.range[0] + this.range[1]) / 2
    }
    this.apply()
  }

  // widen lets the slider reach all bodies of the frame, from 5 % outside of them, and leaves the plane where it is.
  widen() {
    if (!this.axis.value) return
    const box = new Box3()
    this.view.scene3.updateMatrixWorld() // the frame may not be drawn yet
    for (const b of this.view.bodies) if (b.visible) box.expandByObject(b.group)
    if (box.isEmpty()) box.set(this.view.low, this.view.high)
    const k = this.axis.value, edge = 0.05 * box.min.distanceTo(box.max)
    const [low, high] = this.range || [Infinity, -Infinity]
    this.range = [Math.min(low, box.min[k] - edge), Math.max(high, box.max[k] + edge)]
    if (this.at !== null) this.place.value = STEPS * (this.at - this.range[0]) / (this.range[1] - this.range[0])
  }

  move() {
    if (!this.axis.value) return
    this.at = this.range[0] + (this.range[1] - this.range[0]) * this.place.value / STEPS
    this.apply()
  }

  apply() {
    const k = this.axis.value, s = scaleOf(this.view.size, 'm')
    this.out.textContent = k ? `${k} = ${shown(this.at / s.factor, 3)} ${s.unit}` : ''
    this.view.setCut(k, this.at ?? 0, this.flip)
  }
}
