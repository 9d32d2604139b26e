// What belongs together in the views: a state, a rule, or a station of the track is chosen and is lit in all of them.
//
// A station is one byte of one alternative. Its key is that of view_track.js: the path of the alternative, #, which byte.

export function stationKey(lead, index) {
  return `${lead.path.join("/")}#${index}`;
}

/** All stations: {key, state that reads it, after, node of the grammar's text, rules that it is part of}. */
export function stationsOf(machine) {
  const { start } = machine.table;
  const found = new Map();
  for (const [low, high] of machine.expected(start)) {
    for (let byte = low; byte <= high; byte++) {
      const lead = machine.placeOf(start, byte, null);
      if (!found.has(stationKey(lead, 0))) for (const each of stationsFrom(machine, lead, byte)) found.set(each.key, each);
    }
  }
  return [...found.values()];
}

function stationsFrom(machine, lead, first) {
  let state = machine.table.start;
  return machine.elements(lead).map((_, index) => {
    const byte = index ? machine.expected(state)[0][0] : first;
    const place = index ? machine.placeOf(state, byte, lead) : lead;
    const after = machine.step(state, byte);
    const rules = place.path.flatMap(([name, number]) => (number ? [name, `${name}/${number}`] : [name]));
    const station = { key: stationKey(lead, index), state, after, node: place.node, rules: [...new Set(rules)] };
    state = after;
    return station;
  });
}

/** What can be lit, by its name in the address: {kind, name, stations}. */
export function linksOf(machine) {
  const stations = stationsOf(machine);
  const { states } = machine.table;
  const links = new Map();
  const add = (kind, name, chosen) => chosen.length && links.set(`${kind}:${name}`, { kind, name, stations: chosen });
  states.forEach(({ name }, number) => add("state", name, stations.filter(({ state }) => state === number)));
  for (const { name } of machine.grammar.rules.values()) add("rule", name, stations.filter(({ rules }) => rules.includes(name)));
  for (const rule of new Set(stations.flatMap(({ rules }) => rules))) if (rule.includes("/")) add("rule", rule, stations.filter(({ rules }) => rules.includes(rule)));
  for (const station of stations) add("station", station.key, [station]);
  return links;
}

/** Marks the elements of *link* (null: none) in the drawings, the grammar, the tree and the bytes below *root*. */
export function light(root, machine, link, look) {
  const stations = link?.stations ?? [];
  const keys = new Set(stations.map(({ key }) => key));
  const states = new Set(stations.map(({ state }) => machine.table.states[state].name));
  const moves = new Set(stations.map(({ state, after }) => `${state}>${after}`));
  const nodes = new Set(stations.map(({ node }) => node.start));
  const read = new Set(look.steps.filter(({ first, offset, fits }) => fits && keys.has(stationKey(look.steps[first].place, offset - first))).map(({ offset }) => String(offset)));
  const mark = (selector, lit) => {
    for (const each of root.querySelectorAll(selector)) each.classList.toggle("linked", lit(each.dataset));
  };
  mark("#track .station", ({ key }) => keys.has(key));
  mark("#track [data-rule]", ({ rule }) => link?.kind === "rule" && link.name.split("/")[0] === rule);
  mark("#graph [data-state]", ({ state }) => states.has(state));
  mark("#graph [data-move]", ({ move }) => moves.has(move));
  mark("#abnf [data-node]", ({ node }) => nodes.has(Number(node)));
  mark("#abnf [data-rule]", ({ rule }) => link?.kind === "rule" && link.name.split("/")[0] === rule);
  mark("#tree [data-rule]", ({ rule }) => link?.kind === "rule" && [rule, rule.split("/")[0]].includes(link.name));
  mark("#tree [data-offset]", ({ offset }) => read.has(offset));
  mark("#bytes [data-offset]", ({ offset }) => read.has(offset));
}
