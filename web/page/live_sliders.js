// Live values of a scene as sliders.

import { el } from './dom.js'
import { shown } from './signals.js'

export function addSliders(app, link) {
  const { values } = app.scene.live
  if (!values.length) return null
  const box = app.panel('Live values', 'left', true, true)
  const sliders = values.map((v, i) => {
    const out = el('output')
    const slider = el('input', { type: 'range', min: v.min, max: v.max, step: (v.max - v.min) / 1000, value: v.value, id: `live-value-${i}`, 'aria-label': v.name,
      oninput: () => {
        out.textContent = shown(+slider.value, 3)
        link.send({ input: { set: { name: v.name, value: Math.max(v.min, Math.min(+slider.value, v.max)) } } })
      } })
    out.textContent = shown(v.value, 3)
    box.append(el('label', { class: 'row', for: slider.id }, v.name, slider, out))
    return { slider, out }
  })
  return {
    // other pages have the same sliders
    status(s) {
      sliders.forEach(({ slider, out }, i) => {
        if (s.values?.[i] === undefined || document.activeElement === slider && slider.matches(':active')) return
        slider.value = s.values[i]
        out.textContent = shown(s.values[i], 3)
      })
    },
  }
}
