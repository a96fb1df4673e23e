import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { MenuItem } from '../../ui/MenuItem';
import { CopyDialog } from './CopyDialog';

export interface CopyItemProps {
  /** made when it is wanted */
  text: () => string;
  testId?: string;
}

/** The line of a menu that puts a text on the clipboard, or shows it where that is closed. */
export function CopyItem({ text, testId }: CopyItemProps) {
  const [copied, setCopied] = useState('');
  const byHand = useSignal(false);
  const copy = () => {
    const content = text();
    const closed = () => {
      setCopied(content);
      byHand.value = true;
    };
    if (!navigator.clipboard) closed();
    else navigator.clipboard.writeText(content).then(() => setCopied(content), closed);
  };
  return (
    <>
      <MenuItem onPress={copy} {...(testId ? { testId } : {})}>
        {copied && !byHand.value ? 'Copied' : 'Copy'}
      </MenuItem>
      <CopyDialog shown={byHand} text={copied} />
    </>
  );
}
