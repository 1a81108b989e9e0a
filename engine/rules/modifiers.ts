import { hint } from '../base/text/suggest.ts';
import { parseNetworks } from '../base/text/networks.ts';
import { compilePattern } from '../matcher/regex/pattern.ts';
import { messageOf } from '../base/errors.ts';
import { RuleMistake } from './mistake.ts';
import type { Node, NumberRelation, Test, TimeUnit } from './model.ts';
import { expanded } from './placeholders.ts';
import { parseText, plainText, unescaped, type Place, type TextPattern } from './text-pattern.ts';
import type { Yaml } from './yaml.ts';

type Scalar = Extract<Yaml, { kind: 'scalar' }>;

const PLACES: Readonly<Record<string, Place>> = { contains: 'contains', startswith: 'startsWith', endswith: 'endsWith' };
const RELATIONS: readonly string[] = ['gt', 'gte', 'lt', 'lte'] satisfies NumberRelation[];
const UNITS: readonly string[] = ['minute', 'hour', 'day', 'week', 'month', 'year'] satisfies TimeUnit[];
const CODINGS: readonly string[] = ['base64', 'base64offset', 'wide', 'utf16', 'utf16le', 'utf16be'];
const FLAGS: readonly string[] = ['i', 'm', 's'];
const OTHERS: readonly string[] = ['all', 'cased', 'neq', 're', 'cidr', 'exists', 'fieldref', 'windash', 'expand'];
const MODIFIERS = [...Object.keys(PLACES), ...RELATIONS, ...UNITS, ...CODINGS, ...FLAGS, ...OTHERS];

/** The modifiers of a field by what they do. */
interface Modifiers {
  readonly place: Place;
  readonly kind: 'text' | 're' | 'cidr' | 'exists' | 'fieldref' | NumberRelation | TimeUnit;
  readonly codings: readonly string[];
  /** Flags of a regular expression. */
  readonly flags: string;
  readonly all: boolean;
  readonly negated: boolean;
  readonly cased: boolean;
  readonly anyDash: boolean;
  /** Values have placeholders. */
  readonly expand: boolean;
}

/** Takes the modifiers apart. @throws {RuleMistake} for one that there is not, and for those that do not go together */
function modifiersOf(names: readonly string[], line: number): Modifiers {
  const unknown = names.find((name) => !MODIFIERS.includes(name));
  if (unknown !== undefined) throw new RuleMistake(`there is no modifier ${unknown}${hint(unknown, MODIFIERS)}`, line);
  const one = (of: readonly string[]): string | undefined => {
    const found = names.filter((name) => of.includes(name));
    if (found.length > 1) throw new RuleMistake(`the modifiers ${found.join(' and ')} do not go together`, line);
    return found[0];
  };
  const place = one(Object.keys(PLACES));
  const kind = one(['re', 'cidr', 'exists', 'fieldref', ...RELATIONS, ...UNITS]) ?? 'text';
  const expand = names.includes('expand');
  if (expand && kind !== 'text' && kind !== 'cidr') throw new RuleMistake(`the modifiers expand and ${kind} do not go together`, line);
  const flags = names.filter((name) => FLAGS.includes(name)).join('');
  if (flags !== '' && kind !== 're') throw new RuleMistake(`the modifier ${flags[0] ?? ''} is for regular expressions (re)`, line);
  if (place !== undefined && kind !== 'text' && kind !== 'fieldref' && kind !== 're')
    throw new RuleMistake(`the modifiers ${place} and ${kind} do not go together`, line);
  return {
    place: place === undefined ? 'equals' : (PLACES[place] as Place),
    kind: kind as Modifiers['kind'],
    codings: names.filter((name) => CODINGS.includes(name)),
    flags,
    all: names.includes('all'),
    negated: names.includes('neq'),
    cased: names.includes('cased'),
    anyDash: names.includes('windash'),
    expand,
  };
}

/**
 * The condition that a field, with the modifiers behind it, and its value make.
 * @param key such as `CommandLine|contains|all`; without a name, each text is meant
 * @throws {RuleMistake}
 */
export function fieldNode(key: string, value: Yaml, keyLine: number): Node {
  const [field = '', ...names] = key.split('|');
  const modifiers = modifiersOf(names, keyLine);
  const items = value.kind === 'list' ? value.items : [value];
  const parts = items.map((item): Node => {
    if (item.kind !== 'scalar') throw new RuleMistake(`the value of ${key} is not a text, a number or a list of them`, item.line);
    const tests = valuesOf(modifiers, item)
      .flatMap((one) => testsOf(modifiers, one, field === ''))
      .map((test): Node => ({ kind: 'test', field, test }));
    const node = joined('or', tests);
    return modifiers.kind === 'exists' && item.text.toLowerCase() === 'false' ? { kind: 'not', part: node } : node;
  });
  if (parts.length === 0) throw new RuleMistake(`the list of ${key} is empty`, value.line);
  const node = joined(modifiers.all ? 'and' : 'or', parts);
  return modifiers.negated ? { kind: 'not', part: node } : node;
}

