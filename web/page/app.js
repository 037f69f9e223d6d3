// The page: joins the picture, panels and the source of frames.
//
// Panels of other modules use
//
//   app.view          the picture, see view.js
//   app.source        the source of frames, see source.js
//   app.panel(title, side, open, first)  a new panel at the 'left' or 'right', below or above the others; returns its content
//   app.toolbar       the buttons at the top
//   app.footer        the line at the bottom, where the timeline is
//   app.key(key, name, act)  a key, with the words for the help
//   app.onFrame       functions that are called with each frame that is shown
//   app.onPick        functions that are called with what is picked, or null
//   app.say(text)     a message at the bottom, which disappears

import { button, el, icons } from './dom.js'
import { View } from './view.js'
import { Tree } from './tree.js'
import { Timeline } from './timeline.js'
import { Charts } from './charts.js'
import { Inspector } from './inspect.js'
import { Cut } from './cut.js'
import { gradient } from './colormap.js'
import { largest } from './surfaces.js'
import { roundUp, scaleOf, shown } from './signals.js'

// narrow matches pages with little room, such as those of phones: the same condition as in style.css
const narrow = matchMedia('(max-width: 760px), (max-height: 480px) and (max-width: 960px)')

export class App {
  constructor(source) {
    this.source = source
    this.scene = source.scene
    this.onFrame = []
    this.onPick = []
    this.keys = []
    this.left = document.getElementById('left')
    this.right = document.getElementById('right')
    this.toolbar = document.getElementById('toolbar')
    this.footer = document.getElementById('footer')
    document.title = this.scene.title || 'curlfree'
    document.getElementById('title').textContent = (this.scene.title || '').split('\n')[0]
    this.view = new View(document.getElementById('view'), this.scene)
    this.tops = this.scene.fields.map(f => f.max) // of the scales of colours
    this.surfaceTop = { pressure: 0, slip: 0 }
    this.addLegend()
    this.addPanels()
    this.addTools()
    this.addPicking()
    this.addKeys()
    this.setTheme(this.preferred())
    if (source.live) {
      source.listen(f => this.showLive(f))
    } else {
      this.timeline = new Timeline(this.footer, source, f => this.show(f))
    }
    source.controls?.(this)
  }

  // panel adds a section that opens and closes; what is used all the time comes first.
  panel(title, side = 'left', open = true, first = false) {
    const content = el('div', { class: 'content' })
    const section = el('details', { class: 'panel', open }, el('summary', {}, title), content)
    if (first) this[side].prepend(section)
    else this[side].append(section)
    return content
  }

  key(key, name, act) { this.keys.push({ key, name, act }) }

  say(text) {
    const note = document.getElementById('note')
    note.textContent = text
    note.classList.add('on')
    clearTimeout(this.noteTimer)
    this.noteTimer = setTimeout(() => note.classList.remove('on'), 4000)
  }

  addPanels() {
    const about = this.panel('Colours and forces')
    this.fieldSelect = el('select', { id: 'field', onchange: () => this.refresh() },
      el('option', { value: -1 }, 'own colours'), ...this.scene.fields.map((f, i) => el('option', { value: i }, f.label)))
    const wanted = this.scene.fields.findIndex(f => f.name === (this.view.options.Field || 'von_mises'))
    this.fieldSelect.value = this.view.options.Field === 'none' ? -1 : wanted
    if (this.scene.fields.length) about.append(el('label', { class: 'row', for: 'field' }, 'Colour', this.fieldSelect))
    this.quantity = el('select', { onchange: () => this.refresh() }, el('option', { value: 'pressure' }, 'pressure'), el('option', { value: 'slip' }, 'sliding speed'))
    const check = (name, on, act) => {
      const box = el('input', { type: 'checkbox', onchange: () => { act(box.checked); this.view.invalidate() } })
      box.checked = on
      act(on)
      about.append(el('label', { class: 'row' }, name, box))
      return box
    }
    check('Contact forces', this.view.options.Forces !== false, on => { this.view.arrows.group.visible = on })
    this.surfaceBox = check('Contact surfaces', this.view.options.ContactSurfaces !== false, on => { this.view.surfaces.group.visible = on; this.updateLegend?.() })
    about.append(this.surfaceRow = el('label', { class: 'row', hidden: true }, 'Contact surfaces by', this.quantity))
    check('Shadows', true, on => { this.view.sun.castShadow = on })
    this.cut = new Cut(this.panel('Cut', 'left', false), this.view)
    this.tree = new Tree(this.panel('Bodies'), this.view, b => this.pick({ body: b }))
    const picked = this.panel('Picked body', 'right')
    picked.parentElement.hidden = true
    this.inspector = new Inspector(picked.parentElement, this.scene)
    const { signals } = this.source
    if (signals.columns.length) {
      this.charts = new Charts(this.panel('Signals', 'right'), signals, { live: this.source.live, seek: t => this.timeline.seekTime(t) })
      new ResizeObserver(() => this.charts.resize()).observe(this.right)
    } else {
      this.right.classList.add('empty')
    }
  }

