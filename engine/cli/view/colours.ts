import { nextValue, type Look } from '../../api/value-look.ts';
import { UsageError } from '../command.ts';

/** Codes of ECMA-48 (SGR), all of the sixteen colours that a terminal gives its own shades, so that they are read on light and dark ground. */
export const CODES = {
  dim: '2',
  bold: '1',
  hit: '7',
  'value-quote': '33',
  'value-path': '36',
  'value-id': '35',
  'value-address': '94',
  'value-quantity': '32',
} as const satisfies Readonly<Record<string, string>> & Readonly<Record<Look['look'], string>>;

/** Colours of the severities, from 0 on; those of the worst are turned, so that the word has the colour of the ground. */
export const SEVERITY_CODES: readonly string[] = ['1;7;31', '1;7;31', '1;7;31', '1;31', '1;33', '36', '32', '34'];
/** Colours of sources, which are given in turn. */
export const SOURCE_CODES: readonly string[] = ['36', '35', '33', '32', '94', '95'];

/** Writes a piece of text in a colour. */
export type Paint = (text: string, code: string) => string;

const coloured: Paint = (text, code) => (text === '' ? '' : `\x1b[${code}m${text}\x1b[0m`);
const plain: Paint = (text) => text;

export const painterOf = (hasColours: boolean): Paint => (hasColours ? coloured : plain);

/** Whether lines get colours: as asked for, otherwise by NO_COLOR (no-color.org), FORCE_COLOR, and whether a terminal shows them. */
export function wantsColours(asked: string, isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  switch (asked) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'auto': {
      const { NO_COLOR = '', FORCE_COLOR = '', TERM } = env;
      if (NO_COLOR !== '') return false;
      return FORCE_COLOR === '' ? isTerminal && TERM !== 'dumb' : FORCE_COLOR !== '0';
    }
    default:
      throw new UsageError(`--color must be one of auto, always, never, not '${asked}'`);
  }
}

/** Colours the values in a text: quoted text, paths, identifiers, addresses, numbers with units. */
export function paintValues(text: string, paint: Paint): string {
  if (paint === plain) return text;
  let painted = '';
  let end = 0;
  for (let value = nextValue(text, 0); value !== null; value = nextValue(text, end)) {
    painted += text.slice(end, value.start) + paint(text.slice(value.start, value.end), CODES[value.look]);
    end = value.end;
  }
  return painted + text.slice(end);
}
