import { useState } from 'preact/hooks';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { FlameGraph } from './FlameGraph';
import { neighbourProfile } from './ProfileSelect';

/** Boxes narrower than this share of the whole can hardly be hit even when zoomed in. */
const minFraction = 1e-6;

const snippet =
  'workers = client.scheduler_info(n_workers=-1)["workers"]\nprofiles = {w: {"profile": client.profile(workers=[w])} for w in workers}\njson.dump(profiles, open("dask_profiles.json", "w"))';

/** Which code costs? */
export function FlameView() {
  const run = activeRunId.value;
  const profiles = useAnswer(run, 'profiles', selection.value);
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
  if (profiles.table && profiles.table.rows === 0) {
    return (
      <section class="panel" data-testid="view-flame">
        <Absent
          centered
          title="No profile in this bundle"
          reason="roastcoffea does not write worker profiles. Save them before the cluster closes, then open that file together with metrics.json, as one folder."
          snippet={snippet}
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
