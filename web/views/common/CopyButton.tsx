import { useState } from 'preact/hooks';
import { Button } from '../../ui/Button';

/** Puts a text on the clipboard, where the page may. */
export function CopyButton({ title, text }: { title: string; text: string }) {
  const [done, setDone] = useState('');
  const copy = () => {
    const clipboard = navigator.clipboard;
    if (!clipboard) return setDone('Not allowed here');
    clipboard.writeText(text).then(
      () => setDone('Copied'),
      () => setDone('Not allowed here'),
    );
  };
  return <Button onClick={copy}>{done || title}</Button>;
}
