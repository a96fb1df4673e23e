import type { ComponentProps } from 'preact';

/** A button that sends no form; it looks like one where no other class is given. */
export const Button = (props: ComponentProps<'button'>) => (
  <button type="button" class="button" {...props} />
);

/** A cross: it puts away what it stands in. */
export const Close = (props: ComponentProps<'button'> & { 'aria-label': string }) => (
  <Button {...props}>✕</Button>
);
