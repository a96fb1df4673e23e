import { useState } from 'preact/hooks';
import { Button } from '../../ui/Button';

/** Code to copy. */
export function Snippet({ code }: { code: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard
      ?.writeText(code)
      .then(() => setCopied(true))
      // in a sandbox the clipboard is closed; the text can still be marked by hand
      .catch(() => setCopied(false));
  };
  return (
    <div class="snippet">
      <code class="mono">{code}</code>
      <Button onClick={copy} data-testid="copy">
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}
