// Panels of a live run: see app.js for what a panel can use. link sends commands and tells
// the status, see source_live.js.

import { button, el, icons } from './dom.js'
import { shown } from './signals.js'
import { addStats } from './live_stats.js'
import { addSliders } from './live_sliders.js'
import { addDrag } from './live_drag.js'
import { addTeleop } from './live_teleop.js'

export function addControls(app, link) {
  const parts = [addTransport(app, link), addSliders(app, link), addTeleop(app, link), addDrag(app, link), addStats(app, link)]
  link.onStatus = status => {
    if (status.closed) {
      document.body.classList.add('closed')
      app.fault?.('The live run has ended, or does not reach this page.')
      app.say('The live run has ended, or does not reach this page: load it anew, or start the run again.')
      return
    }
    app.liveStatus = status // for consoles and tests
    for (const p of parts) p?.status?.(status)
  }
  link.onError = text => app.say(text)
  // the run sends only the field that is shown
  let field = null
  const choose = () => {
    const k = +app.fieldSelect.value, name = k >= 0 ? app.scene.fields[k]?.name : undefined
    if (name === field) return
    field = name
    link.send({ do: 'fields', fields: name ? [name] : [] })
  }
  choose()
  app.onFrame.push(choose)
}

// addTransport adds play, step, reset, jumps and speed to the line at the bottom.
function addTransport(app, link) {
  let paused = false, failure = ''
  const toggle = () => link.send({ do: paused ? 'play' : 'pause' })
  const step = () => link.send({ do: 'step' })
  const reset = () => link.send({ do: 'reset' })
  const play = button('Play or pause (space)', icons.pause, toggle, { class: 'primary', id: 'live-play' })
  const saved = el('select', { 'aria-label': 'Go back to', title: 'Go back to a time', id: 'live-jump', class: 'wide-only', onchange: () => {
    if (saved.value) link.send({ do: 'jump', time: +saved.value })
    saved.value = ''
  } })
  const speeds = [[0.05, '1/20×'], [0.1, '1/10×'], [0.25, '1/4×'], [0.5, '1/2×'], [1, '1×'], [2, '2×'], [0, 'fastest']]
  const speed = el('select', { 'aria-label': 'Speed', title: 'Speed', id: 'live-speed', onchange: () => link.send({ do: 'speed', speed: +speed.value }) },
    ...speeds.map(([v, text]) => el('option', { value: v }, text)))
  const time = el('output', { class: 'time', id: 'live-time' })
  const fault = el('span', { role: 'alert', id: 'live-failure', style: 'flex:1;min-width:0;color:#d62d48' })
  app.footer.append(button('Back to the start (r)', icons.back, reset, { id: 'live-reset' }), play,
    button('One step (.)', icons.next, step, { id: 'live-step' }), fault, time, saved, speed)
  app.key(' ', 'play or pause', toggle)
  app.key('.', 'one step', step)
  app.key('r', 'back to the start', reset)
  app.onFrame.push(f => { time.textContent = `${f.time.toFixed(2)} s` })
  return {
    status(s) {
      paused = s.paused
      failure = s.failure || ''
      play.querySelector('path').setAttribute('d', paused ? icons.play : icons.pause)
      play.setAttribute('aria-pressed', !paused)
      fault.textContent = failure
      if (![...speed.options].some(o => +o.value === s.speed)) speed.append(el('option', { value: s.speed }, `${shown(s.speed)}×`))
      speed.value = s.speed
      saved.replaceChildren(el('option', { value: '' }, 'go back to'), ...s.saved.map(t => el('option', { value: t }, `${shown(t)} s`)))
    },
  }
}
