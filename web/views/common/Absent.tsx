import { useState } from 'preact/hooks';
import { sentenceCase } from './sentenceCase';

export interface AbsentProps {
  title: string;
  /** why, and which file or option records it */
  reason: string;
  /** what to write in one's own code */
  snippet?: string;
  centered?: boolean;
}

/** In place of a picture whose data the bundle does not hold: what is missing, and how to record it next time. */
export function Absent({ title, reason, snippet, centered = false }: AbsentProps) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard
      ?.writeText(snippet ?? '')
      .then(() => setCopied(true))
      // in a sandbox the clipboard is closed; the text can still be marked by hand
      .catch(() => setCopied(false));
  };
  return (
    <div class={centered ? 'absent absent-center' : 'absent'} data-testid="absent">
      <h3>{title}</h3>
      <p>{sentenceCase(reason)}</p>
      {snippet ? (
        <div class="snippet">
          <code class="mono">{snippet}</code>
          <button type="button" class="button" onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </button>
        </div>
      ) : null}
    </div>
  );
}
