// Show the rows that match the search and the filters, and sort them by the column whose button is pressed.
const list = document.querySelector('#all'), rows = [...list.children]
const word = document.querySelector('#word'), shown = document.querySelector('#shown')
const filters = [...document.querySelectorAll('#narrow select')]
const said = row => [...row.querySelectorAll('summary, dd, li, code')].map(each => each.textContent).join(' ')
const texts = new Map(rows.map(row => [row, said(row).toLowerCase()]))
const RANKS = { consequence: ['security', 'loss of data', 'too strict', 'by design', 'none', ''] }

function narrow() {
  const wanted = word.value.toLowerCase().split(/\s+/)
  let count = 0
  for (const row of rows) {
    const fits = wanted.every(each => texts.get(row).includes(each)) &&
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
  const column = button.dataset.sort, ranks = RANKS[column]
  const key = row => row.getAttribute('data-' + column.replace(' ', '-'))
  const compare = ranks
    ? (a, b) => ranks.indexOf(key(a)) - ranks.indexOf(key(b))
    : (a, b) => key(a).localeCompare(key(b), 'en', { numeric: true })
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
