import { marksOf } from '../../domain/bins';
import { count, percent, significant } from '../../plot/format';
import { Histogram } from '../../plot/Histogram';
import { selection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { Marks } from '../common/Marks';
import { noteText, Panel } from '../common/Panel';

export interface FileHistogramProps {
  question: 'compression_histogram' | 'branch_histogram' | 'access_histogram';
  title: string;
  /** what is on the axis */
  xTitle: string;
  /** fractions are shown as percent, ratios as they are */
  percents: boolean;
  className: string | undefined;
}

/** How a fact of the files is distributed: each file once, however many chunks it has. */
export function FileHistogram({
  question,
  title,
  xTitle,
  percents,
  className,
}: FileHistogramProps) {
  const answer = useAnswer(question, selection.value);
  const { table } = answer;
  const note = (name: string) => Number(table?.notes[name] ?? Number.NaN);
  const text = percents ? percent : (value: number) => significant(value);
  // files of which nothing at all was read are none: nobody counted (RNTuple, memory-mapped files)
  const uncounted = note('count') > 0 && note('zeros') === note('count');
  const known = table !== undefined && table.rows > 0 && !uncounted;
  return (
    <Panel
      title={title}
      subtitle={
        known
          ? `${count(note('count'))} files${note('zeros') > 0 ? `, ${count(note('zeros'))} of them 0` : ''}`
          : 'per file'
      }
      answer={answer}
      className={known ? className : `${className} at-top`}
      testId={question}
    >
      {known && table ? (
        <>
          <div class="chart-tools row">
            <Marks table={table} quantity={{ text }} shown={['median', 'mean']} />
          </div>
          <Histogram
            lo={table.numbers('lo')}
            hi={table.numbers('hi')}
            count={note('count')}
            series={[
              { id: 'files', label: 'files', colour: '--c6', counts: table.numbers('count') },
            ]}
            marks={marksOf(table, ['median', 'mean'])}
            xTitle={xTitle}
            yTitle="files"
            factor={percents ? 100 : 1}
            height={150}
            text={text}
            label={`${title} of ${count(note('count'))} files, median ${text(note('median'))}`}
            testId={`${question}-chart`}
          />
        </>
      ) : (
        <p class="missing">
          {uncounted
            ? `not collected: 0 in each of ${count(note('count'))} files`
            : noteText(answer, 'missing')}
        </p>
      )}
    </Panel>
  );
}
