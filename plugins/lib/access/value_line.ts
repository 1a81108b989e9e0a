/**
 * Lines of values with single blanks between them, each bare, in double quotes or in brackets: as load balancers and storage services write their access
 * logs. The place of a value says what it is.
 */
import { injectWritten } from '../../base/inject.ts';
import { codeScope, scanCode, writeCode } from '../format/field_code.ts';
import type { FieldType } from '../format/log_fields.ts';
import { isDash, withoutLineEnd } from '../../base/scan.ts';

/** A value of a line, by its position: the name and type of its field. */
export interface LinePlace {
  readonly name: string;
  readonly type: FieldType;
}

const MOST_VALUES = 64;
const [BLANK, QUOTE, OPEN, BACKSLASH] = [32, 34, 91, 92];

const noValues: ProcessStatus = [-1, 'a quote or bracket that does not end'];

/**
 * Takes a line apart. A quote ends a value where a blank or the line's end is behind it: those within are not always escaped. Classic load balancers write
 * a second blank before some agents.
 */
class ValueLine {
  count = 0;
  readonly starts = new Int32Array(MOST_VALUES);
  readonly ends = new Int32Array(MOST_VALUES);

  /** False when a quote or a bracket does not end. */
  read(text: string, at: number, end: number): boolean {
    this.count = 0;
    while (at < end && this.count < MOST_VALUES) {
      const mark = text.charCodeAt(at);
      const from = mark === QUOTE || mark === OPEN ? at + 1 : at;
      let to = from;
      if (mark === QUOTE) to = quoteEnd(text, from, end);
      else if (mark === OPEN) to = indexBefore(text, ']', from, end);
      else while (to < end && text.charCodeAt(to) !== BLANK) to++;
      if (to > end || (to === end && from > at)) return false;
      this.starts[this.count] = from;
      this.ends[this.count++] = to;
      at = to + (from > at ? 2 : 1);
      while (at < end && text.charCodeAt(at) === BLANK) at++;
    }
    return true;
  }
}

/** The `process_message` of a decoder for lines of these places; at least the first `needed` of them must be there. */
export function valueLineDecoder(
  places: readonly LinePlace[],
  needed: number,
  { type, keepPayload }: { readonly type: string | null; readonly keepPayload: boolean },
): () => ProcessStatus {
  const line = new ValueLine();
  const writer = message_writer(places.flatMap(({ name, type: kind }) => kind.columns(name)));
  const writeValues = compiled(places, line);
  const refusals = places.map(({ name }): ProcessStatus => [-1, `no ${name} where the format has it`]);
  const tooFew: ProcessStatus = [-1, `fewer than ${needed} values`];

  return () => {
    const { text, start, end } = payload_span();
    const lineEnd = withoutLineEnd(text, start, end);
    if (!line.read(text, start, lineEnd)) return noValues;
    if (line.count < needed) return tooFew;
    const refused = writeValues(writer, text, line.count);
    if (refused >= 0) {
      writer.discard();
      return refusals[refused] as ProcessStatus;
    }
    if (type !== null) writer.type(type);
    if (keepPayload) writer.payloadSlice(start, lineEnd);
    return injectWritten(writer);
  };
}

type WriteValues = (writer: MessageWriter, text: string, count: number) => number;

/** A function that writes the first `count` values of a line, or returns the place of the first that its type refuses; else it returns -1. */
function compiled(places: readonly LinePlace[], { starts, ends }: ValueLine): WriteValues {
  let column = 0;
  const steps = places.map(({ name, type }, i) => {
    const write = writeCode(type, i, column);
    column += type.columns(name).length;
    const refuse = type.required === true ? '' : 'if (at < end && !isDash(text, at, end)) ';
    return (
      `if (count === ${i}) return -1; const at${i} = starts[${i}], to${i} = ends[${i}]; at = at${i}; end = to${i}; ${scanCode(type, i)} ` +
      `if (at === end) { ${write} } else { at = at${i}; ${refuse}return ${i}; }`
    );
  });
  const values = places.map((_, i) => `value${i} = 0`);
  const scope = Object.assign({ starts, ends, isDash }, ...places.map(({ type }, i) => codeScope(type, i))) as Record<string, unknown>;
  return compile_function(
    ['writer', 'text', 'count'],
    `let code = 0, at = 0, end = 0, ${values.join()};\n${steps.join('\n')}\nreturn -1;`,
    scope,
  );
}

/** The quote that ends the value from `at` on; beyond the end when there is none. */
function quoteEnd(text: string, at: number, end: number): number {
  for (let to = text.indexOf('"', at); to >= 0 && to < end; to = text.indexOf('"', to + 1)) {
    const closes = to + 1 === end || text.charCodeAt(to + 1) === BLANK;
    if (closes && !isEscaped(text, at, to)) return to;
  }
  return end + 1;
}

function isEscaped(text: string, from: number, at: number): boolean {
  let backslash = at;
  while (backslash > from && text.charCodeAt(backslash - 1) === BACKSLASH) backslash--;
  return (at - backslash) % 2 === 1;
}

/** The first position of `mark`, or the end. */
function indexBefore(text: string, mark: string, at: number, end: number): number {
  const to = text.indexOf(mark, at);
  return to < 0 || to > end ? end : to;
}
