// Start: find the source of frames, make the page, show the first frame.

import { openSource } from './source.js'
import { App } from './app.js'

async function start() {
  const source = await openSource()
  const app = new App(source)
  window.curlfree = app // for consoles and tests
  if (source.live) return
  // a recording opens where its picture is taken: at the end, if the scene does not say
  const { times } = source, { Picture: t } = source.scene.render || {}
  await app.timeline.seek(t === null || t === undefined ? times.length - 1 : app.timeline.nearest(t))
  document.body.classList.add('ready')
}

start().then(() => document.body.classList.add('ready')).catch(err => {
  document.getElementById('fault').textContent = err.message
  document.getElementById('fault').hidden = false
  console.error(err)
})
