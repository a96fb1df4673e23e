// What the core can be asked. Its build writes the types (scripts/contract.mjs); none of it is left at run time.
import type { Questions } from '../../build/questions';

export type QuestionName = keyof Questions;
export type OptionsOf<Q extends QuestionName> = Questions[Q]['options'];
/** Columns of numbers and flags. */
export type NumbersOf<Q extends QuestionName> = Questions[Q]['numbers'];
export type TextsOf<Q extends QuestionName> = Questions[Q]['texts'];
export type ColumnsOf<Q extends QuestionName> = NumbersOf<Q> | TextsOf<Q>;
