import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { incidentHtml } from '../../../engine/incident/html.ts';
import { SCRIPT, STYLE } from '../../../engine/incident/page.ts';
import { incidentOf, recordOf } from './fixtures.ts';

const [DARK = '', LIGHT = ''] = [/dark\) \{ :root \{([^}]*)\}/, /:root \{([^}]*)\}/].map((pattern) => pattern.exec(STYLE)?.[1]);
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name))].sort();

describe('the style of a page', () => {
  it('has every colour that is used, light and dark', () => {
    const used = namesIn(STYLE, /var\(--(\w+)\)/g);
    expect([LIGHT, DARK].map((theme) => namesIn(theme, /--(\w+): #/g))).toEqual([used, used]);
  });

  it('loads nothing, and both stay in their elements', () => {
    expect(STYLE).not.toMatch(/url\(|@import|<\//);
    expect(SCRIPT).not.toMatch(/innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(|fetch|<\/|<!--/);
  });
});

/** As much of an element as the script uses. */
class Part {
  children: Part[] = [];
  listeners: Record<string, () => void> = {};
  attributes = new Map<string, string>();
  textContent = '';
  className = '';
  value = '';
  checked = false;
  hidden = false;
  button: Part | null = null;
  append = (part: Part): void => void this.children.push(...(part.className === 'fragment' ? part.children : [part]));
  replaceChildren = (): void => void (this.children = []);
  addEventListener = (name: string, listener: () => void): void => void (this.listeners[name] = listener);
  setAttribute = (name: string, value: string): void => void this.attributes.set(name, value);
  removeAttribute = (name: string): void => void this.attributes.delete(name);
  querySelector = (): Part => (this.button ??= new Part());
}

/** A page whose script has run, and its parts by their ids. */
function pageOf(texts: readonly string[], marked: number): { part: (id: string) => Part; heads: Part[]; shown: () => string[] } {
  const records = texts.map((text, i) => ({ ...recordOf(text, i, i === marked), values: [String(100 - i)] }));
  const html = incidentHtml(incidentOf({ records }));
  const parts = new Map(Array.from(html.matchAll(/ id="(\w+)"/g), ([, id = '']) => [id, new Part()] as const));
  (parts.get('data') as Part).textContent = /id="data"[^>]*>([^<]*)</.exec(html)?.[1] ?? '';
  const heads = Array.from(html.match(/<th scope="col"[^>]*><button/g) ?? [], () => new Part());
  const document = {
    getElementById: (id: string) => parts.get(id),
    querySelectorAll: () => heads,
    createElement: () => new Part(),
    createDocumentFragment: () => Object.assign(new Part(), { className: 'fragment' }),
  };
  runInNewContext(SCRIPT, { document });
  const part = (id: string): Part => parts.get(id) as Part;
  return { part, heads, shown: () => part('rows').children.map(({ children }) => children.at(-1)?.textContent ?? '') };
}

describe('the script of a page', () => {
  it.each<[string, Partial<Record<'search' | 'marked', Partial<Part>>>, string[]]>([
    ['all words, in any case and column', { search: { value: ' GET  access.LOG 99' } }, ['get /b']],
    ['only what is marked', { marked: { checked: true } }, ['<b>GET</b>']],
    ['nothing', { search: { value: 'absent' } }, []],
  ])('shows %s', (_name, controls, texts) => {
    const { part, shown } = pageOf(['get /a', 'get /b', '<b>GET</b>'], 2);
    for (const [id, state] of Object.entries(controls)) Object.assign(part(id), state).listeners['input']?.();
    expect(shown()).toEqual(texts);
    expect(part('count').textContent).toBe(`${texts.length} of 3 records`);
  });

  it('sorts numbers as numbers, both ways, and shows 200 at a time', () => {
    const { part, heads, shown } = pageOf(
      Array.from({ length: 250 }, (_, i) => `r${i}`),
      -1,
    );
    expect([shown().length, part('more').hidden, part('more').textContent]).toEqual([200, false, 'Show 50 more']);
    part('more').listeners['click']?.();
    expect([shown().length, part('more').hidden, part('count').textContent]).toEqual([250, true, '250 of 250 records']);
    const click = (): void => heads[3]?.button?.listeners['click']?.();
    click();
    expect([shown()[0], heads[3]?.attributes.get('aria-sort')]).toEqual(['r249', 'ascending']);
    click();
    expect([shown()[0], heads[3]?.attributes.get('aria-sort')]).toEqual(['r0', 'descending']);
  });
});
