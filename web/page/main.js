// Start: find the source of frames, make the page, draw the first frame. The page is ready when its picture is there: what
// waits for it, such as a program that takes pictures of pages, may have no refresh of the screen in between.

import { openSource } from './source.js'
import { App } from './app.js'

async function start() {
  const source = await openSource()
  const app = new App(source)
  window.curlfree = app // for consoles and tests
  if (source.live) {
    await new Promise(shown => app.onFrame.push(shown))
    app.view.draw()
    return
  }
  // a recording opens where its picture is taken: at the end, if the scene does not say
  const { times } = source, { Picture: t } = source.scene.render || {}
  await app.timeline.seek(t === null || t === undefined ? times.length - 1 : app.timeline.nearest(t))
  app.view.draw()
}

start().then(() => document.body.classList.add('ready')).catch(err => {
  document.getElementById('fault').textContent = err.message
  document.getElementById('fault').hidden = false
  console.error(err)
})
