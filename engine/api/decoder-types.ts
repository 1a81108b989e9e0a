import type { FieldInfo } from './record-types.ts';

/** A parameter of a decoder, as its script declares it. */
export interface DecoderParameter {
  readonly name: string;
  readonly type: 'string' | 'bool' | 'int' | 'uint' | 'number';
  readonly summary: string;
  readonly default: string | number | boolean | null;
  readonly required: boolean;
  /** Bounds of a number, which it may reach. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** The only texts that it may be. */
  readonly values?: readonly string[];
}

export interface DecoderAbout {
  /** Bundled name, or path of the script. */
  readonly name: string;
  /** The same name, or the file name of the script. */
  readonly title: string;
  readonly summary: string;
  readonly parameters: readonly DecoderParameter[];
}

/** A message that a decoder made of one of the first records. */
export interface PreviewRecord {
  readonly time: number;
  readonly severity: number | null;
  readonly type: string;
  readonly payload: string | null;
  readonly fields: readonly FieldInfo[];
}

/** The result of running a decoder over the first records of a source. */
export interface DecoderPreview {
  /** The first messages. */
  readonly records: readonly PreviewRecord[];
  /** Records that it was given, and those that it refused. */
  readonly tried: number;
  readonly failed: number;
  /** The reason for which it refused the first of them; null: it refused none. */
  readonly reason: string | null;
}
