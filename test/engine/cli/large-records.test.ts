/** Files that make one line, or one expression, far too much work. */
import { expect, it } from 'vitest';
import { fileOf, sluicebox } from './run-cli.ts';

it('a list of CloudTrail of several megabytes in one line', async () => {
  const events = Array.from(
    { length: 6000 },
    (_, i) =>
      `{"eventVersion":"1.08","eventTime":"2021-03-05T13:07:59Z","eventName":"E${i}","resources":[{"ARN":"a"}],"requestParameters":{"x":"${'y'.repeat(800)}"}}`,
  );
  const { code, out, err } = await sluicebox(['decode', 'aws_cloudtrail', fileOf('trail.json', `{"Records":[${events.join()}]}`)]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const names = [...out.matchAll(/"name":"eventName","value_type":0,"value":\["(E\d+)"\]/g)].map(([, name]) => name);
  expect(names).toEqual(events.map((_, i) => `E${i}`));
});

it.each([
  ['words and blanks', '^(%{WORD}\\s*)+$', `${'a'.repeat(60_000)}!`],
  ['many gaps', '%{DATA}:%{DATA}:%{DATA}:%{DATA}:%{DATA}:%{DATA};', 'a:'.repeat(30_000)],
  ['a whole line', '%{HAPROXYHTTP}', 'Mar  5 13:07:59 box1 haproxy[1]: '.repeat(2000)],
  ['nested repetitions', '^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(60_000)],
])('grok with %s', async (_, match, line) => {
  const { code, out } = await sluicebox(['decode', 'grok', '-s', `match=${match}`, fileOf('hostile.log', `${line}\nok\n`)]);
  expect(out + String(code)).not.toContain('terminated');
  expect(code).toBe(0);
});
