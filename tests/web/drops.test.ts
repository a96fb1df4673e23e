import { beforeEach, describe, expect, it } from 'vitest';
import type { Engine, InputFile } from '../../web/engine/engine';
import { openDropped } from '../../web/shell/useFileDrop';
import { provideEngine } from '../../web/state/engine';
import { cancelOpening, opening } from '../../web/state/underWay';

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A dropped file that can be read when the test says so. */
function slowFile(name: string) {
  let give!: () => void;
  let refuse!: () => void;
  const entry = {
    isFile: true,
    isDirectory: false,
    fullPath: `/${name}`,
    file: (found: (file: File) => void, failed: (why: Error) => void) => {
      give = () => found(new File(['{}'], name));
      refuse = () => failed(new Error('moved or deleted'));
    },
  } as unknown as FileSystemEntry;
  return {
    dropped: { handles: [], entries: [entry], files: [] },
    give: () => give(),
    refuse: () => refuse(),
  };
}

let opened: string[][];

beforeEach(() => {
  opened = [];
  cancelOpening();
  const open = (files: InputFile[]) => {
    opened.push(files.map(({ path }) => path));
    return new Promise(() => undefined);
  };
  provideEngine({ open } as unknown as Engine);
});

describe('a drop while the folder of an earlier one is walked', () => {
  it('is opened, and the earlier one is given up', async () => {
    const [first, second] = [slowFile('first.json'), slowFile('second.json')];
    void openDropped(first.dropped);
    void openDropped(second.dropped);
    first.give();
    await settled();
    expect(opened).toEqual([]);
    second.give();
    await settled();
    expect(opened).toEqual([['second.json']]);
  });

  it('is not taken for failed when the earlier one cannot be read', async () => {
    const [first, second] = [slowFile('first.json'), slowFile('second.json')];
    void openDropped(first.dropped);
    void openDropped(second.dropped);
    first.refuse();
    await settled();
    expect(opening.value).toEqual({ kind: 'collecting', files: 0 });
  });
});

it('a drop whose walk was cancelled opens nothing', async () => {
  const file = slowFile('first.json');
  void openDropped(file.dropped);
  cancelOpening();
  file.give();
  await settled();
  expect(opened).toEqual([]);
  expect(opening.value).toEqual({ kind: 'idle' });
});
