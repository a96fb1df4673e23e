const signs = { good: '✓', warn: '▲', bad: '✕' } as const;

/** How something is, in a sign and its colour; the words beside it say so to who does not see it. */
export const Sign = ({ of }: { of: keyof typeof signs }) => (
  <b class={`${of}-mark`} aria-hidden="true">
    {signs[of]}
  </b>
);
