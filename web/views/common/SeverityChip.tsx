const names = { high: 'High', medium: 'Medium', low: 'Low' } as const;

/** The severity in a word and a colour. */
export function SeverityChip({ severity }: { severity: keyof typeof names }) {
  return <span class={`note-severity ${severity}`}>{names[severity]}</span>;
}