  addLegend() {
    this.legend = document.getElementById('legend')
    this.forceKey = document.getElementById('forces')
    // squares of the ground tell how large bodies are
    const squares = new Set(this.view.grounds.map(g => g.ground.square))
    if (squares.size === 1) {
      const [square] = squares, s = scaleOf(square, 'm'), key = document.getElementById('squares')
      key.textContent = `squares of ${shown(square / s.factor, 3)} ${s.unit}`
      key.hidden = false
    }
  }

  // updateLegend writes the scale of colours with round numbers and its unit.
  updateLegend() {
    const field = +this.fieldSelect.value
    const quantity = this.quantity.value, faces = this.surfaceTop[quantity] > 0 && this.surfaceBox?.checked
    const parts = []
    // values above the top have its colour, which the sign ≥ says
    const scale = (label, top, unit, beyond) => {
      const s = scaleOf(top, unit), half = shown(top / 2 / s.factor, 3)
      parts.push(el('div', { class: 'scale' }, el('div', { class: 'label' }, `${label} (${s.unit})`),
        el('div', { class: 'ramp', style: `background:${gradient('to right')}` }),
        el('div', { class: 'ticks' }, el('span', {}, '0'), el('span', {}, half), el('span', {}, (beyond ? '≥' : '') + shown(top / s.factor, 3)))))
    }
    if (field >= 0 && this.tops[field] > 0) scale(this.scene.fields[field].label, this.tops[field], this.scene.fields[field].unit, this.peak > 1.000001 * this.tops[field])
    if (faces) scale(quantity === 'pressure' ? 'contact pressure' : 'sliding speed of faces', roundUp(this.surfaceTop[quantity]), quantity === 'pressure' ? 'Pa' : 'm/s')
    const key = parts.map(p => p.textContent).join('|')
    if (key !== this.legendKey) {
      this.legend.replaceChildren(...parts)
      this.legendKey = key
    }
    const { arrows } = this.view
    this.forceKey.hidden = !(arrows.top > 0 && arrows.group.visible)
    const s = scaleOf(arrows.reference, 'N')
    const text = `contact force ${shown(arrows.reference / s.factor, 3)} ${s.unit}`
    if (this.forceKey.lastChild.textContent !== text) this.forceKey.lastChild.textContent = text
    // the arrow of the key is as long as one in the middle of the picture
    const d = this.view.camera.position.distanceTo(this.view.orbit.target)
    const pixels = arrows.length / (2 * d * Math.tan(this.view.camera.fov * Math.PI / 360)) * this.view.parent.clientHeight
    this.forceKey.firstElementChild.style.width = `${Math.max(12, Math.min(160, pixels))}px`
  }

  addTools() {
    const { toolbar } = this
    // pages with little room show one panel at a time, at first that of the signals, see style.css
    const { body } = document
    body.dataset.panel = 'right'
    const panels = name => () => {
      if (!narrow.matches) {
        body.classList.toggle('no-' + name)
        return
      }
      body.dataset.panel = body.dataset.panel === name ? '' : name
      body.classList.remove('no-' + name)
    }
    toolbar.append(
      button('Bodies and colours (b)', icons.list, panels('left')), button('Signals (s)', icons.chart, panels('right')),
      button('Camera of the scene (c)', icons.home, () => this.view.home()),
      button('Copy the camera as keys of a scene file (k)', icons.copy, () => this.copyCamera()),
      button('Save a picture (p)', icons.camera, () => this.screenshot()),
      button('Light or dark (d)', icons.theme, () => this.setTheme(!this.dark)),
      button('Keys (?)', icons.help, () => this.help()))
    this.panels = panels
  }

  preferred() {
    try {
      const kept = localStorage.getItem('curlfree-theme')
      if (kept) return kept === 'dark'
    } catch { /* pages from disk may have no storage */ }
    return matchMedia('(prefers-color-scheme: dark)').matches
  }

  setTheme(dark) {
    this.dark = dark
    document.documentElement.dataset.theme = dark ? 'dark' : 'light'
    try { localStorage.setItem('curlfree-theme', dark ? 'dark' : 'light') } catch { /* as above */ }
    this.view.setTheme(dark)
    this.charts?.setTheme(dark)
  }

  async copyCamera() {
    const text = this.view.cameraKeys()
    try {
      await navigator.clipboard.writeText(text)
      this.say('The camera is copied: put it into the scene file.')
    } catch {
      this.dialog('Camera', el('pre', {}, text)) // browsers may refuse pages from disk
    }
  }

  screenshot() {
    this.view.draw()
    this.view.canvas.toBlob(blob => {
      const a = el('a', { href: URL.createObjectURL(blob), download: `${(document.title || 'curlfree').replace(/\W+/g, '-')}-${this.frame ? this.frame.time.toFixed(3) : 0}s.png` })
      a.click()
      setTimeout(() => URL.revokeObjectURL(a.href), 1000)
    })
  }

  dialog(title, ...content) {
    const d = el('dialog', { 'aria-label': title }, el('h2', {}, title), ...content,
      el('form', { method: 'dialog' }, el('button', { class: 'text', autofocus: true }, 'Close')))
    d.addEventListener('close', () => d.remove())
    document.body.append(d)
    d.showModal()
  }

