import type { ComponentChildren } from 'preact';
import { sentenceCase } from '../domain/sentenceCase';
import { dismissFailure } from '../state/underWay';
import { Button } from '../ui/Button';
import { Sign } from '../ui/Sign';
import { pickFiles } from './pickFiles';

export interface FailureProps {
  what: string;
  sentences: readonly string[];
  /** what else may be done */
  way?: { label: string; act: () => void } | undefined;
}

const shownAtMost = 12;

interface FailureCardProps {
  testId: string;
  title: string;
  text: ComponentChildren;
  /** what can be done */
  children: ComponentChildren;
}

/** What went wrong, and the ways on. */
export const FailureCard = ({ testId, title, text, children }: FailureCardProps) => (
  <div class="failure" role="alert" data-testid={testId}>
    <Sign of="bad" />
    <div class="failure-text">
      <h2>{title}</h2>
      {text}
      <div class="failure-actions row">{children}</div>
    </div>
  </div>
);

/**
 * Why something could not be opened. The page goes on: the next drop works, and what was open still
 * is.
 */
export function Failure({ what, sentences, way }: FailureProps) {
  const more = sentences.length - shownAtMost;
  const list = (
    <ul>
      {sentences.slice(0, shownAtMost).map((sentence) => (
        <li key={sentence}>{sentenceCase(sentence)}</li>
      ))}
      {more > 0 ? <li>and {more} more</li> : null}
    </ul>
  );
  return (
    <FailureCard testId="error" title={what} text={list}>
      {way ? (
        <Button class="button button-main" data-testid="add-dropped" onClick={way.act}>
          {way.label}
        </Button>
      ) : null}
      <Button onClick={() => pickFiles('files')}>Open another…</Button>
      <Button data-testid="dismiss-error" onClick={dismissFailure}>
        Dismiss <kbd>Esc</kbd>
      </Button>
    </FailureCard>
  );
}
