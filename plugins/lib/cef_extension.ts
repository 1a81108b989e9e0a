/** The extension of a CEF event: `src=192.0.2.1 msg=two words spt=443`. */

/** A key, in front of its equals sign, at the start or behind white space. */
const KEY = /(?:^|\s)([\w.[\]-]+)=/g;
const ESCAPED = /\\([\\=|nr])/g;
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r' };
const LABEL = 'Label';

/** Keys with their values, without escapes. A value reaches as far as the next key; empty ones are left out. */
export function extensionPairs(text: string): Map<string, string> {
  const pairs = new Map<string, string>();
  KEY.lastIndex = 0;
  for (let found = KEY.exec(text); found !== null;) {
    const [, key = ''] = found;
    const from = KEY.lastIndex;
    found = KEY.exec(text);
    const value = text.slice(from, found?.index).trim();
    if (value !== '') pairs.set(key, withoutEscapes(value));
  }
  return pairs;
}

function withoutEscapes(value: string): string {
  return value.includes('\\') ? value.replace(ESCAPED, (_, mark: string) => CONTROLS[mark] ?? mark) : value;
}

/** The names of fields by their keys: a custom key, such as cs1, has the name that its label cs1Label says, unless another key has it. */
export function labelledNames(pairs: ReadonlyMap<string, string>): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(pairs.keys());
  for (const key of pairs.keys()) {
    if (names.has(key)) continue;
    const label = pairs.get(key + LABEL);
    const free = label !== undefined && !taken.has(label);
    names.set(key, free ? label : key);
    if (free) {
      taken.add(label);
      names.set(key + LABEL, '');
    }
  }
  return names;
}
