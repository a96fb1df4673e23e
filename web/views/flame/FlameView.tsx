import '../../styles/flame-details.css';
import '../../styles/flame.css';
import { flame, setTree } from '../../state/flame';
import { selection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { AbsentView } from '../common/Absent';
import { NothingLeft } from '../common/EmptyFilter';
import { FlameGraph } from './FlameGraph';
import { neighbourProfile } from './ProfileSelect';

/** Which code costs? */
export function FlameView() {
  const profiles = useAnswer('profiles', selection.value);
  const unfiltered = useAnswer('profiles');
  const { profile: wanted } = flame.value;
  const list = profiles.table;
  if (profiles.error) {
    return (
      <section class="panel" data-testid="view-flame">
        <p class="refusal">{profiles.error}</p>
      </section>
    );
  }
  const nothingLeft = list?.rows === 0 || (list && list.rows > 0 && !list.text('unit', 0));
  if (nothingLeft && (unfiltered.table?.rows ?? 0) > 0) {
    return (
      <div data-testid="view-flame">
        <NothingLeft centered title="No profile matches the filter">
          <p class="secondary">The selected workers or tasks have none.</p>
        </NothingLeft>
      </div>
    );
  }
  if (list && list.rows === 0) {
    return (
      <AbsentView
        testId="view-flame"
        title="No profile in this bundle"
        reason="Worker profiles are not part of what roastcoffea writes. crema.record saves them, and the rest that Dask discards with its cluster."
        recordable
        addable
      />
    );
  }
  if (!list) return <section class="panel panel-waiting" data-testid="view-flame" />;
  const profile = list.rowOf('profile', wanted) >= 0 ? wanted : (list.text('profile', 0) ?? 'all');
  return (
    <FlameGraph
      profiles={list}
      profile={profile}
      onProfile={(id) => setTree({ profile: id })}
      onStep={(by) => setTree({ profile: neighbourProfile(list, profile, by) })}
    />
  );
}
