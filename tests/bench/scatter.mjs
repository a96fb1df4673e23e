// The scatter of a hundred thousand points against uPlot in one page: the first draw, and the
// script that a frame of pointing and brushing takes. Both are timed from the call to the second
// animation frame after it.
import { createServer } from 'vite';
import { launchChromium, newPage, scriptClock } from './in_chromium.mjs';
import { median } from './numbers.mjs';

const points = 100_000;
const runs = 5;
const moves = 60;

/**
 * Draws both in a fresh page; `first` says which comes first, so that neither always has the warm
 * browser.
 */
async function measure(browser, url, first) {
  const page = await newPage(browser);
  await page.goto(url);
  const drawn = await page.evaluate(
    async ({ points, first }) => {
      const { h, render, ScatterPlot, uPlot } = await import('/@id/bench');
      let state = 9;
      const random = () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
      };
      const x = Float64Array.from({ length: points }, (_, i) => (600 * i) / points);
      const y = Float64Array.from({ length: points }, () => Math.exp(random() * 2 + random() * 2));
      const frames = () =>
        new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const place = () => {
        const box = document.createElement('div');
        box.style.width = '1380px';
        document.body.replaceChildren(box);
        return box;
      };
      const ways = {
        ours(box) {
          const data = { x, y, group: new Uint8Array(points), colours: ['--c1'] };
          const axis = (title) => ({ title, factor: 1, log: false });
          const draw = (selected) =>
            render(
              h(ScatterPlot, {
                points: data,
                xAxis: axis('x'),
                yAxis: axis('y'),
                height: 800,
                onMark: () => undefined,
                tooltip: () => '',
                selected,
                onSelect: draw,
                label: 'bench',
                testId: 'scatter',
              }),
              box,
            );
          draw();
        },
        peer(box) {
          const paths = (plot, series) => {
            const { ctx: pen } = plot;
            const all = new Path2D();
            for (let i = 0; i < points; i++) {
              const left = plot.valToPos(plot.data[0][i], 'x', true);
              const top = plot.valToPos(plot.data[series][i], 'y', true);
              all.moveTo(left + 2, top);
              all.arc(left, top, 2, 0, 2 * Math.PI);
            }
            pen.save();
            pen.fillStyle = '#36c8';
            pen.fill(all);
            pen.restore();
            return null;
          };
          const size = { width: 1380, height: 800, legend: { show: false } };
          new uPlot({ ...size, series: [{}, { paths, points: { show: false } }] }, [x, y], box);
        },
      };
      const found = {};
      for (const way of first === 'ours' ? ['ours', 'peer'] : ['peer', 'ours']) {
        const box = place();
        await frames();
        const start = performance.now();
        ways[way](box);
        await frames();
        found[way] = performance.now() - start;
        await new Promise((done) => setTimeout(done, 300));
      }
      const box = place();
      ways.ours(box);
      await frames();
      return found;
    },
    { points, first },
  );
  const script = await scriptClock(page);
  const drag = async (pressed) => {
    await page.mouse.move(200, 300);
    if (pressed) await page.mouse.down();
    const before = await script.now();
    for (let move = 1; move <= moves; move++) {
      await page.mouse.move(200 + 15 * move, 300 + 4 * move);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    const after = await script.now();
    if (pressed) await page.mouse.up();
    return (after - before) / moves;
  };
  const pointed = await drag(false);
  const brushed = await drag(true);
  await page.close();
  return { ...drawn, pointed, brushed };
}

/** What the page draws with, as one module, so that there is one Preact. */
const modules = {
  name: 'bench',
  resolveId: (id) => (id === 'bench' ? id : undefined),
  load: (id) =>
    id === 'bench'
      ? `import '/styles/index.css';
         export { h, render } from 'preact';
         export { ScatterPlot } from '/plot/ScatterPlot.tsx';
         export { default as uPlot } from 'uplot';`
      : undefined,
};

/** The figures of this bench: rows of { name, ours, peer, unit, peerName }. */
export async function scatter() {
  const server = await createServer({
    logLevel: 'silent',
    plugins: [modules],
    server: { port: 0, host: '127.0.0.1' },
  });
  await server.listen();
  const browser = await launchChromium([]);
  try {
    const url = `${server.resolvedUrls.local[0]}styles/tokens.css`;
    await measure(browser, url, 'ours'); // the server makes its modules when first asked
    const found = [];
    for (let run = 0; run < runs; run++)
      found.push(await measure(browser, url, run % 2 === 0 ? 'ours' : 'peer'));
    const of = (name) => median(found.map((one) => one[name]));
    const what = `scatter of ${points.toLocaleString('en')} points`;
    return [
      {
        name: `${what}, first draw`,
        ours: of('ours'),
        peer: of('peer'),
        unit: 'ms',
        peerName: `uPlot, ${await browser.version()}`,
      },
      { name: `${what}, script per frame of pointing (budget 8)`, ours: of('pointed'), unit: 'ms' },
      { name: `${what}, script per frame of brushing (budget 8)`, ours: of('brushed'), unit: 'ms' },
    ];
  } finally {
    await browser.close();
    await server.close();
  }
}
