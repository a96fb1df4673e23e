import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count, percent, significant } from '../../charts/format';
import { Icicle } from '../../charts/Icicle';
import { Legend } from '../../charts/Legend';
import { panned, type Range, zoomed } from '../../charts/timeAxis';
import { closeTooltip } from '../../charts/tooltip';
import type { Table } from '../../engine/table';
import { PanelMenu } from '../common/PanelMenu';
import { amountText, shareText } from './amounts';
import { categories, categoryColour } from './categories';
import { ExportMenu } from './ExportMenu';
import { FlameDetails } from './FlameDetails';
import { FlameTooltip } from './FlameTooltip';
import { flameBoxes } from './flameBoxes';
import { ProfileSelect } from './ProfileSelect';
import { ShareAxis } from './ShareAxis';
import { search } from './search';
import { useFlameKeys } from './useFlameKeys';

export interface FlameGraphProps {
  profiles: Table;
  profile: string;
  table: Table;
  waiting: boolean;
  onProfile: (profile: string) => void;
  onStep: (by: number) => void;
}

const whole: Range = [0, 1];

/** The icicle of one profile with its toolbar, legend and details. */
export function FlameGraph({ profiles, profile, table, waiting, onProfile, onStep }: FlameGraphProps) {
  const boxes = useMemo(() => flameBoxes(table), [table]);
  const [visible, setVisible] = useState<Range>(whole);
  const [selected, setSelected] = useState(-1);
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const graph = useRef<HTMLElement>(null);
  const matches = useMemo(() => search(boxes, text), [boxes, text]);
  // box numbers and places are those of one answer
  useEffect(() => {
    setSelected(-1);
    setVisible(whole);
    closeTooltip();
  }, [table]);
  useFlameKeys({
    reset: () => setVisible(whole),
    search: () => field.current?.focus(),
    step: onStep,
    zoom: (factor) => setVisible((old) => zoomed(old, whole, (old[0] + old[1]) / 2, factor)),
    pan: (share) => setVisible((old) => panned(old, whole, share * (old[1] - old[0]))),
  });
  const look = useMemo(
    () => ({
      name: (box: number) => (boxes.isUnresolved(box) ? 'in callees (unresolved)' : boxes.name(box)),
      detail: (box: number) => (boxes.isUnresolved(box) ? '' : boxes.file(box)),
      share: (box: number) => (boxes.isUnresolved(box) ? '' : shareText(boxes, boxes.totalOf(box))),
      colour: (box: number) => categoryColour(boxes.category(box)),
      hatched: boxes.isUnresolved,
      matched: matches?.isMatch,
    }),
    [boxes, matches],
  );
  const present = useMemo(() => {
    const found = new Set<string>();
    for (let box = 0; box < boxes.count; box += 1) found.add(boxes.category(box));
    return categories.filter((category) => found.has(category));
  }, [boxes]);
  const zoomTo = (box: number) => setVisible([boxes.index.boxes.begin[box] ?? 0, boxes.index.boxes.end[box] ?? 1]);
  const source = String(boxes.table.notes.seconds_per_sample_source ?? '');
  const leaves = boxes.table.notes.leaves;
  const note = boxes.table.notes.selection;
  const profileName = typeof table.notes.profile === 'string' ? table.notes.profile : profile;
  return (
    <div class="flame" data-testid="view-flame">
      <div class="toolbar flame-toolbar">
        <ProfileSelect profiles={profiles} value={profile} onChange={onProfile} />
        <div class="search-box">
          <input
            ref={field}
            type="search"
            aria-label="Search name or file"
            placeholder="Search name or file"
            data-testid="flame-search"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') {
                setText('');
                event.currentTarget.blur();
                event.stopPropagation();
              } else if (event.key === 'Enter' && matches && matches.widest >= 0) setSelected(matches.widest);
            }}
          />
          {matches ? (
            <span class="search-count" data-testid="flame-matched" aria-live="polite">
              {count(matches.hits)} · <b>{percent(matches.share)}</b>
            </span>
          ) : null}
          <kbd>/</kbd>
        </div>
        <span class="flame-summary muted">
          <b data-testid="flame-total">
            {count(Math.round(boxes.total))} {boxes.unit}
          </b>
          {boxes.unit === 'samples' && Number.isFinite(boxes.secondsPerSample) ? (
            <span title={source}>
              {' '}
              <span class="explained">
                {amountText(boxes, boxes.total)} at {significant(boxes.secondsPerSample * 1000)}&#8201;ms per sample
                {source.startsWith('calibrated')
                  ? ', by the tasks’ seconds'
                  : source === 'recorded'
                    ? ''
                    : ' (assumed)'}
              </span>
            </span>
          ) : null}
        </span>
        <div class="panel-actions">
          <button
            type="button"
            class="button"
            data-testid="flame-reset"
            disabled={visible[1] - visible[0] >= 1}
            onClick={() => setVisible(whole)}
          >
            Reset zoom <kbd>0</kbd>
          </button>
          <ExportMenu profile={profile} profileName={profileName} />
          <PanelMenu title="the flame graph" name="flame" box={graph} table={boxes.table} />
        </div>
      </div>
      <div class="flame-body">
        <section
          ref={graph}
          class={`panel flame-main ${waiting ? 'panel-waiting' : ''}`}
          aria-label="Flame graph"
          aria-busy={waiting}
        >
          {typeof note === 'string' ? <p class="plot-caption">{note}</p> : null}
          <ShareAxis visible={visible} endText={amountText(boxes, boxes.total)} />
          <Icicle
            index={boxes.index}
            look={look}
            visible={visible}
            onVisible={setVisible}
            selected={selected}
            onSelect={setSelected}
            tooltip={(box) => <FlameTooltip boxes={boxes} box={box} />}
            label={`Call tree of ${profileName}: ${count(boxes.count)} boxes, ${boxes.index.rows} deep, ${count(Math.round(boxes.total))} ${boxes.unit}`}
          />
          <Legend
            entries={[
              ...present.map((category) => ({ id: category, label: category, colour: categoryColour(category) })),
              { id: 'unresolved', label: 'in callees (unresolved)', colour: '--ph-idle', hatched: true },
            ]}
          />
          {typeof leaves === 'string' ? <p class="plot-caption">{leaves}</p> : null}
        </section>
        <FlameDetails boxes={boxes} box={selected} onSelect={setSelected} onZoom={zoomTo} />
      </div>
    </div>
  );
}
