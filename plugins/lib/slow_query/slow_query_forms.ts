/** The entries of the slow query logs of different servers, and the forms of the values in them. */
import { decimal, digits } from '../../base/scan.ts';

/** The properties of one server's logs. */
export interface SlowQueryLog {
  readonly type: string;
  /** The lines of pairs that each entry has behind the line of its user, as the pairs that they begin with. */
  readonly lines: readonly PairLine[];
  /** Whether comment lines of other servers may stand before these. */
  readonly othersBefore: boolean;
}

/** The pairs that a line begins with, in order: name, form of the value, and whether it may be missing. */
export type PairLine = readonly (readonly [name: string, form: ValueForm, optional?: 'optional'])[];
/** Whether a value has a form. */
export type ValueForm = (value: string) => boolean;

export const COUNT: ValueForm = (value) => digits(value, 0, value.length) === value.length;
export const INTEGER: ValueForm = (value) => digits(value, value.startsWith('-') ? 1 : 0, value.length) === value.length;
export const DECIMAL: ValueForm = (value) => decimal(value, 0, value.length) === value.length;
export const ANY: ValueForm = () => true;