  help() {
    const names = { ' ': 'space', ArrowLeft: '←', ArrowRight: '→' }
    this.dialog('Keys', el('table', {}, ...this.keys.map(k => el('tr', {}, el('td', {}, el('kbd', {}, names[k.key] || k.key)), el('td', {}, k.name)))),
      el('p', { class: 'quiet' }, 'Drag turns the camera, the right button or two fingers move it, the wheel zooms. Click a body to see its numbers.'))
  }

  addKeys() {
    if (!this.source.live) {
      this.key(' ', 'play or pause', () => this.timeline.toggle())
      this.key('ArrowLeft', 'frame before; ten with shift', e => this.timeline.step(e.shiftKey ? -10 : -1))
      this.key('ArrowRight', 'frame after; ten with shift', e => this.timeline.step(e.shiftKey ? 10 : 1))
      this.key('Home', 'first frame', () => { this.timeline.pause(); this.timeline.seek(0) })
      this.key('End', 'last frame', () => { this.timeline.pause(); this.timeline.seek(this.source.times.length - 1) })
      this.key('l', 'play again at the end', () => this.timeline.setLoop(!this.timeline.loop))
    }
    this.key('b', 'bodies and colours', () => this.panels('left')())
    this.key('s', 'signals', () => this.panels('right')())
    this.key('f', 'next field of colours', () => this.nextField())
    this.key('1', 'look from x', () => this.view.lookFrom([1, 0, 0]))
    this.key('2', 'look from −y', () => this.view.lookFrom([0, -1, 0]))
    this.key('3', 'look from above', () => this.view.lookFrom([0, -1e-3, 1]))
    this.key('c', 'camera of the scene', () => this.view.home())
    this.key('k', 'copy the camera as keys of a scene file', () => this.copyCamera())
    this.key('p', 'save a picture', () => this.screenshot())
    this.key('d', 'light or dark', () => this.setTheme(!this.dark))
    this.key('Escape', 'pick nothing', () => this.pick(null))
    this.key('?', 'this list', () => this.help())
    document.addEventListener('keydown', e => {
      if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return
      const tag = e.target.tagName
      // elements that use keys themselves keep them
      if (tag === 'SELECT' || tag === 'TEXTAREA' || (tag === 'INPUT' && e.target.type !== 'checkbox' && !(e.target === this.timeline?.slider && e.key === ' '))) return
      if (e.key === ' ' && (tag === 'BUTTON' || tag === 'SUMMARY' || tag === 'INPUT') && e.target !== this.timeline?.slider) return
      const k = this.keys.find(x => x.key === e.key)
      if (!k) return
      e.preventDefault()
      k.act(e)
    })
    // a button that was clicked by a pointer gives the space key back
    document.addEventListener('click', e => { if (e.detail > 0) e.target.closest?.('button')?.blur() })
  }

  nextField() {
    if (!this.scene.fields.length) return
    const n = this.scene.fields.length
    this.fieldSelect.value = (+this.fieldSelect.value + 2) % (n + 1) - 1
    this.refresh()
  }

  addPicking() {
    let down = null
    const { canvas } = this.view
    canvas.addEventListener('pointerdown', e => { down = [e.clientX, e.clientY] })
    canvas.addEventListener('pointerup', e => {
      if (!down || e.button !== 0 || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return
      this.pick(this.view.pickAt(e.clientX, e.clientY))
    })
    this.view.beforeDraw.push(() => this.frame && this.updateLegend())
  }

  pick(hit) {
    const body = hit?.body || null
    this.picked?.setMarked(false)
    this.picked = body
    body?.setMarked(true)
    this.tree.mark(body)
    this.inspector.pick(body)
    if (this.frame) this.inspector.show(this.frame)
    for (const f of this.onPick) f(hit)
    this.view.invalidate()
  }

  refresh() { if (this.frame) this.show(this.frame) }

  // show draws a frame with all that belongs to it.
  show(frame) {
    this.frame = frame
    const field = +this.fieldSelect.value
    this.peak = 0 // largest value of the field in this frame
    for (const values of frame.fields.get(field) || []) for (const v of values) this.peak = Math.max(this.peak, v)
    // scales that the scene does not give grow with the run
    if (field >= 0 && !this.scene.fields[field].max) this.tops[field] = Math.max(this.tops[field], this.peak > 0 ? roundUp(this.peak) : 0)
    for (const q of ['pressure', 'slip']) this.surfaceTop[q] = Math.max(this.surfaceTop[q], largest(frame, q))
    this.surfaceRow.hidden = !(this.surfaceTop.pressure > 0)
    const q = this.quantity.value
    this.view.show(frame, field, this.tops[field] || 1, q, roundUp(this.surfaceTop[q]))
    this.inspector.show(frame)
    if (!this.source.live) this.charts?.setTime(frame.time)
    for (const f of this.onFrame) f(frame)
  }

  showLive(frame) {
    this.show(frame)
    this.charts?.append(frame.time, frame.signals)
  }
}
