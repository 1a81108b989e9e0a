/** A piece of a text, and the class that it is drawn with. */
export interface Look {
  readonly start: number;
  readonly end: number;
  readonly look: `value-${ValueKind}`;
}

/** Kinds of values inside of texts that have colours of their own. Every pattern reads a bounded piece of text, whatever stands there. */
const KINDS = {
  quote: String.raw`"[^"\n]{1,200}"|(?<!\w)'[^'\n]{1,200}'(?!\w)|\x60[^\x60\n]{1,200}\x60`,
  path: [
    String.raw`\b[a-z][a-z\d+]{1,11}:\/\/[^\s"'<>()[\]]{0,299}[^\s"'<>()[\],.;:!?]`,
    String.raw`(?<![\w\/.:@-])~?\/[\w.@%+~=:\/?&#,-]{0,199}[\w\/=]`,
    String.raw`\b[A-Z]:\\[^\s"'<>|:]{0,199}[^\s"'<>|:,.;!?]`,
  ].join('|'),
  id: [
    String.raw`\b[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12}\b`,
    String.raw`\b0x[\da-fA-F]{1,16}\b`,
    String.raw`\b(?=[a-f]{0,63}\d)[\da-f]{12,64}\b(?![-.:])`,
  ].join('|'),
  address: [
    String.raw`\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b`,
    String.raw`(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|\/\d{1,2})?(?![\w.]\d)`,
    String.raw`(?<![\w:.])(?:[\da-fA-F]{1,4}:){5,7}[\da-fA-F]{1,4}(?![\w:])`,
    String.raw`(?<![\w:.])(?:[\da-fA-F]{1,4}:){0,6}(?:[\da-fA-F]{1,4})?::(?:[\da-fA-F]{1,4}:){0,6}[\da-fA-F]{1,4}(?![\w:])`,
  ].join('|'),
  quantity: String.raw`(?<![\w.,:+-])[-+−]?\d{1,15}(?:[.,]\d{1,12}){0,4} ?(?:[nµum]?s|min|h|d|[kKMGTP]i?B|B|bytes|%|[kM]?bps|req\/s|°C)(?![\w\/-])`,
} as const;

type ValueKind = keyof typeof KINDS;

const VALUE = new RegExp(
  Object.entries(KINDS)
    .map(([kind, pattern]) => `(?<${kind}>${pattern})`)
    .join('|'),
  'g',
);

/** Finds the next value in a text that is coloured: quoted text, paths and addresses of the web, identifiers, addresses, numbers with units. */
export function nextValue(text: string, from: number): Look | null {
  VALUE.lastIndex = from;
  const found = VALUE.exec(text);
  if (found?.groups === undefined) return null;
  const { groups } = found;
  const kind = (Object.keys(KINDS) as ValueKind[]).find((one) => groups[one] !== undefined) as ValueKind;
  return { start: found.index, end: found.index + found[0].length, look: `value-${kind}` };
}
