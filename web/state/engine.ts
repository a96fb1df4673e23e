import type { Engine } from '../engine/engine';

let current: Engine | undefined;

/** The engine is made once, at start, and is the same for everybody. */
export function provideEngine(engine: Engine): void {
  current = engine;
}

export function engine(): Engine {
  if (!current) throw new Error('the engine is asked before it was made');
  return current;
}
