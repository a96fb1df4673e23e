import { CopyButton } from './CopyButton';

/** Code to copy; in a sandbox, whose clipboard is closed, it can still be marked by hand. */
export const Snippet = ({ code }: { code: string }) => (
  <div class="snippet">
    <code class="mono">{code}</code>
    <CopyButton title="Copy" text={code} testId="copy" />
  </div>
);
