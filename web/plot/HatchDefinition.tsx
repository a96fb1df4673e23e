export interface HatchDefinitionProps {
  id: string;
  ground: string;
  ink: string;
  /** draw both diagonals */
  cross?: boolean;
}

/** The hatch of hatch.ts as an SVG pattern: goes into a chart's <defs>, used as fill="url(#id)". */
export function HatchDefinition({ id, ground, ink, cross = false }: HatchDefinitionProps) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
      <rect width="6" height="6" fill={ground} />
      <path d="M-1 1L1 -1M0 6L6 0M5 7L7 5" stroke={ink} stroke-width="1.2" />
      {cross ? <path d="M-1 5L1 7M0 0L6 6M5 -1L7 1" stroke={ink} stroke-width="1.2" /> : null}
    </pattern>
  );
}
