/** A header or field of messages, as the language of filters knows it. */
export interface Variable {
  /** `Type`, `Fields[status]`. */
  readonly name: string;
  /** A description of one or two words. */
  readonly about: string;
  /** Of its values; `mixed`: of several types, or not known. */
  readonly type: 'string' | 'number' | 'bool' | 'mixed';
  /** Constants that were seen, as they are written in an expression. */
  readonly constants: readonly string[];
  /** Records have it as a level, with words for its numbers. */
  readonly isLevel?: boolean;
}
