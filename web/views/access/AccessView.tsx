import { fullSentence } from '../../domain/sentenceCase';
import type { Table } from '../../engine/table';
import { useAnswer } from '../../state/answers';
import { findingsOf, firstOfReading } from '../../state/finding';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { EmptyFilter, useEmptyFilter } from '../common/EmptyFilter';
import { noteText, Panel } from '../common/Panel';
import { ViewVerdict } from '../common/ViewVerdict';
import { BranchPanel } from './BranchPanel';
import { ChunkBytesPanel } from './ChunkBytesPanel';
import { CountersPanel } from './CountersPanel';
import { FileHistogram, type FileHistogramProps } from './FileHistogram';
import { FileTable } from './FileTable';
import { InputPanel } from './InputPanel';
import { LoadPanel } from './LoadPanel';
import { RatePanel } from './RatePanel';

const histograms: readonly [FileHistogramProps, ...FileHistogramProps[]] = [
  {
    question: 'compression_histogram',
    title: 'Compression',
    xTitle: 'compressed / uncompressed',
    percents: false,
  },
  {
    question: 'branch_histogram',
    title: 'Share of branches read',
    xTitle: '% of branches',
    percents: true,
  },
  {
    question: 'access_histogram',
    title: 'Share of bytes used',
    xTitle: "% of the tree's bytes",
    percents: true,
  },
];

/** Whether any of them has something to show: what is missing is said once. */
const hasFileFacts = (access: Table<'access'>): boolean =>
  (['compression_ratio', 'branches_read_fraction', 'bytes_read_fraction'] as const).some((fact) =>
    access.numbers(fact).some(Number.isFinite),
  );

/** Is reading the limit, and how much of the input is read? */
export function AccessView() {
  const run = activeRunId.value;
  const access = useAnswer(run, 'access', selection.value);
  const branches = useAnswer(run, 'branches', selection.value);
  const input = useAnswer(run, 'input', selection.value);
  const findings = useAnswer(run, 'findings').table;
  const blamed = findings && firstOfReading(findingsOf(findings));
  const empty = useEmptyFilter();
  const noFacts = access.table !== undefined && !hasFileFacts(access.table);
  const missing = [noteText(access, 'missing'), noteText(branches, 'missing')].filter(Boolean);
  if (access.table?.rows === 0 && branches.table?.rows === 0 && missing.length > 0) {
    return (
      <section class="panel" data-testid="view-read">
        <Absent
          centered
          title="No information about the input"
          reason={missing.map(fullSentence).join(' ')}
          addable
        />
      </section>
    );
  }
  if (empty) {
    return (
      <div data-testid="view-read">
        <EmptyFilter centered />
      </div>
    );
  }
  return (
    <div class="stack" data-testid="view-read">
      <ViewVerdict
        text={blamed ? `${blamed.title}.` : noteText(input, 'verdict')}
        limits={noteText(input, blamed ? 'verdict' : 'waiting')}
        testId="input-verdict"
      />
      <div class="grid grid-even">
        <RatePanel />
        <InputPanel />
        <Panel
          title="Files"
          subtitle={
            noteText(access, 'selection') ||
            'slowest first, relative to other files of the same dataset'
          }
          answer={access}
          className="span-8"
          testId="files"
        >
          {access.table && access.table.rows > 0 ? <FileTable table={access.table} /> : null}
          {access.table?.rows === 0 ? (
            <p class="missing">{noteText(access, 'missing') || 'no file in the selection'}</p>
          ) : null}
        </Panel>
        <BranchPanel />
        <LoadPanel />
        <ChunkBytesPanel />
        {noFacts ? (
          <FileHistogram {...histograms[0]} title="Compression, branches, bytes used" wide />
        ) : (
          histograms.map((histogram) => <FileHistogram key={histogram.question} {...histogram} />)
        )}
        <CountersPanel wide={noFacts} />
      </div>
    </div>
  );
}
