import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './Button';
import { useKeys } from './keys';

export interface DialogProps {
  /** Esc and a press beside the dialog set it to false */
  shown: Signal<boolean>;
  label: string;
  testId?: string;
  children: ComponentChildren;
}

/** A sheet over the page with a title and a button that closes it. */
export function Dialog({ shown, label, testId, children }: DialogProps) {
  if (!shown.value) return null;
  const hide = () => {
    shown.value = false;
  };
  return (
    <Sheet label={label} onLeave={hide} testId={testId}>
      <div class="dialog-head">
        <h2>{label}</h2>
        <Button onClick={hide}>
          Close <kbd>Esc</kbd>
        </Button>
      </div>
      {children}
    </Sheet>
  );
}

export interface SheetProps {
  label: string;
  role?: 'alertdialog';
  /** Esc, or a press beside it */
  onLeave: () => void;
  className?: string;
  testId?: string | undefined;
  children: ComponentChildren;
}

/**
 * The platform's modal dialog, open as long as it is there: the page beneath is inert, the focus
 * begins at the first control and goes back where it was.
 */
export function Sheet({ label, role, onLeave, className = '', testId, children }: SheetProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // at once: a key may follow the one that opened it
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  useKeys('dialog', { Escape: onLeave });
  return (
    <dialog
      ref={ref}
      class="dialog-back"
      role={role}
      aria-label={label}
      // asked for by other ways than a key, such as the back gesture
      onCancel={(event) => {
        event.preventDefault();
        onLeave();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) onLeave();
      }}
    >
      <div class={`dialog ${className}`} data-testid={testId}>
        {children}
      </div>
    </dialog>
  );
}
