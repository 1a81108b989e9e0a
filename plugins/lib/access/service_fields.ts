/** Types of fields in the access logs of services. */
import { AnyDate } from '../../modules/any_date.ts';
import { endpointCode, wholeDateCode } from '../format/field_code.ts';
import { MinuteDate } from '../time/minute_date.ts';
import { HOST, INTEGER, type FieldType } from '../format/log_fields.ts';
import { digits, isDash, upToSpace, type Scan } from '../../base/scan.ts';
import { WallClock } from '../../modules/time_zone.ts';

const [COLON, OPEN, CLOSE] = [58, 91, 93];

/** The whole of a value. */
export const wholeValue: Scan = (_text, _at, end) => end;

/** The time of the message: a date in any usual form that reaches as far as `extent` says, in UTC when it has no zone. */
export function timeIn(extent: Scan): FieldType {
  const date = new MinuteDate(new AnyDate(() => 0, new WallClock('UTC')));
  let ns: number | bigint = 0;
  const taken = (read: number | bigint | null, to: number): number => {
    ns = read ?? ns;
    return read === null ? -1 : to;
  };
  const scan: Scan = (text, at, end) => {
    const to = extent(text, at, end);
    return taken(to < 0 ? null : date.read(text, at, to), to);
  };
  const scanUnits = (units: Uint8Array, at: number, end: number): number => taken(date.readUnits(units, at, end), end);
  return {
    scan,
    ...(extent === wholeValue ? { code: wholeDateCode(scan, scanUnits, () => ns) } : {}),
    required: true,
    columns: () => [],
    write: (writer) => writer.timestamp(ns),
  };
}

/** Extends a type by a lone `-`, which sets no field. */
export function unlessDash(type: FieldType): FieldType {
  const { code: _, ...slow } = type;
  return {
    ...slow,
    scan: (text, at, end) => {
      const to = type.scan(text, at, end);
      return to < 0 && at < end && isDash(text, at, at + 1) ? at + 1 : to;
    },
    write: (writer, column, text, from, to) => {
      if (!isDash(text, from, to)) type.write(writer, column, text, from, to);
    },
  };
}

const SLOW_ENDPOINT: FieldType = {
  scan: (text, at, end) => {
    const to = upToSpace(text, at, end);
    const colon = portColon(text, at, to);
    return colon > at && digits(text, colon + 1, to) === to ? to : -1;
  },
  columns: (name) => [...HOST.columns(`${name}_addr`), { name: `${name}_port`, kind: 'number' }],
  write: (writer, column, text, from, to) => {
    const colon = portColon(text, from, to);
    const bracketed = text.charCodeAt(from) === OPEN && text.charCodeAt(colon - 1) === CLOSE;
    if (bracketed) HOST.write(writer, column, text, from + 1, colon - 1);
    else HOST.write(writer, column, text, from, colon);
    INTEGER.write(writer, column + HOST.columns('').length, text, colon + 1, to);
  },
};

/** `192.0.2.1:2817`, also with an IPv6 address in front of the port: the fields `…_addr` and `…_port`. */
export const ENDPOINT: FieldType = {
  ...SLOW_ENDPOINT,
  code: endpointCode(SLOW_ENDPOINT.scan, SLOW_ENDPOINT.write, HOST.columns('').length),
};

/** The same, or the name of a socket or an address alone, without a port. */
export const ADDRESS: FieldType = {
  ...SLOW_ENDPOINT,
  scan: upToSpace,
  write: (writer, column, text, from, to) => {
    if (SLOW_ENDPOINT.scan(text, from, to) === to) SLOW_ENDPOINT.write(writer, column, text, from, to);
    else HOST.write(writer, column, text, from, to);
  },
};

/** The last colon of [from, to); the position before `from` when there is none. */
function portColon(text: string, from: number, to: number): number {
  let at = to - 1;
  while (at >= from && text.charCodeAt(at) !== COLON) at--;
  return at;
}
