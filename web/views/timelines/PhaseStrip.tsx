import { isShaded, type Phase } from '../../domain/phases';
import { duration } from '../../plot/format';
import type { TimeAxis } from '../../plot/timeAxis';
import { type Finding, showFinding } from '../../state/finding';
import { Button } from '../../ui/Button';
import { tooltipOn } from '../../ui/tooltip';

export interface PhaseStripProps {
  axis: TimeAxis;
  phases: readonly Phase[];
  /** those that have a time */
  findings: readonly Finding[];
}

/** The phases of the run by name, and the findings that have a time, where they are. */
export function PhaseStrip({ axis, phases, findings }: PhaseStripProps) {
  const [begin, end] = axis.visible.value;
  const share = (moment: number) => ((moment - begin) / (end - begin)) * 100;
  return (
    <div class="phase-strip" data-testid="phases">
      {phases.map((phase) => {
        const { phase: name, t0: from, t1: to } = phase;
        const left = Math.max(0, share(from));
        const right = Math.min(100, share(to));
        if (right <= left) return null;
        return (
          <span
            key={name}
            class={isShaded(phase) ? 'phase phase-shaded' : 'phase'}
            style={{ left: `${left}%`, width: `${right - left}%` }}
            {...tooltipOn(() => `${name}: ${duration(phase.seconds)}`)}
          >
            <span>{name}</span>
          </span>
        );
      })}
      {findings.map((finding) => {
        const [from, to] = finding.selection.time ?? [0, 0];
        // at its end: the name of a phase begins where the phase does
        const at = share(Math.min(to, end));
        if (at < 0 || from > end) return null;
        return (
          <Button
            key={finding.row}
            class={`finding-pin finding-pin-${finding.severity}`}
            style={{ left: `calc(${at}% - 8px)` }}
            aria-label={`${finding.severity}: ${finding.title}`}
            data-testid="finding-pin"
            onClick={() => showFinding(finding)}
            {...tooltipOn(() => (
              <>
                <b>{finding.title}</b>
                <div class="evidence">{finding.evidence}</div>
              </>
            ))}
          />
        );
      })}
    </div>
  );
}
