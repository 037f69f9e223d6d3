// Bundles the page into dist/page.html: one file with the styles, the modules and the
// licences of what they use. Run it by "npm ci && npm run build" in this folder.

import { build } from 'esbuild'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'

const read = path => readFileSync(new URL(path, import.meta.url), 'utf8')
const result = await build({
  entryPoints: [new URL('page/main.js', import.meta.url).pathname],
  bundle: true, minify: true, format: 'esm', target: 'es2022', write: false, legalComments: 'none',
})
// a script must not end its own element
const script = result.outputFiles[0].text.replaceAll('</script', '<\\/script').trim()
const licences = ['three', 'uplot'].map(name => {
  const { version } = JSON.parse(read(`node_modules/${name}/package.json`))
  return `${name} ${version}\n\n${read(`node_modules/${name}/LICENSE`).trim()}`
}).join('\n\n')
const style = read('node_modules/uplot/dist/uPlot.min.css').trim() + '\n' + read('page/style.css').trim()
// what the page was made from: a test compares it with the files that are there
const sources = ['build.mjs', 'package-lock.json', 'package.json', ...readdirSync(new URL('page', import.meta.url)).sort().map(f => 'page/' + f)]
const digest = createHash('sha256')
for (const s of sources) digest.update(`${s}\n${read(s)}`)
const page = read('page/index.html')
  .replace('<head>', () => `<head>\n<!--\nThis page contains the following libraries.\n\n${licences}\n-->\n<!-- sources ${digest.digest('hex')} -->`)
  .replace('/*style*/', () => '\n' + style + '\n')
  .replace('/*script*/', () => '\n' + script + '\n')
writeFileSync(new URL('dist/page.html', import.meta.url), page)
console.log(`dist/page.html: ${Math.round(page.length / 1024)} kB`)
