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
 * Makes the `process_message` of a decoder of such lines, controlled by the parameters number_fields (all by default) and those of `RecordMessage`. Values that are
 * not in quotes can be numbers, `true` and `false`; a name without a value is `true`; an empty value is left out.
 */
export function pairDecoder(syntax: PairSyntax, defaults: HeaderDefaults): () => ProcessStatus {
  const reader = new PairReader(syntax);
  const message = new RecordMessage(defaults);
  const numbers = new NumberFields(stringConfig('number_fields'));

  let date: string | null = null;
  /** Date and time of FortiGate and Sophos, date=2021-03-05 time=13:07:59, whose zone stands behind them: tz="+0100", timezone="CET". */
  let dated = '';
  let zone = '';

  const add = ({ name, value, quoted }: PairReader): void => {
    const time = name === 'time' && date !== null && value !== null ? `${date} ${value}` : null;
    date = name === 'date' ? value : null;
    if (dated !== '' && (name === 'tz' || name === 'timezone') && value !== null && isZone(value)) zone = ` ${value}`;
    if (time !== null && dated === '') dated = time;
    else if (time !== null) message.add(name, time);
    else if (value === null) message.add(name, true);
    else if (quoted) message.add(name, value);
    else if (value === 'true' || value === 'false') message.add(name, value === 'true', undefined, value);
    else if (value !== '') {
      const number = numbers.numberOf(name, value);
      if (Number.isNaN(number)) message.add(name, value);
      else message.add(name, number, numbers.unitOf(name), value);
    }
  };

  return () => {
    const { text, start, end } = payload_span();
    message.begin();
    reader.begin(text, start, end);
    date = null;
    dated = '';
    zone = '';
    let pairs = 0;
    while (reader.next()) {
      if (reader.value !== null) pairs++;
      add(reader);
    }
    if (reader.error !== null) return [-1, reader.error];
    if (dated !== '') message.add('time', dated + zone);
    return pairs === 0 ? noPair : message.inject(text, start, end);
  };
}

/** Whether a value is a zone that a time can have behind it. */
function isZone(value: string): boolean {
  return OFFSET.test(value) || zoneHours(value) !== undefined;
}
