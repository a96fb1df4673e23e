import { useState } from 'preact/hooks';
import { Button } from '../../ui/Button';

interface CopyButtonProps {
  title: string;
  text: string;
  testId?: string;
}

/** Puts a text on the clipboard, where the page may. */
export function CopyButton({ title, text, testId }: CopyButtonProps) {
  const [done, setDone] = useState('');
  const copy = () => {
    const closed = () => setDone('Not allowed here');
    if (!navigator.clipboard) closed();
    else navigator.clipboard.writeText(text).then(() => setDone('Copied'), closed);
  };
  return (
    <Button onClick={copy} data-testid={testId}>
      {done || title}
    </Button>
  );
}
