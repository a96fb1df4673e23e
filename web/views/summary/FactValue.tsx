import { type Fact, factParts } from '../../domain/facts';

/** The number of a tile, its units small. */
export function FactValue({ fact }: { fact: Pick<Fact, 'id' | 'unit' | 'value'> }) {
  return (
    <>
      {factParts(fact, fact.value).map((part, index) => (
        <span key={`${part.unit}`}>
          {index > 0 ? '\u2009' : ''}
          {part.value}
          {part.unit ? <small>&#8201;{part.unit}</small> : null}
        </span>
      ))}
    </>
  );
}
