/**
 * What is generated from the core's description of its questions is up to date: `npm run contract`
 * brings it there.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { contract } from '../../scripts/contract.mjs';

describe('the contract', () => {
  for (const [path, text] of Object.entries(contract())) {
    it(`${path} is up to date`, async () => {
      expect(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(text);
    });
  }
});
