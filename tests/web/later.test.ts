import { expect, it } from 'vitest';
import { later } from '../../web/ui/later';

it('code that comes later is asked for once, and again only after it could not be had', async () => {
  let asked = 0;
  let isReachable = false;
  const part = later(async () => {
    asked += 1;
    if (!isReachable) throw new TypeError('no connection');
    return () => null;
  });
  await expect(part.fetch()).rejects.toThrow('no connection');
  isReachable = true;
  await Promise.all([part.fetch(), part.fetch()]);
  await part.fetch();
  expect(asked).toBe(2);
});
