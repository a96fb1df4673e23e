/** The page's engine where it is hosted; its twins are create.single.ts and create.split.ts. */
import wasmUrl from 'crema-core/crema.wasm?url';
import { addressOf, compiled, hostedEngine } from './hosted';

export const createEngine = () => hostedEngine(() => compiled(addressOf(wasmUrl)));
