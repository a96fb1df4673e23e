import type { Row } from '../../engine/table';
import { duration, durationRange } from '../../plot/format';
import { Snippet } from './Snippet';

/** Code to paste, and the elapsed time that it is expected to give. */
export function FixToTry({ advice }: { advice: readonly Row<'advice'>[] }) {
  return (
    <div class="advised" data-testid="advice">
      {advice.map(({ setting, code, assumed, elapsed, elapsed_low: low, elapsed_high: high }) => (
        <div key={setting}>
          <Snippet code={code} />
          {Number.isFinite(low) ? (
            <p class="muted" title={assumed}>
              Expected elapsed time:{' '}
              {Number.isFinite(elapsed)
                ? `${duration(elapsed)} (${durationRange(low, high)})`
                : `cannot tell, ${durationRange(low, high)}`}
            </p>
          ) : null}
        </div>
      ))}
    </div>
  );
}
