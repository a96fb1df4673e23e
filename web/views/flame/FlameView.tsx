import { useState } from 'preact/hooks';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { clearSelection, selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { recordProfiles } from '../common/recording';
import { FlameGraph } from './FlameGraph';
import { neighbourProfile } from './ProfileSelect';

/** Boxes narrower than this share of the whole can hardly be hit even when zoomed in. */
const minFraction = 1e-6;

/** Which code costs? */
export function FlameView() {
  const run = activeRunId.value;
  const profiles = useAnswer(run, 'profiles', selection.value);
  const unfiltered = useAnswer(run, 'profiles');
  const [wanted, setWanted] = useState('all');
  const first = profiles.table && profiles.table.rows > 0 ? (profiles.table.text('profile', 0) ?? '') : '';
  const profile = profiles.table && profiles.table.rowOf('profile', wanted) >= 0 ? wanted : first;
  const flame = useAnswer(run, profile ? 'flame' : '', selection.value, { profile, min_fraction: minFraction });
  if (profiles.error || flame.error) {
    return (
      <section class="panel" data-testid="view-flame">
        <p class="refusal">{profiles.error ?? flame.error}</p>
      </section>
    );
  }
  if (profiles.table?.rows === 0 && (unfiltered.table?.rows ?? 0) > 0) {
    return (
      <section class="panel" data-testid="view-flame">
        <div class="absent absent-center" data-testid="empty-filter">
          <h3>No profile matches the filter</h3>
          <p>The selected workers or tasks have none.</p>
          <div class="absent-actions">
            <button type="button" class="button button-main" onClick={clearSelection}>
              Clear all <kbd>Esc</kbd>
            </button>
          </div>
        </div>
      </section>
    );
  }
  if (profiles.table && profiles.table.rows === 0) {
    return (
      <section class="panel" data-testid="view-flame">
        <Absent
          centered
          title="No profile in this bundle"
          reason="Worker profiles are not part of what roastcoffea writes. Save them before the cluster closes, next to metrics.json, or add the file here."
          snippet={recordProfiles}
          addable
        />
      </section>
    );
  }
  if (!profiles.table || !flame.table) return <section class="panel panel-waiting" data-testid="view-flame" />;
  const list = profiles.table;
  return (
    <FlameGraph
      profiles={list}
      profile={profile}
      table={flame.table}
      waiting={flame.pending}
      onProfile={setWanted}
      onStep={(by) => setWanted(neighbourProfile(list, profile, by))}
    />
  );
}
