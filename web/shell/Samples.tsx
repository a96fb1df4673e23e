import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { phaseLook, phaseRank } from '../domain/budget';
import { bytes, count, duration, percent } from '../plot/format';
import { type BarSegment, StackedBar } from '../plot/StackedBar';
import { useSize } from '../plot/useSize';
import { openUrls } from '../state/opening';
import { Button } from '../ui/Button';
import { fetchSamples, type Sample, type SampleRun, samplesFolder } from './samples';

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

const barPixels = 14;
/** Two runs share the height of one bar and a half. */
const halfBarPixels = 9;

/** One sample: where its core-time went, in small, and a few numbers. */
function SampleCard({ sample }: { sample: Sample }) {
  const [ref, width] = useSize<HTMLSpanElement>();
  const { runs } = sample;
  const height = runs.length > 1 ? halfBarPixels : barPixels;
  const id = sample.file.replace(/\..*$/, '');
  return (
    <Button
      class="sample"
      data-testid={`sample-${id}`}
      onClick={() => void openUrls([samplesFolder + sample.file])}
    >
      <span class="sample-head">
        <b>{sample.title}</b>
        <span>{sample.bytes > 0 ? bytes(sample.bytes) : ''}</span>
      </span>
      <span class="sample-bars" ref={ref}>
        <svg width={width} height={runs.length * (height + 2) - 2} aria-hidden="true">
          {runs.map((run, index) => (
            <StackedBar
              key={run.name}
              id={`sample-${id}-${index}`}
              segments={segmentsOf(run)}
              pixelsPerUnit={width}
              y={index * (height + 2)}
              height={height}
            />
          ))}
        </svg>
      </span>
      <span class="sample-facts small">
        {factsOf(runs).map((fact, index) => (
          <Fragment key={fact}>
            {index > 0 ? ' · ' : ''}
            <span>{fact}</span>
          </Fragment>
        ))}
      </span>
      <span class="sample-text small muted">{sample.description}</span>
    </Button>
  );
}

function segmentsOf(run: SampleRun): BarSegment[] {
  return [...run.budget]
    .sort((a, b) => phaseRank(a.part) - phaseRank(b.part) || b.fraction - a.fraction)
    .map(({ part, fraction }) => ({ id: part, value: fraction, ...phaseLook(part) }));
}

/**
 * "214 chunks", "2.14 M events", "1 min 10.5 s", "84.3 % in process()"; of several runs the share
 * of each.
 */
function factsOf(runs: readonly SampleRun[]): string[] {
  const [run] = runs;
  if (!run) return [];
  const known = (value: number | null, text: (value: number) => string) =>
    value === null ? '' : text(value);
  const shares = runs.map((entry) => known(entry.process_fraction, percent)).filter(Boolean);
  return [
    runs.length > 1 ? `${runs.length} runs` : '',
    known(run.chunks, (value) => `${count(value)} chunks`),
    known(run.events, (value) => `${count(value)} events`),
    runs.length > 1 ? '' : known(run.elapsed_seconds, duration),
    shares.length > 0 ? `${shares.join(' → ')} in process()` : '',
  ].filter(Boolean);
}
