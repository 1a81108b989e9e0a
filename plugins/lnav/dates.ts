/** Forms of times in lnav's formats. */

/** Letters of the module date_pattern by the specifiers of strptime and lnav; null for numbers since 1970, which the module any_date reads. */
const LETTERS: Readonly<Record<string, string | null>> = {
  Y: 'yyyy',
  y: 'yy',
  m: 'MM',
  d: 'dd',
  e: '[ ]d',
  b: 'MMM',
  B: 'MMM',
  h: 'MMM',
  a: 'EEE',
  A: 'EEE',
  j: 'DDD',
  H: 'HH',
  k: '[ ]H',
  I: 'hh',
  l: '[ ]h',
  M: 'mm',
  S: 'ss',
  p: 'a',
  L: 'SSS',
  f: 'SSSSSS',
  N: 'SSSSSSSSS',
  z: 'Z',
  Z: 'z',
  F: 'yyyy-MM-dd',
  T: 'HH:mm:ss',
  R: 'HH:mm',
  D: 'MM/dd/yy',
  '%': '%',
  n: '\n',
  t: '\t',
  s: null,
  i: null,
  '6': null,
  '9': null,
};
/** A specifier, characters that are to be quoted, or others. */
const ITEM = /%(.)|[A-Za-z[\]']+|[^%A-Za-z[\]']+/gs;
/** Behind seconds lnav reads a fraction that the form does not name. */
const FRACTION = '[.S][,S]';

/** A form of times in the letters of the module date_pattern. `pattern` is null for numbers since 1970. Raises an error for a specifier without a counterpart. */
export function datePattern(format: string): { readonly pattern: string | null } {
  let pattern = '';
  const isWhole = !/%[LfN]/.test(format);
  for (const { 0: item, 1: specifier, index } of format.matchAll(ITEM)) {
    if (specifier === undefined) pattern += /^[A-Za-z[\]']/.test(item) ? `'${item.replaceAll("'", "''")}'` : item;
    else {
      const letters = Object.hasOwn(LETTERS, specifier) ? LETTERS[specifier] : undefined;
      if (letters === undefined) throw new SyntaxError(`%${specifier}`);
      if (letters === null) return { pattern: null };
      pattern += letters;
      if (isWhole && letters.endsWith('ss') && !/^[.,]/.test(format.slice(index + item.length))) pattern += FRACTION;
    }
  }
  return { pattern };
}
