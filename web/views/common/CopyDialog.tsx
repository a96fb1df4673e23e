import type { Signal } from '@preact/signals';
import { Dialog } from '../../ui/Dialog';

export interface CopyDialogProps {
  shown: Signal<boolean>;
  text: string;
}

/** The text to copy by hand, where the browser keeps the clipboard closed. */
export function CopyDialog({ shown, text }: CopyDialogProps) {
  return (
    <Dialog shown={shown} label="Copy" testId="copy-dialog">
      <p>
        This page may not write to the clipboard. The text is selected: copy it with Ctrl or Cmd and
        C.
      </p>
      <textarea
        class="mono copy-text"
        readOnly
        value={text}
        ref={(field) => {
          // after the dialog has taken the focus
          if (field) requestAnimationFrame(() => field.select());
        }}
      />
    </Dialog>
  );
}
