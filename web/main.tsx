import { render } from 'preact';
import { createEngine } from './engine/create';
import { App } from './shell/App';
import { prepareForPrint } from './shell/printing';
import { provideEngine } from './state/engine';
import { watchEngine } from './state/recovery';
import { followTheme } from './state/theme';
import './styles/index.css';

provideEngine(createEngine());
watchEngine();
followTheme();
prepareForPrint();
const root = document.getElementById('app');
if (root) render(<App />, root);
