import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseXml, type XmlElement } from '../../../plugins/lib/xml.ts';

const MARKUP = /<(?:!--[^]*?-->|!\[CDATA\[([^]*?)\]\]>|[?!][^>]*>|\/([^\s<>]+)\s*>|([^\s/<>!?]+)((?:[^"'<>]|"[^"]*"|'[^']*')*)>)/g;
const ATTRIBUTE = /(?<![^\s/"'])([^\s=/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(lt|gt|amp|quot|apos));/g;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

function resolved(text: string): string {
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] as string;
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}

/** The same in the plainest way. */
function plainly(text: string): readonly XmlElement[] | null {
  const root: XmlElement = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [root];
  let from = 0;
  for (const { 0: whole, 1: data, 2: closed, 3: name, 4: rest = '', index } of text.matchAll(MARKUP)) {
    const parent = open.at(-1) as XmlElement;
    parent.text += resolved(text.slice(from, index)) + (data ?? '');
    from = index + whole.length;
    if (closed !== undefined) {
      if (open.length === 1 || parent.name !== local(closed)) return null;
      open.pop();
    } else if (name !== undefined) {
      const pairs = Array.from(rest.matchAll(ATTRIBUTE), ([, key = '', double, single = '']) => [key, resolved(double ?? single)] as const);
      const element: XmlElement = { name: local(name), attributes: new Map(pairs), children: [], text: '' };
      parent.children.push(element);
      if (!rest.endsWith('/')) open.push(element);
      if (open.length > 50) return null;
    }
  }
  return open.length === 1 && root.children.length > 0 ? root.children : null;
}

it('reads elements as expressions over the whole text do', () => {
  const markup = fc.constantFrom(
    '<a>',
    '</a>',
    '<b x="1" y=\'&lt;\'>',
    '</b>',
    '<n:c k = "a>b"/>',
    '<d/>',
    '<!-- <a> -->',
    '<?xml v="1"?>',
    '<![CDATA[<&amp;>]]>',
  );
  const text = fc.constantFrom('word', ' ', '&amp;', '&#65;', '&#x1F600;', '&#0;', '&none;', '&', '<', '>', '"', '\r\n');
  /** A text in elements that close, so that many cases are read to their end. */
  const tree = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      text,
      markup,
      fc.array(tie('node'), { maxLength: 4 }).map((nodes) => `<e p="&quot;q">${nodes.join('')}</e>`),
    ),
  })).node;
  let read = 0;
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 6 }), (nodes) => {
      const whole = nodes.join('');
      const found = parseXml(whole);
      if (found !== null) read++;
      expect(found).toEqual(plainly(whole));
    }),
    { numRuns: 2000 },
  );
  expect(read).toBeGreaterThan(200);
});

it('refuses what is nested too deeply', () => {
  const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth);
  expect(parseXml(nested(49))).not.toBeNull();
  expect(parseXml(nested(50))).toBeNull();
});
