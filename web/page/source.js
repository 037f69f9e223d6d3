// Where frames come from. A source is an object with
//
//   scene      the unpacked scene
//   live       whether frames come by themselves
//   times      times of the frames that can be asked for, s; empty where live
//   frame(k)   promise of frame k
//   signals    {columns: [{name, unit}], time: [], values: [[], …]}, as far as known
//   listen(do) live sources only: do(frame) is called for each frame that arrives
//   controls(app)  optional: adds own panels and keys to the page, see app.js
//
// The page says which by <script id="curlfree-source" type="application/json">, an object
// with a kind; the other keys are the source's own.

import { openEmbedded } from './source_embedded.js'
import { openHTTP } from './source_http.js'
import { openLive } from './source_live.js'

const kinds = { embedded: openEmbedded, http: openHTTP, live: openLive }

export async function openSource() {
  const element = document.getElementById('curlfree-source')
  const config = element ? JSON.parse(element.textContent) : { kind: 'http' }
  const open = kinds[config.kind]
  if (!open) throw new Error(`no source of frames "${config.kind}"`)
  return open(config)
}
