// Numbers of a live run: how fast it is, and where the time goes.

import { el } from './dom.js'
import { shown } from './signals.js'

export function addStats(app, link) {
  const box = app.panel('Speed of the run', 'right', false)
  const rows = new Map(), table = el('table', { id: 'live-stats' })
  const row = name => {
    const cell = el('td')
    rows.set(name, cell)
    table.append(el('tr', {}, el('th', {}, name), cell))
  }
  const stats = app.scene.stats
  const words = { real_time: 'share of real time', step: 'step', free_motion: 'free motion', inaccurate: 'parts less accurate than asked for', inputs: 'inputs so far' }
  for (const s of stats) row(words[s.name] || s.name)
  row('frames')
  box.append(table)
  let bytes = 0, frames = 0, since = performance.now()
  app.onFrame.push(f => {
    const now = performance.now()
    if (now - since < 500) return
    stats.forEach((s, i) => {
      const x = f.stats[i]
      rows.get(words[s.name] || s.name).textContent = s.name === 'real_time' ? `${(100 * x).toFixed(0)} %` : `${shown(x, 3)} ${s.unit}`
    })
    const t = (now - since) / 1000
    rows.get('frames').textContent = `${((link.frames - frames) / t).toFixed(0)} /s, ${((link.bytes - bytes) / t / 1e3).toFixed(0)} kB/s`
    bytes = link.bytes
    frames = link.frames
    since = now
  })
}
