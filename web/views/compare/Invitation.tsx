import { Absent } from '../common/Absent';

/** In place of a view of several runs while too few are open. */
export function Invitation({ title, reason, testId }: { title: string; reason: string; testId: string }) {
  return (
    <section class="panel" data-testid={testId}>
      <Absent centered title={title} reason={reason} />
    </section>
  );
}
