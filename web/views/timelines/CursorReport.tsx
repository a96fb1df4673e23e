import { useEffect, useRef, useState } from 'preact/hooks';
import type { TimeAxis } from '../../plot/timeAxis';

export interface CursorReportProps {
  axis: TimeAxis;
  momentText: (moment: number) => string;
}

/** The cursor is walked in steps: what it passes is not said. */
const restMilliseconds = 300;

/** Says to who does not see the tracks what they show at the cursor, when keys have moved it. */
export function CursorReport({ axis, momentText }: CursorReportProps) {
  const ref = useRef<HTMLParagraphElement>(null);
  const [said, say] = useState('');
  const moment = axis.cursor.value;
  useEffect(() => {
    if (moment === undefined) return;
    const timer = setTimeout(() => {
      const tracks = ref.current?.parentElement;
      if (!tracks?.querySelector('.brush:focus-visible')) return;
      const open = Array.from(
        tracks.querySelectorAll('.track-row:not(.track-folded):has(.read-out)'),
      );
      const values = open.map((row) =>
        ['h2', '.read-out'].map((one) => row.querySelector(one)?.textContent).join(' '),
      );
      say([momentText(moment), ...values].join(', '));
    }, restMilliseconds);
    return () => clearTimeout(timer);
  }, [moment]);
  return (
    <p ref={ref} class="visually-hidden" aria-live="polite" data-testid="cursor-report">
      {said}
    </p>
  );
}
