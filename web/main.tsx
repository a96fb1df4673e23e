import { effect } from '@preact/signals';
import { render } from 'preact';
import { createEngine } from './engine/create';
import { App } from './shell/App';
import { followAddress } from './shell/followAddress';
import { wantedByRuns } from './shell/parts';
import { prepareForPrint } from './shell/printing';
import { provideEngine } from './state/engine';
import { watchEngine } from './state/recovery';
import { followTheme } from './state/theme';
import { isUnderWay, opening } from './state/underWay';
import { fetchAtRest } from './ui/later';
import './styles/index.css';
import './views/views';

const engine = createEngine();
provideEngine(engine);
watchEngine();
followTheme();
prepareForPrint();
// what will be looked at comes while the files are read
effect(() => {
  if (opening.value.kind !== 'idle')
    for (const { fetch } of wantedByRuns()) fetch().catch(() => undefined);
});
followAddress();
const root = document.getElementById('app');
root?.replaceChildren(); // what is there for those without scripts
if (root) render(<App />, root);
engine.ready().then(
  () => fetchAtRest(() => isUnderWay.value),
  () => undefined,
);
