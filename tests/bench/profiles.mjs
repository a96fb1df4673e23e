// Profiles of any size, the same on every machine.
import { closeSync, openSync, writeSync } from 'node:fs';

/** A seeded generator (mulberry32). */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Writes text in large pieces. */
function writer(path) {
  const file = openSync(path, 'w');
  let waiting = '';
  const flush = () => {
    writeSync(file, waiting);
    waiting = '';
  };
  return {
    write(text) {
      waiting += text;
      if (waiting.length > 1 << 22) flush();
    },
    close() {
      flush();
      closeSync(file);
    },
  };
}

/**
 * A sampled speedscope file: `samples` stacks `depth` deep over `functions`; neighbours share most
 * of their frames.
 */
export function writeSamples(path, { samples, depth = 20, functions = 2000, seed = 3 }) {
  const random = seeded(seed);
  const frames = Array.from({ length: functions }, (_, i) =>
    i === 0
      ? { name: 'root_main', file: 'main.py', line: 1 }
      : { name: `fn_${i}`, file: `mod_${i % 97}.py`, line: i },
  );
  const out = writer(path);
  out.write(
    `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":${JSON.stringify(frames)}},"profiles":[` +
      `{"type":"sampled","name":"made","unit":"none","startValue":0,"endValue":${samples},"samples":[`,
  );
  const stack = [0];
  for (let i = 0; i < samples; i++) {
    const kept = i === 0 ? 1 : Math.max(1, depth - 1 - Math.floor(-Math.log(1 - random()) * 4.5));
    stack.length = Math.min(stack.length, kept);
    while (stack.length < depth) stack.push(1 + Math.floor(random() * (functions - 1)));
    out.write(`${i ? ',' : ''}[${stack.join(',')}]`);
  }
  out.write(`],"weights":[${'1,'.repeat(samples - 1)}1]}],"name":"made","activeProfileIndex":0}`);
  out.close();
}

/**
 * A Dask profile tree of about `nodes` nodes (siblings of one name are one), at most `depth` deep,
 * all of them called by `main`.
 */
export function writeDaskTree(
  path,
  { nodes, depth = 20, functions = 2000, seed = 7, main = 'root_main' },
) {
  const random = seeded(seed);
  const root = { name: main, own: 0, children: new Map(), depth: 0 };
  const all = [root];
  let last = root;
  while (all.length < nodes) {
    let parent = last;
    if (parent.depth >= depth - 1 || random() > 0.75) {
      do parent = all[Math.floor(random() * all.length)];
      while (parent.depth >= depth - 1);
    }
    const name = `fn_${Math.floor(random() * functions)}`;
    let node = parent.children.get(name);
    if (!node) {
      node = { name, own: 0, children: new Map(), depth: parent.depth + 1 };
      parent.children.set(name, node);
      all.push(node);
    }
    node.own += 1 + Math.floor(random() * random() * 40);
    last = node;
  }
  const total = new Map();
  for (let i = all.length - 1; i >= 0; i--) {
    const node = all[i];
    let sum = node.own;
    for (const child of node.children.values()) sum += total.get(child);
    total.set(node, sum);
  }
  const out = writer(path);
  const begin = (node) => {
    const file = `lib/mod_${node.name.length}.py`;
    const identifier = `${node.name};${file};10`;
    const description = `{"filename":"${file}","name":"${node.name}","line_number":12,"line":"x = f(y)\\n"}`;
    out.write(
      `"${identifier}":{"description":${description},"count":${total.get(node)},"identifier":"${identifier}","children":{`,
    );
  };
  out.write(
    `{"description":{"filename":"","name":"","line_number":0,"line":""},"count":${total.get(root)},"identifier":"root","children":{`,
  );
  begin(root);
  const open = [{ rest: root.children.values(), first: true }];
  while (open.length > 0) {
    const top = open.at(-1);
    const next = top.rest.next();
    if (next.done) {
      out.write('}}');
      open.pop();
      continue;
    }
    if (!top.first) out.write(',');
    top.first = false;
    begin(next.value);
    open.push({ rest: next.value.children.values(), first: true });
  }
  out.write('}}');
  out.close();
  return all.length;
}
