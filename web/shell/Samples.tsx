import { useEffect, useState } from 'preact/hooks';
import { bytes } from '../charts/format';
import { openUrls } from '../state/opening';

interface Sample {
  title: string;
  /** beside samples.json */
  file: string;
  bytes: number;
  description: string;
}

const folder = 'samples/';

const isSample = (value: unknown): value is Sample =>
  typeof value === 'object' &&
  value !== null &&
  'title' in value &&
  typeof value.title === 'string' &&
  'file' in value &&
  typeof value.file === 'string';

/** The runs that lie beside the page. The one-file page has none: then this is nothing. */
export function Samples() {
  const [samples, setSamples] = useState<Sample[]>([]);
  useEffect(() => {
    // from file:// nothing can be fetched, and asking would only leave an error in the console
    if (location.protocol === 'file:') return;
    fetch(`${folder}samples.json`)
      .then((response) => (response.ok ? response.json() : []))
      .then((list: unknown) => setSamples(Array.isArray(list) ? list.filter(isSample) : []))
      .catch(() => setSamples([]));
  }, []);
  if (samples.length === 0) return null;
  return (
    <section aria-label="Sample runs">
      <h2 class="section-title">Sample runs</h2>
      <div class="samples">
        {samples.map((sample) => (
          <button
            key={sample.file}
            type="button"
            class="sample"
            data-testid={`sample-${sample.file.replace(/\..*$/, '')}`}
            onClick={() => void openUrls([folder + sample.file])}
          >
            <span class="sample-head">
              <b>{sample.title}</b>
              <span>{sample.bytes > 0 ? bytes(sample.bytes) : ''}</span>
            </span>
            <span class="sample-text">{sample.description}</span>
          </button>
        ))}
      </div>
    </section>
  );
}
