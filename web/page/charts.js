// Charts of signals beside the picture: one for each unit, with the time of the frame.

import uPlot from 'uplot'
import { groupsOf, scaleOf, shown } from './signals.js'

// colours for colour-blind readers (Okabe and Ito), for light and dark pages
const light = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#8a6d00', '#4b8bbe', '#000000']
const dark = ['#56b4e9', '#e69f00', '#2fc99a', '#e69ac4', '#f0e442', '#9fc5ff', '#ffffff']

const trim = (name, unit) => {
  const ends = { 'm/s': '_m_per_s', 'N m': '_Nm', 'mm²': '_mm2', 'cm²': '_cm2', 'm²': '_m2', '°': '_deg' }
  const end = ends[unit] || unit && '_' + unit
  return end && name.endsWith(end) ? name.slice(0, -end.length) : name
}

// room for the numbers beside an axis, pixels
const room = (_, texts) => Math.max(46, 14 + 6.5 * Math.max(0, ...(texts || []).map(s => s.length)))

// range of an axis for values from lo to hi; numbers that stay the same, up to the rounding of a computer, stand in the
// middle: ticks within that rounding would have too many digits
const range = (_, lo, hi) => {
  if (lo === null) return [0, 1]
  const top = Math.max(Math.abs(lo), Math.abs(hi))
  if (top < 1e-12) return [-0.1, 0.1]
  return hi - lo <= 1e-9 * top ? [lo - (Math.abs(lo) || 1) / 10, hi + (Math.abs(hi) || 1) / 10] : uPlot.rangeNum(lo, hi, 0.1, true)
}

// Charts fills an element. seek(t) is called when a reader clicks into a chart.
export class Charts {
  constructor(parent, signals, { seek, live }) {
    Object.assign(this, { parent, signals, seek, live })
    this.time = 0
    this.plots = []
    this.groups = groupsOf(signals.columns)
  }

  setTheme(isDark) {
    this.dark = isDark
    this.build()
  }

  build() {
    for (const p of this.plots) p.destroy()
    this.parent.textContent = ''
    this.plots = this.groups.map(g => this.chart(g))
    this.setTime(this.time)
  }

  chart(group) {
    const { columns, time, values } = this.signals
    let top = 0
    for (const m of group.members) for (const v of values[m]) top = Math.max(top, Math.abs(v || 0))
    const scale = scaleOf(top < 1e-12 ? 0 : top, group.unit)
    const colors = this.dark ? dark : light
    const ink = this.dark ? '#aeb8c4' : '#4a5361', grid = this.dark ? '#2b333d' : '#e3e7ec'
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: '11px system-ui, sans-serif' }
    const label = scale.unit || 'number'
    const plot = new uPlot({
      width: Math.max(200, this.parent.clientWidth - 24), height: 150,
      scales: { x: { time: false }, y: { range } },
      pxAlign: false,
      cursor: { y: false, drag: { x: true, y: false } },
      legend: { live: true, markers: { width: 0, fill: (u, i) => u.series[i].stroke() } },
      axes: [
        { ...axis, size: 26, values: (_, s) => s.map((v, i) => shown(v) + (i === s.length - 1 ? ' s' : '')) },
        { ...axis, size: room, label, labelSize: 16, labelFont: '11px system-ui, sans-serif', values: (_, s) => s.map(v => shown(v / scale.factor)) },
      ],
      series: [
        { label: 't', value: (_, v) => (v == null ? '' : shown(v) + ' s') },
        ...group.members.map((m, k) => ({
          label: trim(columns[m].name, group.unit), stroke: colors[k % colors.length], width: 1.5, dash: k >= colors.length ? [6, 4] : undefined,
          points: { show: false }, spanGaps: false, pxAlign: 0, value: (_, v) => (v == null ? '' : shown(v / scale.factor)),
        })),
      ],
      hooks: { draw: [u => this.mark(u)], ready: [u => u.setLegend({ idx: u.valToIdx(this.time) })] },
    }, [time, ...group.members.map(m => values[m])], this.parent)
    plot.over.addEventListener('click', e => {
      if (this.live) return
      const t = plot.posToVal(e.clientX - plot.over.getBoundingClientRect().left, 'x')
      if (plot.select.width === 0) this.seek(t)
    })
    plot.group = group
    return plot
  }

  // mark draws the time of the frame as a line.
  mark(u) {
    const x = Math.round(u.valToPos(this.time, 'x', true))
    if (!(x >= u.bbox.left && x <= u.bbox.left + u.bbox.width)) return
    u.ctx.save()
    u.ctx.strokeStyle = this.dark ? '#e8edf3' : '#111827'
    u.ctx.globalAlpha = 0.6
    u.ctx.beginPath()
    u.ctx.moveTo(x, u.bbox.top)
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height)
    u.ctx.stroke()
    u.ctx.restore()
  }

  setTime(t) {
    this.time = t
    if (!this.parent.clientWidth) return // not shown
    for (const p of this.plots) {
      p.redraw(false)
      if (p.cursor.left < 0) p.setLegend({ idx: p.valToIdx(t) }) // numbers of the frame, unless a pointer asks for others
    }
  }

  // append adds the numbers of a live frame; the last 20 s are kept.
  append(t, numbers) {
    const { time, values } = this.signals
    if (time.length && t <= time[time.length - 1]) { // the run began again
      time.length = 0
      for (const v of values) v.length = 0
    }
    time.push(t)
    values.forEach((v, i) => v.push(Number.isFinite(numbers[i]) ? numbers[i] : null))
    const old = time.findIndex(s => s >= t - 20)
    if (old > 100) {
      time.splice(0, old)
      for (const v of values) v.splice(0, old)
    }
    this.time = t
    const now = performance.now()
    if (now - (this.last || 0) < 100 || !this.parent.clientWidth) return
    this.last = now
    for (const p of this.plots) {
      p.setData([time, ...p.group.members.map(m => values[m])])
      if (p.cursor.left < 0) p.setLegend({ idx: time.length - 1 }) // numbers of now, unless a pointer asks for others
    }
  }

  resize() {
    const width = Math.max(200, this.parent.clientWidth - 24)
    for (const p of this.plots) if (p.width !== width) p.setSize({ width, height: 150 })
  }
}
