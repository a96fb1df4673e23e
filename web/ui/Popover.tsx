import type { ComponentChildren, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from './keys';

/** A sheet that a button opens beside itself, and that is put away by a press elsewhere or Esc. */
export interface PopoverState {
  id: string;
  shown: boolean;
  setShown: (shown: boolean) => void;
  /** what the sheet stands below */
  place: RefObject<HTMLElement | null>;
  sheet: RefObject<HTMLDivElement | null>;
  close: () => void;
}

export function usePopover(): PopoverState {
  const id = useId();
  const [shown, setShown] = useState(false);
  const place = useRef<HTMLElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  return { id, shown, setShown, place, sheet, close: () => sheet.current?.hidePopover() };
}

/** What makes a button the opener of a popover. */
export const opens = ({ id, shown }: PopoverState) => ({
  popovertarget: id,
  'aria-haspopup': true,
  'aria-expanded': shown,
});

export interface PopoverProps {
  of: PopoverState;
  /** on which side of its place it ends */
  align?: 'left' | 'right';
  className?: string;
  testId?: string | undefined;
  /** made while it is shown */
  children: () => ComponentChildren;
}

/** The sheet of a popover. */
export function Popover({ of, align = 'left', className = '', testId, children }: PopoverProps) {
  const { shown, place, sheet } = of;
  usePlaced(of, align);
  const walk = (step: number) => {
    const stops = [
      ...(sheet.current?.querySelectorAll<HTMLElement>('button, input, a[href]') ?? []),
    ];
    const now = stops.indexOf(document.activeElement as HTMLElement);
    stops[now < 0 ? 0 : (now + step + stops.length) % stops.length]?.focus();
  };
  useKeys(
    'menu',
    {
      Escape: () => {
        of.close();
        // the browser gives the focus back only from within the sheet
        place.current?.querySelector('button')?.focus();
      },
      ArrowDown: () => walk(1),
      ArrowUp: () => walk(-1),
    },
    shown,
  );
  return (
    <div
      ref={sheet}
      id={of.id}
      popover="auto"
      class={className}
      data-testid={shown ? testId : undefined}
      onBeforeToggle={(event: Event) => of.setShown((event as ToggleEvent).newState === 'open')}
    >
      {shown ? children() : null}
    </div>
  );
}

const margin = 6;
/** between a sheet and what it stands below */
const gap = 4;

/** Keeps the sheet at its place, whatever scrolls or grows, and within the window. */
function usePlaced({ shown, place, sheet }: PopoverState, align: 'left' | 'right'): void {
  useLayoutEffect(() => {
    const element = sheet.current;
    if (!shown || !element) return;
    const put = () => {
      const around = place.current?.getBoundingClientRect();
      if (!around) return;
      const { offsetWidth: width, offsetHeight: height } = element;
      const within = (start: number, length: number, room: number) =>
        Math.max(margin, Math.min(start, room - length - margin));
      const left = within(
        align === 'right' ? around.right - width : around.left,
        width,
        window.innerWidth,
      );
      const below = around.bottom + gap;
      const fits = below + height + margin <= window.innerHeight;
      const top = fits || around.top < height ? below : around.top - height - gap;
      Object.assign(element.style, {
        left: `${left}px`,
        top: `${within(top, height, window.innerHeight)}px`,
      });
    };
    put();
    const watch = new ResizeObserver(put);
    watch.observe(element);
    window.addEventListener('resize', put);
    document.addEventListener('scroll', put, true);
    return () => {
      watch.disconnect();
      window.removeEventListener('resize', put);
      document.removeEventListener('scroll', put, true);
    };
  }, [shown, align]);
}

/** What lies above everything while it is there, dialogs too. It takes neither focus nor keys. */
export function OnTop({
  className,
  testId,
  children,
}: Pick<PopoverProps, 'className' | 'testId'> & ChildrenProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => ref.current?.showPopover(), []);
  return (
    <div ref={ref} popover="manual" class={className} data-testid={testId}>
      {children}
    </div>
  );
}

interface ChildrenProps {
  children: ComponentChildren;
}
