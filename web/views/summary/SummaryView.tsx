import '../../styles/core-time.css';
import '../../styles/part.css';
import type { ComponentChildren } from 'preact';
import { factOf, factParts } from '../../domain/facts';
import { type Row, rowsOf, type Table } from '../../engine/table';
import { partsText } from '../../plot/format';
import { coreTimePart } from '../../state/coreTime';
import { embedded } from '../../state/embed';
import { currentFinding, isFact } from '../../state/finding';
import { absentText, activeRunId, openRuns } from '../../state/runs';
import { isFiltered, selection } from '../../state/selection';
import { put } from '../../state/setter';
import { type Answer, useAnswer } from '../../state/useAnswer';
import { type ViewId, view, views } from '../../state/view';
import { Button } from '../../ui/Button';
import { later } from '../../ui/later';
import { useOwnTop } from '../../ui/useOwnTop';
import { Absent } from '../common/Absent';
import { EmptyFilter, useEmptyFilter } from '../common/EmptyFilter';
import { FactTooltip } from '../common/FactTooltip';
import { noteText } from '../common/Panel';
import { Tile } from '../common/Tile';
import { WholeRun } from '../common/WholeRun';
import { AllNumbers } from './AllNumbers';
import { CoreTimePanel } from './CoreTimePanel';
import { FactValue } from './FactValue';
import { FindingsPanel } from './FindingsPanel';
import { OverTimePanel } from './OverTimePanel';
import { ProgressPanel } from './ProgressPanel';
import { RunVerdict } from './RunVerdict';
import { type TileSpec, tiles } from './tileList';
import { WhatIfHere } from './WhatIfHere';

const PartPanel = later(async () => (await import('./PartPanel')).PartPanel);

const FindingPage = later(async () => (await import('./FindingPage')).FindingPage);

/** Where did the core-time go, and what should I fix? */
export function SummaryView() {
  const run = activeRunId.value;
  const summary = useAnswer('summary', selection.value);
  const empty = useEmptyFilter();
  const facts = rowsOf(summary.table);
  const now = currentFinding.value;
  const finding = now && now.run === run && !isFact(now.finding) ? now.finding : undefined;
  useOwnTop(finding?.key ?? '');
  if (facts.length > 0 && !isFiltered.value && !facts.some((fact) => Number.isFinite(fact.value))) {
    return (
      <section class="panel" data-testid="view-summary">
        <Absent
          centered
          title="No metrics in this bundle"
          reason="A summary needs a recording of crema.record, roastcoffea’s metrics.json, Dask’s span metrics or a coffea report. What this bundle does hold is in the other views, such as the flame graph."
          addable
        />
        <nav class="look-closer row" aria-label="Views">
          <Closer id="flame">Flame graph</Closer>
        </nav>
      </section>
    );
  }
  if (finding) return <FindingPage finding={finding} />;
  const selected = coreTimePart.value !== '' && !embedded.value;
  return (
    <div class="stack summary" data-testid="view-summary">
      {empty ? <EmptyFilter /> : null}
      <RunVerdict />
      <ProgressPanel />
      <Tiles answer={summary} />
      {embedded.value ? null : <LookCloser />}
      <div class={selected ? 'core-time-grid' : undefined}>
        <CoreTimePanel />
        {selected ? <PartPanel /> : null}
      </div>
      <FindingsPanel />
      <div class="shared">
        <div>
          <OverTimePanel />
        </div>
        {embedded.value ? null : (
          <div class="lends-room">
            <WhatIfHere />
          </div>
        )}
      </div>
      {embedded.value ? null : <AllNumbers answer={summary} />}
    </div>
  );
}

/** One click to each view that shares its tab with others. */
function LookCloser() {
  const there = views().filter(({ asks, needs }) => asks && needs.runs <= openRuns.value.length);
  return (
    <nav class="look-closer row" aria-label="Questions">
      {there.map(({ id, asks }) => (
        <Closer key={id} id={id}>
          {asks}
        </Closer>
      ))}
    </nav>
  );
}

function Closer({ id, children }: { id: ViewId; children: ComponentChildren }) {
  return (
    <Button class="link" data-testid={`closer-${id}`} onClick={put(view, id)}>
      {children}&#8201;›
    </Button>
  );
}

/** Six headline numbers. */
function Tiles({ answer }: { answer: Answer }) {
  // without the number of cores, shares are of what was recorded, as the picture below has them
  const budget = useAnswer('budget', selection.value);
  const recorded = noteText(budget, 'missing') ? rowsOf(budget.table) : [];
  return (
    <section
      class={answer.pending ? 'panel tiles panel-waiting' : 'panel tiles'}
      aria-label="Headline numbers"
    >
      {tiles.map((tile) => (
        <HeadlineTile key={tile.id} tile={tile} table={answer.table} recorded={recorded} />
      ))}
    </section>
  );
}

interface TileProps {
  tile: TileSpec;
  table: Table | undefined;
  recorded: readonly Row<'budget'>[];
}

function HeadlineTile({ tile, table, recorded }: TileProps) {
  const ofAll = table && factOf(table, tile.fact);
  const share = recorded.find(({ part }) => part === tile.part)?.share;
  const fact = ofAll && share ? { ...ofAll, value: share } : ofAll;
  const get = (id: string): string => {
    const found = table && factOf(table, id);
    if (!found || !Number.isFinite(found.value)) return '–';
    const text = partsText(factParts(found, found.value));
    return found.whole_run === 1 && fact?.whole_run !== 1 ? `${text} (whole run)` : text;
  };
  const known = fact !== undefined && Number.isFinite(fact.value);
  const limited = table && tile.share && factOf(table, tile.share);
  const isLimited = limited && Number.isFinite(limited.value);
  return (
    <Tile
      testId={`tile-${tile.id}`}
      title={tile.title}
      mark={fact?.whole_run === 1 ? <WholeRun /> : null}
      explain={fact && (() => <FactTooltip fact={fact} />)}
      value={known ? <FactValue fact={fact} /> : undefined}
      missing={table && (isFiltered.value ? 'not known' : absentText.value)}
      why={fact?.note ?? ''}
      sub={
        share
          ? 'of what was recorded'
          : isLimited
            ? `${get(limited.id)} of the limit`
            : known && tile.sub?.(get)
      }
    >
      {isLimited ? (
        <div class="tile-limit" title="of the limit" aria-hidden="true">
          <i style={{ width: `${100 * limited.value}%` }} />
        </div>
      ) : null}
    </Tile>
  );
}