/** The values that one with placeholders stands for. */
function valuesOf({ expand, kind }: Modifiers, item: Scalar): readonly Scalar[] {
  if (!expand) return [item];
  const plain = (value: string): string => (kind === 'text' ? value.replaceAll(/[\\*?]/g, '\\$&') : value);
  return expanded(item.text, item.line, plain).map((text) => ({ ...item, text }));
}

/** Parts under one operator; one alone stands for itself. */
export const joined = (kind: 'and' | 'or', parts: readonly Node[]): Node => (parts.length === 1 ? (parts[0] as Node) : { kind, parts });

/** The tests of one value, of which one must pass. */
function testsOf(modifiers: Modifiers, item: Scalar, isKeyword: boolean): readonly Test[] {
  const { text, line } = item;
  const { kind, cased } = modifiers;
  switch (kind) {
    case 'text':
      if (item.type === 'null') return [{ kind: 'null' }];
      return patternsOf(modifiers, text, isKeyword && modifiers.place === 'equals' ? 'contains' : modifiers.place).map((pattern): Test => ({
        kind: 'text',
        pattern,
      }));
    case 're':
      return [regexOf(text, modifiers, line)];
    case 'cidr':
      return [attempt(line, () => ({ kind: 'networks', networks: parseNetworks(text) }))];
    case 'exists':
      if (!/^(?:true|false)$/i.test(text)) throw new RuleMistake(`exists is true or false, not ${text}`, line);
      return [{ kind: 'exists' }];
    case 'fieldref':
      return [{ kind: 'field', other: text, place: modifiers.place }];
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return [{ kind: 'number', relation: kind, value: numberOf(kind, item) }];
    default:
      if (cased) throw new RuleMistake(`the modifiers cased and ${kind} do not go together`, line);
      return [{ kind: 'time', unit: kind, value: numberOf(kind, item) }];
  }
}

function numberOf(modifier: string, { text, line }: Scalar): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new RuleMistake(`${modifier} needs a number, not ${text || 'nothing'}`, line);
  return number;
}

/** Does what throws an error of another kind for a mistake in the text. */
function attempt(line: number, make: () => Test): Test {
  try {
    return make();
  } catch (cause) {
    throw new RuleMistake(messageOf(cause), line, { cause });
  }
}

/** Expressions run in time linear in the text, so that no rule can hold up the others; look-around and references are refused. */
function regexOf(text: string, { flags, place, codings }: Modifiers, line: number): Test {
  if (codings.length > 0) throw new RuleMistake(`the modifiers ${codings.join(', ')} and re do not go together`, line);
  const body = `${flags === '' ? '' : `(?${flags})`}${asRe2(text)}`;
  const [before, after] = [place === 'startsWith' ? '^(?:' : '', place === 'endsWith' ? ')$' : place === 'startsWith' ? ')' : ''];
  const source = before === '' && after === '' ? body : `${before || '(?:'}${body}${after}`;
  return attempt(line, () => ({ kind: 'regex', pattern: compilePattern(source) }));
}

/** Escapes that mean the character in PCRE, and that RE2 does not know: `\"`, `\/` and the like. */
const asRe2 = (text: string): string =>
  text.replaceAll(/\\(?:([^\w\s\\])|([\s\S]))/g, (whole, sign: string | undefined) => {
    if (sign === undefined) return whole;
    return /[!-/:-@[-`{-~]/.test(sign) ? whole : sign;
  });

function patternsOf({ codings, cased, anyDash }: Modifiers, text: string, place: Place): readonly TextPattern[] {
  if (codings.length === 0) return [parseText(text, { place, cased, anyDash })];
  let forms: readonly Buffer[] = [Buffer.from(unescaped(text))];
  let isText = false;
  for (const coding of codings) {
    forms = forms.flatMap((bytes) => coded(coding, bytes));
    isText = coding.startsWith('base64');
  }
  return forms.map((bytes) => plainText(bytes.toString('latin1'), place, cased || isText));
}

/** Bytes in a coding; `base64offset` has a form for each of the three places that they can begin at. */
function coded(coding: string, bytes: Buffer): readonly Buffer[] {
  switch (coding) {
    case 'base64':
      return [Buffer.from(bytes.toString('base64'))];
    case 'base64offset':
      return [0, 1, 2].map((offset) => {
        const all = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
        const [start, end] = [[0, 2, 3][offset] as number, [0, -3, -2][(bytes.length + offset) % 3] as number];
        return Buffer.from(all.slice(start, end === 0 ? undefined : end));
      });
    case 'utf16be':
      return [Buffer.from(bytes.toString(), 'utf16le').swap16()];
    case 'utf16':
      return [Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(bytes.toString(), 'utf16le')])];
    default:
      return [Buffer.from(bytes.toString(), 'utf16le')];
  }
}
