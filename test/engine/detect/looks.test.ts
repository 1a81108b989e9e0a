import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Head } from '../../../engine/detect/forms/head.ts';
import { bundledLooks } from '../../../engine/detect/known-looks.ts';
import { LEVEL_LINE } from '../../../plugins/lib/syslog/syslog_looks.ts';
import { expectLinear } from '../../growth.ts';

const look = (text: string) => {
  const head = new Head(text);
  return bundledLooks().flatMap((one) => one.candidates(head));
};

const fragment = fc.constantFrom(
  ...[
    '127.0.0.1 - - [05/Mar/2021:13:07:59 +0000] "GET / HTTP/1.1" 200 12',
    ' "-"',
    ' "a\\"b',
    '<34>',
    'Mar  5 13:07:59 box1 ',
    'sshd[1]: ',
  ],
  ...[
    '{"time":1}',
    '{"a":',
    '# User@Host: a[a] @ h []',
    '# Query_time: 1.0',
    'a=b c=d',
    'level=info',
    'time,status',
    '1,2',
    '\t',
    ';',
    '|',
    '"',
    '\\',
  ],
  ...[
    '[ 1.000000] ',
    '2021/03/05 13:07:59 [error] 1#2: ',
    '2021-03-05 13:07:59 status ',
    'MemTotal: 1 kB',
    'cpu  1 2 3',
    '0.10 0.10 0.10 1/2 3',
    '\n',
    '\r\n',
  ],
);

describe('the forms of logs', () => {
  it('take any text', () => {
    const text = fc
      .array(fc.oneof(fragment, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 60 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (any) => {
        for (const { config, records } of look(any)) expect(records.length + Object.keys(config).length).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['a', 'a'],
    ['blanks', ' '],
    ['quotes', '"'],
    ['backslashes', 'x "\\'],
    ['equals signs', 'a='],
    ['pairs', 'a=b '],
    ['pairs with open quotes', 'a="b '],
    ['commas', 'a,'],
    ['numbers', ' 1'],
    ['brackets', '[ '],
    ['braces', '{"a":'],
    ['dates', 'Mar  5 13:07:59 '],
    ['times of the kernel', '[ 1.000000] '],
    ['comments', '# User@Host: '],
    ['lines of a CSV', 'a,b\n1,2\n'],
    ['access', '1 - - [05/Mar/2021:13:07:59 +0000] "a" 200 1 "a" '],
    ['memory', 'MemTotal: 1 kB\n'],
  ])('look at 64 KiB of %s in linear time', (_, part) => {
    expectLinear((size) => void look(part.repeat(Math.ceil(size / part.length))), 64 << 10);
  });

  const RUNS = [' ', '\t', '1', 'a', '-', '[', '"', ', '];

  it.each(['a', 'INFO', 'INFO]', '[a', '2021-03-05 13:07:59', 'Mar  5 13:07:59 a', '1614949679', 'GET /a'])(
    'look at a line that begins with %s and goes on for 64 KiB in linear time',
    (begin) => {
      for (const run of RUNS) expectLinear((size) => void look(begin + run.repeat(Math.ceil(size / run.length))), 64 << 10, run);
    },
  );
});

// V8 compiles without optimizations what is large, and everything in a process with much compiled code; then `(?i:…)` does not ignore cases.
it('no look ignores cases by a modifier, which V8 forgets', () => {
  expect(bundledLooks().filter(({ meta }) => /\(\?[a-z]*i[a-z]*[-:]/.test(JSON.stringify(meta)))).toEqual([]);
});

it.each(['2021-03-05T13:07:59.250Z info hostd[2099895] [Originator@6876] one', 'mar  5 13:07:59 Error: two'])(
  'a level is found in a large expression, too: %s',
  (line) => {
    expect(new RegExp(`${LEVEL_LINE}|${'x'.repeat(2000)}`).test(line)).toBe(true);
  },
);
