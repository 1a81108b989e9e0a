/** Random formats, and lines that fit them or nearly do: what the plain rules accept, the decoders read in the same way, from code units as from the text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { naiveApache, naiveFields, naiveNginx, NGINX, type NaiveFields } from '../../support/naive_lines.ts';
import type { PlainMessage } from '../../support/message.ts';
import { startPlugin, type Outcome } from '../../support/sandbox.ts';

const RUNS = 600;

const VALUES = [
  ...[
    '-',
    '',
    '0',
    '7',
    '200',
    '404',
    '12345678901',
    '0.5',
    '1614946079.250',
    'GET',
    'PATCH',
    'HTTP/1.1',
    'HTTP/3',
    'http',
    'https',
    'on',
    '?',
  ],
  ...[
    'p',
    '.',
    'OK',
    'HIT',
    '1.19.0',
    '192.0.2.1',
    '256.1.1.1',
    '2001:db8::7',
    '::1',
    'www.example.org',
    'a b',
    'x "y"',
    'x \\"y\\"',
    'a\\',
  ],
  ...['05/Mar/2021:13:07:59 +0100', '31/Feb/2021:23:59:60 -1130', '32/Mar/2021:13:07:59 +0100', '2021-03-05T13:07:59+01:00'],
  ...[
    '2021-03-05T13:07:59.250Z',
    '10.0.0.1:80, 10.0.0.2:80 : [::1]:80',
    '0.010, -',
    '502, 200 : 404',
    '/a?b=1',
    'GET / HTTP/1.1',
    '[x]',
    '|',
    '<1>',
  ],
];
const NAMES = [...Object.keys(NGINX), 'request', 'remote_user', 'args', 'http_referer', 'custom'];
const LETTERS = [...'aABbDfhHIklmOpPqrRstTuUvX'].map((letter) => `%${letter}`).concat(['%>s', '%{Referer}i', '%{X-Id}i']);
const DELIMITERS = [' ', '  ', '\t', '|', ' - ', ' "', '" ', '" "', '[', '] ', '] [', ' <', '> ', ';', ' x '];

const part = (fields: readonly string[]): fc.Arbitrary<{ delimiter: string; field: string; value: string }> =>
  fc.record({ delimiter: fc.constantFrom(...DELIMITERS), field: fc.constantFrom(...fields), value: fc.constantFrom(...VALUES) });

function expectSame(decoder: string, format: string, line: string, expected: NaiveFields | null): void {
  const [ofUnits, ofText] = [true, false].map((hasUnits) =>
    startPlugin(`decoders/${decoder}.ts`, { log_format: format }, hasUnits).process({ Timestamp: 0n, Payload: line, Fields: [] }),
  ) as [Outcome, Outcome];
  expect(ofUnits).toEqual(ofText);
  const { rc, injected } = ofText;
  expect([0, -1]).toContain(rc);
  if (expected === null) return;
  expect(rc, `${format} of ${line}`).toBe(0);
  expect(fieldsOf(injected[0] as PlainMessage)).toEqual(Object.fromEntries([...expected].map(([name, field]) => [name, inOrder(field)])));
}

const inOrder = ([value, representation]: readonly [value: unknown, representation?: string | undefined]): unknown[] => [
  [value].flat(),
  representation,
];

function fieldsOf({ Timestamp, Fields }: PlainMessage): Record<string, unknown> {
  const fields = Object.fromEntries(Fields.map(({ name, value, representation }) => [name, inOrder([value, representation])]));
  return Timestamp === undefined ? fields : { ...fields, Timestamp: inOrder([Math.round(Number(Timestamp) / 1e3) / 1e6]) };
}

test.each([
  ['nginx_access', NAMES.map((name) => `$${name}`), naiveNginx],
  ['apache_access', LETTERS, naiveApache],
] as const)('%s', (decoder, fields, itemsOf) => {
  const parts = fc.array(part(fields), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(parts, fc.constantFrom('', '"', ' '), fc.boolean(), (all, first, fits) => {
      const format = first + all.map(({ delimiter, field }, i) => (i === 0 ? '' : delimiter) + field).join('');
      const items = itemsOf(format.replaceAll('"', decoder === 'apache_access' ? '\\"' : '"'));
      const values = fits ? all.map(({ field, value }) => fitting(itemsOf(field), value)) : all.map(({ value }) => value);
      const line = first + values.map((value, i) => (i === 0 ? '' : (all[i]?.delimiter ?? '')) + value).join('');
      expectSame(decoder, format.replaceAll('"', decoder === 'apache_access' ? '\\"' : '"'), line, naiveFields(items, line));
    }),
    { numRuns: RUNS },
  );
});

/** The value if the field takes it, else the first of all values that it takes. */
function fitting(items: ReturnType<typeof naiveNginx>, value: string): string {
  const takes = (text: string): boolean => new RegExp(`^(?:${items.map(({ pattern }) => pattern || '.*').join('')})$`, 's').test(text);
  return [value, ...VALUES].find(takes) ?? value;
}
