import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  /** Esc and a press beside the dialog set it to false */
  shown: Signal<boolean>;
  label: string;
  testId?: string;
  children: ComponentChildren;
}

/** Whether a dialog lies over the page: its keys are then not for the page. */
export const isDialogOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null;

/** A sheet over the page. The focus stays in it, and goes back where it was. */
export function Dialog({ shown, label, testId, children }: DialogProps) {
  const box = useRef<HTMLDivElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const hide = () => {
    shown.value = false;
  };
  // at once: a key may follow the one that opened it
  useLayoutEffect(() => {
    if (!shown.value) return;
    const before = document.activeElement;
    close.current?.focus();
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // one level at a time: what lies beneath stays
      event.stopPropagation();
      hide();
    };
    document.addEventListener('keydown', key, true);
    return () => {
      document.removeEventListener('keydown', key, true);
      if (before instanceof HTMLElement) before.focus();
    };
  }, [shown.value]);
  if (!shown.value) return null;
  const keepFocus = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') return;
    const stops = box.current?.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea');
    const first = stops?.[0];
    const last = stops?.[stops.length - 1];
    const leaving = event.shiftKey ? document.activeElement === first : document.activeElement === last;
    if (!leaving) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  };
  return (
    <div
      class="dialog-back"
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) hide();
      }}
    >
      <div
        ref={box}
        class="dialog"
        role="dialog"
        aria-modal="true"
        aria-label={label}
        data-testid={testId}
        onKeyDown={keepFocus}
      >
        <div class="dialog-head">
          <h2>{label}</h2>
          <button type="button" class="button" ref={close} onClick={hide}>
            Close <kbd>Esc</kbd>
          </button>
        </div>
        {children}
      </div>
    </div>
  );
}
