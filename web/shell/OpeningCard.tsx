import { bytes, bytesPart, duration, percent } from '../plot/format';
import { cancelOpening, type Opening, opening } from '../state/underWay';
import { Button } from '../ui/Button';
import { LoadingTiles } from './parts';

/** A rate means nothing in the first moment. */
const settledSeconds = 0.15;
/** What is read sooner needs no numbers beforehand: they would only flicker. */
const patienceSeconds = 0.3;

/** While files are read: how far, how fast, how long yet, and Cancel. */
export function OpeningCard() {
  const now = opening.value;
  if (now.kind === 'idle' || now.kind === 'failed') return null;
  const stored = now.kind === 'reading' ? (now.progress?.stored ?? {}) : {};
  const early = Object.keys(stored).length > 0 && secondsOf(now) > patienceSeconds;
  return (
    <div class={early ? 'opening-back opening-early' : 'opening-back'}>
      <div class="opening-card" role="status" aria-label="Opening" data-testid="progress">
        {now.kind === 'waiting' ? (
          <h2 data-testid="waiting">Waiting for the recording to begin</h2>
        ) : now.kind === 'collecting' ? (
          <>
            <h2>Looking through the folder</h2>
            <p class="muted">{now.files === 1 ? '1 file' : `${now.files} files`} so far</p>
          </>
        ) : (
          <Reading />
        )}
        <Button data-testid="cancel" onClick={cancelOpening}>
          Cancel <kbd>Esc</kbd>
        </Button>
      </div>
      {early ? <LoadingTiles stored={stored} /> : null}
    </div>
  );
}

const secondsOf = (now: Opening): number =>
  now.kind === 'reading' ? (performance.now() - now.startedMilliseconds) / 1000 : 0;

/** Where in a JSON file: its part and what of it, not every index below. */
const partOf = (where: string): string => /^[\w-]+(?:\.[\w-]+|\[\d+\])?/.exec(where)?.[0] ?? '';

function Reading() {
  const now = opening.value;
  if (now.kind !== 'reading') return null;
  const { progress } = now;
  const loaded = progress?.loaded ?? 0;
  const total = progress?.total ?? 0;
  const share = total > 0 ? Math.min(1, loaded / total) : 0;
  const seconds = secondsOf(now);
  const rate = seconds > settledSeconds && loaded > 0 ? loaded / seconds : Number.NaN;
  const rest = total > loaded && rate > 0 ? (total - loaded) / rate : Number.NaN;
  return (
    <>
      <h2 class="cut">Reading {progress?.file || 'files'}</h2>
      <div
        class="progress-bar"
        role="progressbar"
        aria-label="Bytes read"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
      >
        <div style={{ width: `${share * 100}%` }} />
      </div>
      <div class="progress-line">
        <span>
          {total > 0 ? `${bytes(loaded)} of ${bytes(total)} · ${percent(share)}` : bytes(loaded)}
        </span>
        <span>
          {Number.isFinite(rate) ? `${bytesPart(rate).value}\u2009${bytesPart(rate).unit}/s` : ''}
          {Number.isFinite(rest) ? ` · ${duration(rest)} left` : ''}
        </span>
      </div>
      <p class="muted" data-testid="loading-part">
        {progress?.format ? `recognised as ${progress.format.replaceAll('_', ' ')}` : '\u00a0'}
        {progress?.where ? (
          <>
            {' · '}
            <span class="mono">{partOf(progress.where)}</span>
          </>
        ) : null}
      </p>
    </>
  );
}
