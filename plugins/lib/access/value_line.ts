/**
 * Lines of values with single blanks between them, each bare, in double quotes or in brackets: as load balancers and storage services write their access
 * logs. The place of a value says what it is.
 */
import { injectWritten } from '../../base/inject.ts';
import { codeScope, scanCode, unitsCode, writeCode } from '../format/field_code.ts';
import type { FieldType } from '../format/log_fields.ts';
import { recordEnd } from '../../base/scan.ts';

/** A value of a line, by its position: the name and type of its field. */
export interface LinePlace {
  readonly name: string;
  readonly type: FieldType;
}

const MOST_VALUES = 64;

const noValues: ProcessStatus = [-1, 'a quote or bracket that does not end'];

/** The values of a line. */
interface ValuePlaces {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** Finds the values of a line [at, end), and returns their number; -1 when a quote or a bracket does not end. */
type FindValues = (source: string | PayloadSpan, at: number, end: number, units: Uint8Array | null) => number;

/** The `process_message` of a decoder for lines of these places; at least the first `needed` of them must be there. */
export function valueLineDecoder(
  places: readonly LinePlace[],
  needed: number,
  { type, keepPayload }: { readonly type: string | null; readonly keepPayload: boolean },
): () => ProcessStatus {
  const line: ValuePlaces = { starts: new Int32Array(MOST_VALUES), ends: new Int32Array(MOST_VALUES) };
  const writer = message_writer(places.flatMap(({ name, type: kind }) => kind.columns(name)));
  let ofText: Readers | null = null;
  let ofUnits: Readers | null = null;
  const refusals = places.map(({ name }): ProcessStatus => [-1, `no ${name} where the format has it`]);
  const tooFew: ProcessStatus = [-1, `fewer than ${needed} values`];

  return () => {
    const span = payload_span();
    const { start, units } = span;
    const lineEnd = recordEnd(span);
    const { find, write } = units === null ? (ofText ??= readersOf(places, line, 'text')) : (ofUnits ??= readersOf(places, line, 'span'));
    const source = units === null ? span.text : span;
    const count = find(source, start, lineEnd, units);
    if (count < 0) return noValues;
    if (count < needed) return tooFew;
    const refused = write(writer, source, count, units);
    if (refused >= 0) {
      writer.discard();
      return refusals[refused] as ProcessStatus;
    }
    if (type !== null) writer.type(type);
    if (keepPayload) writer.payloadSlice(start, lineEnd);
    return injectWritten(writer);
  };
}

/** Writes the first `count` values of a line, or returns the place of the first that its type refuses; else -1. */
type WriteValues = (writer: MessageWriter, source: string | PayloadSpan, count: number, units: Uint8Array | null) => number;

interface Readers {
  readonly find: FindValues;
  readonly write: WriteValues;
}

/**
 * A quote ends a value where a blank or the line's end is behind it: those within are not always escaped. Classic load balancers write a second blank before some
 * agents.
 */
const FIND = `
let count = 0;
while (at < end && count < MOST_VALUES) {
  const mark = text.charCodeAt(at);
  const from = mark === QUOTE || mark === OPEN ? at + 1 : at;
  let to = from;
  if (mark === QUOTE) for (;; to++) {
    while (to < end && text.charCodeAt(to) !== QUOTE) to++;
    if (to >= end) return -1;
    if (to + 1 < end && text.charCodeAt(to + 1) !== BLANK) continue;
    let backslash = to;
    while (backslash > from && text.charCodeAt(backslash - 1) === BACKSLASH) backslash--;
    if ((to - backslash) % 2 === 0) break;
  }
  else {
    const last = mark === OPEN ? CLOSE : BLANK;
    while (to < end && text.charCodeAt(to) !== last) to++;
    if (to === end && mark === OPEN) return -1;
  }
  starts[count] = from;
  ends[count++] = to;
  at = to + (from > at ? 2 : 1);
  while (at < end && text.charCodeAt(at) === BLANK) at++;
}
return count;`;
const MARKS = { BLANK: 32, QUOTE: 34, OPEN: 91, BACKSLASH: 92, CLOSE: 93, MOST_VALUES };

/** The functions that read lines of these places: from their text, or from the bytes of it. */
function readersOf(places: readonly LinePlace[], line: ValuePlaces, source: 'text' | 'span'): Readers {
  const inSource = source === 'span' ? unitsCode : (statements: string): string => statements;
  const values = places.map((_, i) => `value${i} = 0`).join();
  const scope = Object.assign({ ...line }, ...places.map(({ type }, i) => codeScope(type, i))) as Record<string, unknown>;
  return {
    find: compile_function<FindValues>([source, 'at', 'end', 'units'], inSource(FIND), { ...line, ...MARKS }),
    write: compile_function<WriteValues>(
      ['writer', source, 'count', 'units'],
      `let code = 0, at = 0, end = 0, ${values};\n${stepsOf(places, source).join('\n')}\nreturn -1;`,
      scope,
    ),
  };
}

function stepsOf(places: readonly LinePlace[], source: 'text' | 'span'): string[] {
  const inSource = source === 'span' ? unitsCode : (statements: string): string => statements;
  let column = 0;
  return places.map(({ name, type }, i) => {
    const write = inSource(writeCode(type, i, column));
    column += type.columns(name).length;
    const refuse = type.required === true ? '' : inSource('if (at < end && !(end - at === 1 && text.charCodeAt(at) === 45)) ');
    return (
      `if (count === ${i}) return -1; const at${i} = starts[${i}], to${i} = ends[${i}]; at = at${i}; end = to${i}; ${scanCode(type, i, source === 'span')} ` +
      `if (at === end) { ${write} } else { at = at${i}; ${refuse}return ${i}; }`
    );
  });
}
