import { percent, significant, withUnit } from '../../plot/format';
import { coresText, type StudyRow } from './study';

/** A run of the study. */
export function PointTooltip({ row, unit }: { row: StudyRow; unit: string }) {
  return (
    <>
      <div>
        <b>
          {row.place} · {row.run}
        </b>
      </div>
      <div>
        {withUnit(significant(row.rate), unit)} on {coresText(row.cores)} cores
      </div>
      <div class="muted">
        {withUnit(significant(row.rate_per_core), unit)} per core,{' '}
        {percent(row.efficiency_vs_ideal)} of ideal
      </div>
      {row.differs ? <div class="muted">not compared: {row.differs}</div> : null}
    </>
  );
}
