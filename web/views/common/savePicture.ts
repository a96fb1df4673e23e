import { pngOf, svgOf } from '../../plot/picture';
import { withPixelRatio } from '../../plot/pixelRatio';
import { activeRun } from '../../state/runs';
import { selection } from '../../state/selection';
import { download } from './download';
import { selectionText } from './selectionText';

/** What serves the hand, not the eye. */
const controls = '.menu-place, .segmented, .button, input, select, textarea, [data-picture="none"]';

/**
 * Saves a part of the page as it is shown, as `name`.svg or .png (two pixels for each), under the
 * run and the filter.
 */
export async function savePicture(
  element: Element,
  name: string,
  format: 'svg' | 'png',
): Promise<void> {
  const run = activeRun.value?.title ?? '';
  const filter = selectionText(selection.value);
  const heading = [run, filter && `Filter: ${filter}`].filter(Boolean);
  const svg = await withPixelRatio(2, () => svgOf(element, { heading, leaveOut: controls }));
  const blob = format === 'svg' ? new Blob([svg]) : await pngOf(svg);
  download([{ name: `${name}.${format}`, content: new Uint8Array(await blob.arrayBuffer()) }]);
}
