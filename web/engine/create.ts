/**
 * The page's engine where it is hosted. create.single.ts and create.split.ts are its twins, of the
 * one-file page and of a core in two halves.
 */
import wasmUrl from 'crema-core/crema.wasm?url';
import { addressOf, compiled, hostedEngine } from './hosted';

export const createEngine = () => hostedEngine(() => compiled(addressOf(wasmUrl)));
