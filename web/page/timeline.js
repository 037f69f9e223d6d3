// The timeline of a recording: play, speed, loop, steps of a frame.

import { button, el, icon, icons } from './dom.js'

// Timeline shows frames of a source by its show(frame).
export class Timeline {
  constructor(parent, source, show) {
    Object.assign(this, { source, display: show })
    this.k = -1
    this.playing = false
    this.speed = 1
    this.loop = true
    const n = source.times.length
    this.playButton = button('Play or pause (space)', icons.play, () => this.toggle(), { class: 'primary' })
    this.slider = el('input', { type: 'range', min: 0, max: Math.max(0, n - 1), step: 1, value: 0, 'aria-label': 'Frame', class: 'scrub', oninput: () => { this.pause(); this.seek(+this.slider.value) } })
    this.label = el('output', { class: 'time', 'aria-live': 'off' })
    this.select = el('select', { 'aria-label': 'Speed of playing', title: 'Speed', onchange: () => { this.speed = +this.select.value; this.anchor() } },
      ...[[0.02, '1/50×'], [0.1, '1/10×'], [0.25, '1/4×'], [0.5, '1/2×'], [1, '1×'], [2, '2×'], [5, '5×']].map(([v, text]) => el('option', { value: v, selected: v === 1 }, text)))
    this.loopButton = button('Play again at the end (l)', icons.loop, () => this.setLoop(!this.loop), { class: 'toggle wide-only' })
    parent.append(
      button('Frame before (←)', icons.back, () => this.step(-1), { class: 'wide-only' }), this.playButton,
      button('Frame after (→)', icons.next, () => this.step(1), { class: 'wide-only' }),
      this.slider, this.label, this.select, this.loopButton)
    this.setLoop(true)
    const tick = () => {
      requestAnimationFrame(tick)
      if (this.playing && !this.waiting) this.advance()
    }
    requestAnimationFrame(tick)
  }

  setLoop(on) {
    this.loop = on
    this.loopButton.setAttribute('aria-pressed', on)
  }

  // anchor remembers which time of the run the clock's time now stands for.
  anchor() {
    this.clock = performance.now()
    this.from = this.source.times[Math.max(0, this.k)]
  }

  advance() {
    const { times } = this.source
    const t = this.from + this.speed * (performance.now() - this.clock) / 1000
    const end = times.length - 1
    if (t > times[end] && this.k === end) {
      if (!this.loop) return this.pause()
      this.k = 0
      this.seek(0)
      this.anchor()
      return
    }
    const k = this.at(t)
    if (k !== this.k) this.seek(k)
  }

  // at returns the last frame that is not after the time t.
  at(t) {
    const { times } = this.source
    let lo = 0, hi = times.length
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1
      if (times[mid] <= t + 1e-9) lo = mid
      else hi = mid
    }
    return lo
  }

  // nearest returns the frame nearest to a time.
  nearest(t) {
    const { times } = this.source, k = this.at(t)
    return k + 1 < times.length && times[k + 1] - t < t - times[k] ? k + 1 : k
  }

  seekTime(t) {
    this.pause()
    return this.seek(this.nearest(t))
  }

  step(n) {
    this.pause()
    return this.seek(this.k + n)
  }

  toggle() { this.playing ? this.pause() : this.play() }

  play() {
    if (this.source.times.length < 2) return
    if (!this.loop && this.k === this.source.times.length - 1) this.seek(0)
    this.playing = true
    this.anchor()
    this.playButton.replaceChildren(icon(icons.pause))
  }

  pause() {
    this.playing = false
    this.playButton.replaceChildren(icon(icons.play))
  }

  // seek shows a frame. While one is on its way the last one asked for waits.
  async seek(k) {
    k = Math.max(0, Math.min(this.source.times.length - 1, k))
    this.wanted = k
    if (this.waiting) return this.waiting
    this.waiting = (async () => {
      try {
        while (this.k !== this.wanted) {
          const want = this.wanted
          const frame = await this.source.frame(want)
          this.k = want
          this.mark(frame)
          this.display(frame)
        }
      } finally {
        this.waiting = null
      }
    })()
    return this.waiting
  }

  mark(frame) {
    const { times } = this.source, end = times[times.length - 1]
    const digits = end >= 100 ? 2 : 3
    this.slider.value = this.k
    this.slider.setAttribute('aria-valuetext', `${frame.time.toFixed(digits)} seconds`)
    this.label.textContent = `${frame.time.toFixed(digits)} / ${end.toFixed(digits)} s`
  }
}
