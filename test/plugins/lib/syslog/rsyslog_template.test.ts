/** Random templates, and lines that fit them or nearly do: what the plain rules accept, the decoder reads in the same way. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { naiveTemplate, PROPERTIES } from '../../support/naive_template.ts';
import { startPlugin } from '../../support/sandbox.ts';

const VALUES = [
  ...[
    '-',
    '',
    '0',
    '7',
    '34',
    '191',
    '2021',
    '03',
    '31',
    '23',
    '00',
    'box1',
    'a.example.org',
    'sshd',
    'sshd[4411]:',
    'cron:',
    'a/b[1]',
    '[7]:',
  ],
  ...[
    'error',
    'debug',
    'authpriv',
    'kern',
    '20210305130759',
    '2021-03-05 13:07:59',
    '2021-13-05 13:07:59',
    '192.0.2.1',
    'ID47',
    ' ',
    '  ',
    'a message',
  ],
];
const DELIMITERS = ['', ' ', ' - ', '|', ': ', '<', '> ', '\t'];
/** Of these the first sets what others set too, and what then counts is a rule of its own. */
const FAMILIES = [/severity|pri%/, /programname|syslogtag/, /TIMESTAMP|timereported/];

const names = Object.keys(PROPERTIES).filter((name) => name !== '%msg%');
const part = fc.record({ name: fc.constantFrom(...names), delimiter: fc.constantFrom(...DELIMITERS), value: fc.constantFrom(...VALUES) });
const familyOf = (name: string): string => String(FAMILIES.find((family) => family.test(name)) ?? name);
const parts = fc.uniqueArray(part, { selector: ({ name }) => familyOf(name), minLength: 1, maxLength: 5 });

function fitting(name: string, value: string): string {
  const whole = new RegExp(`^(?:${PROPERTIES[name]?.pattern ?? ''})$`);
  return [value, ...VALUES].find((text) => whole.test(text)) ?? value;
}

test('templates of rsyslog', () => {
  fc.assert(
    fc.property(
      parts,
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom('', 'hello: [1]', '  x\n', 'two\nlines'),
      (all, fits, withMessage, message) => {
        const template = all.map(({ name, delimiter }) => name + delimiter).join('') + (withMessage ? '%msg%' : '');
        const line =
          all.map(({ name, delimiter, value }) => (fits ? fitting(name, value) : value) + delimiter).join('') +
          (withMessage ? message : '');
        const expected = naiveTemplate(template, line);
        const { rc, injected } = startPlugin('decoders/rsyslog.ts', { template }).process({ Timestamp: 0n, Payload: line, Fields: [] });
        expect([0, -1]).toContain(rc);
        if (expected === null) return;
        expect(rc, `${template} of ${JSON.stringify(line)}`).toBe(0);
        const { Fields = [], Timestamp, ...headers } = injected[0] ?? {};
        const seconds = Timestamp === undefined ? {} : { Timestamp: Number(Timestamp) / 1e9 };
        expect({ ...headers, ...seconds, ...Object.fromEntries(Fields.map(({ name, value }) => [name, value[0]])) }).toEqual(expected);
      },
    ),
    { numRuns: 800 },
  );
});
