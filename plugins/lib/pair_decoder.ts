/** Common part of the decoders of lines of pairs. */
import { zoneHours } from '../base/zone_names.ts';
import { stringConfig } from '../modules/config.ts';
import { PairReader, type PairSyntax } from './key_values.ts';
import { NumberFields } from './number_fields.ts';
import type { HeaderDefaults } from './header/record_headers.ts';
import { RecordMessage } from './record_message.ts';

const noPair: ProcessStatus = [-1, 'no pair of a name and a value'];
const OFFSET = /^[+-]\d\d:?\d\d$/;

/**
 * Reads the pairs of a line into the message of a record. Values that are not in quotes can be numbers, `true` and `false`; a name without a value is `true`;
 * an empty value is left out.
 */
export class PairFields {
  readonly #reader: PairReader;
  readonly #numbers: NumberFields;
  #date: string | null = null;
  /** Date and time of FortiGate and Sophos, date=2021-03-05 time=13:07:59, whose zone stands behind them: tz="+0100", timezone="CET". */
  #dated = '';
  #zone = '';

  constructor(syntax: PairSyntax, numbers: NumberFields) {
    this.#reader = new PairReader(syntax);
    this.#numbers = numbers;
  }

  /** Adds the pairs of [start, end) to a message. Returns how many have a value, and why it stopped before the end. */
  read(text: string, start: number, end: number, message: RecordMessage): { readonly pairs: number; readonly error: string | null } {
    const reader = this.#reader;
    reader.begin(text, start, end);
    this.#date = null;
    this.#dated = '';
    this.#zone = '';
    let pairs = 0;
    while (reader.next()) {
      if (reader.value !== null) pairs++;
      this.#add(reader, message);
    }
    if (reader.error === null && this.#dated !== '') message.add('time', this.#dated + this.#zone);
    return { pairs, error: reader.error };
  }

  #add({ name, value, quoted }: PairReader, message: RecordMessage): void {
    const time = name === 'time' && this.#date !== null && value !== null ? `${this.#date} ${value}` : null;
    this.#date = name === 'date' ? value : null;
    if (this.#dated !== '' && (name === 'tz' || name === 'timezone') && value !== null && isZone(value)) this.#zone = ` ${value}`;
    if (time !== null && this.#dated === '') this.#dated = time;
    else if (time !== null) message.add(name, time);
    else if (value === null) message.add(name, true);
    else if (quoted) message.add(name, value);
    else if (value === 'true' || value === 'false') message.add(name, value === 'true', undefined, value);
    else if (value !== '') {
      const number = this.#numbers.numberOf(name, value);
      if (Number.isNaN(number)) message.add(name, value);
      else message.add(name, number, this.#numbers.unitOf(name), value);
    }
  }
}

/** Makes the `process_message` of a decoder of such lines, controlled by the parameters number_fields (all by default) and those of `RecordMessage`. */
export function pairDecoder(syntax: PairSyntax, defaults: HeaderDefaults): () => ProcessStatus {
  const fields = new PairFields(syntax, new NumberFields(stringConfig('number_fields')));
  const message = new RecordMessage(defaults);
  return () => {
    const { text, start, end } = payload_span();
    message.begin();
    const { pairs, error } = fields.read(text, start, end, message);
    if (error !== null) return [-1, error];
    return pairs === 0 ? noPair : message.inject(text, start, end);
  };
}

/** Whether a value is a zone that a time can have behind it. */
function isZone(value: string): boolean {
  return OFFSET.test(value) || zoneHours(value) !== undefined;
}
