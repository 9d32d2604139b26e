// A parse tree by any grammar: the first that trying one alternative after another finds.
const MAX_STEPS = 300000;

/** {tree} of the rule *start* over all *bytes*, null where it does not derive them; {steps} where the search was stopped. */
export function derive(grammar, start, bytes, ofCodePoints) {
  const search = new Derivation(grammar, bytes, ofCodePoints);
  try {
    for (const [end, [tree]] of search.read({ kind: "ref", name: start }, 0)) if (end === bytes.length) return { tree };
    return { tree: null };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // too many steps, or the engine's own stack
    return { steps: search.steps };
  }
}

class Derivation {
  constructor(grammar, bytes, ofCodePoints) {
    Object.assign(this, { grammar, bytes, ofCodePoints, steps: 0, open: new Map() });
  }

  /** Yields [end, nodes of the tree] for each way in which *node* reads the bytes from *at* on. */
  *read(node, at) {
    if (++this.steps > MAX_STEPS) throw new RangeError();
    if (node.kind === "alt") for (const item of node.items) yield* this.read(item, at);
    else if (node.kind === "cat") yield* this.sequence(node.items, at);
    else if (node.kind === "rep") yield* this.repeated(node, 0, at);
    else if (node.kind === "ref") yield* this.rule(this.grammar.rules.get(node.name.toLowerCase()), at);
    else if (node.kind === "bytes") yield* this.values(node.seq, at);
  }

  *sequence([first, ...others], at) {
    if (!first) yield [at, []];
    else for (const [middle, before] of this.read(first, at)) for (const [end, after] of this.sequence(others, middle)) yield [end, [...before, ...after]];
  }

  *repeated(node, count, at) {
    if (count < node.max) {
      for (const [middle, before] of this.read(node.item, at)) {
        if (middle === at && count >= node.min) continue; // nothing was read: no end of that
        for (const [end, after] of this.repeated(node, count + 1, middle)) yield [end, [...before, ...after]];
      }
    }
    if (count >= node.min) yield [at, []];
  }

  /** A rule that begins with itself is used within itself at one place no more often than bytes are left. */
  *rule(rule, at) {
    const key = `${rule.name}@${at}`;
    const times = this.open.get(key) ?? 0;
    if (times > this.bytes.length - at) return;
    this.open.set(key, times + 1);
    for (const [end, children] of this.read(rule.body, at)) {
      this.open.set(key, times);
      yield [end, [{ label: rule.name, children }]];
      this.open.set(key, times + 1);
    }
    this.open.set(key, times);
  }

  *values(seq, at) {
    let end = at;
    for (const ranges of seq) {
      const [value, length] = this.value(end);
      if (!ranges.some(([low, high]) => low <= value && value <= high)) return;
      end += length;
    }
    yield [end, this.bytes.slice(at, end).map((byte, i) => ({ byte, offset: at + i, children: [] }))];
  }

  /** The value at *at* and how many bytes it has: a byte, or a code point. */
  value(at) {
    for (let length = 1; length <= 4 && this.ofCodePoints; length++) {
      try {
        return [new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new Uint8Array(this.bytes.slice(at, at + length))).codePointAt(0), length];
      } catch { /* one byte more */ }
    }
    return [this.ofCodePoints ? undefined : this.bytes[at], 1];
  }
}
