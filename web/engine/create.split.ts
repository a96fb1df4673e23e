/**
 * The page's engine where it is hosted and the core comes in two halves (scripts/split-core.mjs):
 * the build puts it for create.ts.
 */
import firstUrl from 'crema-core/split/first.wasm?url';
import restUrl from 'crema-core/split/rest.wasm?url';
import { addressOf, compiled, hostedEngine } from './hosted';

export const createEngine = () =>
  hostedEngine(async () => ({
    first: await compiled(addressOf(firstUrl)),
    rest: addressOf(restUrl),
  }));
