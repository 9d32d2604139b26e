// Show the rows that match the search and the filters, and sort them by the column whose button is pressed.
const list = document.querySelector('#all'), rows = [...list.children]
const word = document.querySelector('#word'), shown = document.querySelector('#shown')
const filters = [...document.querySelectorAll('#narrow select')]
const said = row => [...row.querySelectorAll('summary, dd, li, code')].map(each => each.textContent).join(' ')
const texts = new Map(rows.map(row => [row, ` ${said(row).toLowerCase().replace(/[^\p{L}\p{N}+#]+/gu, ' ')} `]))
const RANKS = ['wrong', 'right', 'not asked']

// A word that some row has is looked for as a whole, so that "java" does not find JavaScript; another, as a part.
function finder(term) {
  const whole = ` ${term} `
  return [...texts.values()].some(text => text.includes(whole)) ? text => text.includes(whole) : text => text.includes(term)
}

function narrow() {
  const wanted = word.value.toLowerCase().split(/[^\p{L}\p{N}+#]+/u).filter(Boolean).map(finder)
  let count = 0
  for (const row of rows) {
    const fits = wanted.every(fits => fits(texts.get(row))) &&
      filters.every(each => !each.value || row.dataset[each.dataset.key] === each.value)
    row.hidden = !fits
    count += fits
  }
  shown.textContent = `${count} of ${rows.length} decoders`
}

function sort(button) {
  const down = button.ariaPressed === 'true' && !button.classList.contains('down')
  for (const other of document.querySelectorAll('#sort button')) other.ariaPressed = String(other === button)
  button.classList.toggle('down', down)
  const key = row => row.dataset[button.dataset.sort]
  const compare = (a, b) => RANKS.indexOf(key(a)) - RANKS.indexOf(key(b)) ||
    (RANKS.includes(key(a)) ? 0 : key(a).localeCompare(key(b), 'en', { numeric: true }))
  list.append(...rows.sort((a, b) => (down ? compare(b, a) : compare(a, b))))
}

// An address with the name of a decoder shows it, whatever the filters say.
function open() {
  const row = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest('.decoder')
  if (!row || !rows.includes(row)) return
  if (row.hidden) {
    word.value = ''
    for (const each of filters) each.value = ''
    narrow()
  }
  row.open = true
  row.scrollIntoView()
}

document.querySelector('#narrow').hidden = false
word.oninput = narrow
for (const each of filters) each.oninput = narrow
for (const each of document.querySelectorAll('#sort button')) {
  each.ariaPressed = 'false'
  each.onclick = () => sort(each)
}
window.onhashchange = open
narrow()
open()
