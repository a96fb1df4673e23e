import { Fragment } from 'preact';

/** Names may go on in the next line behind an underscore. */
export const withBreaks = (name: string) =>
  [...name.matchAll(/[^_]*_|[^_]+$/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {part}
      {part.endsWith('_') ? <wbr /> : null}
    </Fragment>
  ));
