// The colour map viridis (van der Walt and Smith, 2015): perceptually uniform, and safe
// for colour-blind readers. Its darkest fifth is left out, where shading would be lost.

import { Color } from 'three'

const viridis = [
  [68, 1, 84], [72, 24, 106], [71, 45, 123], [66, 64, 134], [59, 82, 139], [51, 99, 141],
  [44, 114, 142], [38, 130, 142], [33, 145, 140], [31, 160, 136], [40, 174, 128], [63, 188, 115],
  [94, 201, 98], [132, 212, 75], [173, 220, 48], [216, 226, 25], [253, 231, 37],
]
const DARKEST = 0.2

// colorAt returns the colour of u in [0,1] as sRGB, 0 to 255.
export function colorAt(u) {
  const x = (DARKEST + (1 - DARKEST) * Math.max(0, Math.min(1, u))) * (viridis.length - 1)
  const i = Math.min(Math.floor(x), viridis.length - 2), f = x - i
  return viridis[i].map((v, k) => Math.round(v * (1 - f) + viridis[i + 1][k] * f))
}

const STEPS = 1024
// linear light of STEPS + 1 values, three numbers each
const light = new Float32Array(3 * (STEPS + 1))
for (let i = 0; i <= STEPS; i++) {
  const [r, g, b] = colorAt(i / STEPS)
  new Color().setRGB(r / 255, g / 255, b / 255, 'srgb').toArray(light, 3 * i)
}

// paint writes the light of value/top at place k of a list of colours.
export function paint(out, k, value, top) {
  const i = 3 * Math.round(STEPS * Math.max(0, Math.min(1, value / top)) || 0)
  out[3 * k] = light[i]; out[3 * k + 1] = light[i + 1]; out[3 * k + 2] = light[i + 2]
}

// gradient is the map as a CSS background, the top at the right or above.
export function gradient(direction) {
  const stops = []
  for (let i = 0; i <= 16; i++) stops.push(`rgb(${colorAt(i / 16).join(' ')})`)
  return `linear-gradient(${direction}, ${stops.join(', ')})`
}
