import { useEffect, useState } from 'preact/hooks';
import { SampleCard } from './SampleCard';
import { fetchSamples, type Sample } from './samples';

/** The runs that lie beside the page. The one-file page has none: then this is nothing. */
export function Samples() {
  const [samples, setSamples] = useState<Sample[]>([]);
  useEffect(() => {
    void fetchSamples().then(setSamples);
  }, []);
  if (samples.length === 0) return null;
  return (
    <section aria-label="Sample runs">
      <h2 class="section-title">Sample runs</h2>
      <div class="samples">
        {samples.map((sample) => (
          <SampleCard key={sample.file} sample={sample} />
        ))}
      </div>
    </section>
  );
}
