import { computed, signal } from '@preact/signals';
import { sentenceCase } from '../../domain/sentenceCase';
import type { OptionsOf } from '../../engine/questions';
import { rowsOf, type Table } from '../../engine/table';
import { listed, partsText, percentPart, signed } from '../../plot/format';
import { activeRun } from '../../state/runs';
import { selection } from '../../state/selection';
import { setter } from '../../state/setter';
import { useAnswer } from '../../state/useAnswer';
import { Absent } from '../common/Absent';
import { noteText, Panel } from '../common/Panel';
import { optionsOf, Select } from '../common/Select';
import { useWhatIf, WhatIfRows } from '../common/WhatIfRows';

/** What is asked, as typed; '' leaves it to the core. */
const asked = {
  cores: signal(''),
  workers: signal(''),
  chunk_events: signal(''),
  part: signal(''),
  times: signal(''),
};

const options = computed((): OptionsOf<'whatif'> => {
  const of = (name: keyof typeof asked) => asked[name].value.replaceAll(' ', '');
  const times = Number(asked.times.value);
  return {
    ...(of('cores') ? { cores: of('cores') } : {}),
    ...(of('workers') ? { workers: of('workers') } : {}),
    ...(of('chunk_events') ? { chunk_events: of('chunk_events') } : {}),
    ...(asked.part.value ? { part: asked.part.value } : {}),
    ...(asked.part.value && times > 0 ? { times } : {}),
  };
});

/**
 * One run replayed otherwise: what other clusters, chunks or orders would have given, and how far
 * that can be trusted.
 */
export function WhatIfPanel() {
  const run = activeRun.value;
  const answer = useWhatIf(selection.value, options.value);
  const bounds = useAnswer('bounds');
  const { table } = answer;
  const error = table?.rows ? table.number('calibration_error', 0) : Number.NaN;
  return (
    <Panel
      title="What if"
      subtitle={listed([
        run ? `${run.title}, simulated from its chunks; hatched: cannot tell` : '',
        Number.isFinite(error)
          ? `check: as recorded, the simulation is off by ${errorText(error)}`
          : '',
        noteText(answer, 'selection'),
      ])}
      answers={[answer, bounds]}
      data={table}
      testId="whatif"
    >
      <div class="whatif-asked row">
        <Asked name="cores" title="Cores" example="2, 8, 32" />
        <Asked name="workers" title="Workers × threads" example="8x1, 4x2" />
        <Asked name="chunk_events" title="Events per chunk" example="50000" />
        <Parts />
        <Asked name="times" title="times as fast" example="2" />
      </div>
      {table && table.rows > 0 ? (
        <WhatIfRows rows={rowsOf(table)} happened={run?.elapsed ?? Number.NaN} />
      ) : null}
      {table && table.rows === 0 ? (
        <Absent
          title="Nothing to simulate"
          reason={noteText(answer, 'missing') || 'the run has no chunks'}
          addable
        />
      ) : null}
      {noteText(bounds, 'advice') ? (
        <p class="whatif-bounds small secondary" data-testid="bounds">
          {sentenceCase(noteText(bounds, 'advice'))}.
        </p>
      ) : null}
    </Panel>
  );
}

/** A field of what is asked; heeded when it is left or Enter is pressed. */
function Asked({
  name,
  title,
  example,
}: {
  name: keyof typeof asked;
  title: string;
  example: string;
}) {
  return (
    <label class="target-field">
      {title}
      <input
        type="text"
        size={example.length + 2}
        placeholder={example}
        data-testid={`whatif-${name}`}
        value={asked[name].value}
        onChange={(event) => {
          asked[name].value = event.currentTarget.value;
        }}
      />
    </label>
  );
}

/** What can be made faster, of this run. */
function Parts() {
  const sections = useAnswer('sections');
  const datasets = useAnswer('datasets');
  const hosts = useAnswer('hosts');
  const named = (kind: string, { table }: { table?: Table | undefined }) =>
    table?.has('name')
      ? Array.from({ length: table.rows }, (_, row) => `${kind}:${table.text('name', row)}`)
      : [];
  return (
    <Select
      named
      label="Part"
      options={optionsOf(
        [
          'outside',
          'merging',
          'waiting',
          ...named('section', sections),
          ...named('dataset', datasets),
          ...named('throughput', hosts),
        ],
        'none',
      )}
      value={asked.part.value}
      onChange={setter(asked.part)}
      testId="asked-part"
    />
  );
}

const errorText = (error: number): string => signed(partsText([percentPart(error)]), error);
