/** `sluicebox new decoder --from-lnav`: decoders of formats in the shapes that lnav's own have. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DecoderDetector } from '../../../../engine/detect/detect.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { UserScripts } from '../../../../engine/plugins/user-scripts.ts';
import { fileOf, sluicebox } from '../run-cli.ts';

const root = resolve(import.meta.dirname, '../../../..');
const SHOP = {
  $schema: 'https://lnav.org/schemas/format-v1.schema.json',
  shop_log: {
    title: 'The shop */',
    description: 'Orders.',
    url: ['https://example.org/shop'],
    regex: {
      std: {
        pattern:
          '^(?<timestamp>\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{3})?) (?<level>[A-Z]++) \\[(?<thread>[^\\]]+)\\] (?i)took=(?<took>[\\d.]+)ms size=(?<size>\\d+) (?<body>.*)$',
      },
      short: { pattern: '(?<timestamp>^\\d{2}/\\w{3} \\d{2}:\\d{2}:\\d{2}) (?<body>.*)' },
      broken: { pattern: '(?|a|b)' },
    },
    'timestamp-format': ['%d/%b %H:%M:%S', '%Q'],
    level: { error: '^ER', warning: ['^WA', '^warn'], strange: 'x' },
    'opid-field': 'thread',
    value: {
      thread: { kind: 'string', identifier: true },
      took: { kind: 'float', unit: { suffix: 'ms', field: 'unit' } },
      size: { kind: 'integer', unit: { suffix: 'B' }, rewriter: ':x' },
    },
    converter: { header: {} },
    sample: [
      { line: '2021-03-05T13:07:59.250 WARN [main] Took=1.5ms size=5120 slow', level: 'warning' },
      { line: '05/Mar 13:07:59 a line\n  and another', level: 'error' },
      { line: 'nothing' },
    ],
  },
};
const EVENTS = {
  events_json: {
    'file-type': 'json',
    'timestamp-field': 'at',
    'timestamp-divisor': 1000,
    'level-field': 'lvl/n',
    'body-field': 'text',
    'module-field': 'from',
    level: { fatal: 60, error: 50, info: [20, 30] },
    'hide-extra': true,
    value: {
      'who/name': { kind: 'string', identifier: true },
      text: { kind: 'string' },
      n: { kind: 'integer', unit: { suffix: 'B' } },
      extra: { kind: 'json' },
    },
    sample: [
      { line: '{"at":1614949679250.5,"lvl":{"n":50},"who":{"name":"bob"},"text":"hi","from":"db","n":5,"extra":{"a":1},"other":1}' },
    ],
  },
  status_log: {
    multiline: false,
    regex: { std: { pattern: '^(?<timestamp>\\d+\\.\\d+) (?<sc_status>\\d{3}) (?<cs_uri>\\S+)' } },
    'level-field': 'sc_status',
    level: { error: '^[^123]' },
    value: { sc_status: { kind: 'integer', 'foreign-key': true }, cs_uri: { kind: 'string', identifier: true } },
    sample: [{ line: '1614949679.250 503 /a' }, { line: '1614949679.250 200 /a' }],
  },
  known_log: {
    regex: {
      std: {
        comments: ['of the form'],
        pattern:
          '^(?J:(?<level>[EI])(?<timestamp>\\d{4} \\d{2}:\\d{2}:\\d{2}\\.\\d{6}) (?<body>.*)|(?<level>[EI])(?<timestamp>\\d{8} \\d{2}:\\d{2}:\\d{2}) (?P=level)|(?:[\\w.]+(?<level>Exception): .*))$',
      },
    },
    value: { struct: { kind: 'struct' } },
    sample: [{ line: 'E0305 13:07:59.250000 x' }, { line: 'I20210305 13:07:59 I' }, { line: 'java.io.IOException: x' }],
  },
  exact_json: {
    'file-type': 'json',
    'timestamp-field': 'at/ns',
    'timestamp-divisor': 1_000_000_000,
    sample: [{ line: '{"at":{"ns":1614949679250000001},"a":1}' }],
  },
  long_json: {
    'file-type': 'json',
    'timestamp-field': 'ns',
    'timestamp-divisor': 1_000_000_000,
    value: { id: { kind: 'integer' } },
    sample: [
      {
        line: '{"other":{"ns":1111111111111111111},"ns":1614949679250000001,"id":1234567890123456789,"constructor":5,"toString":"6","list":[1234567890123456789],"huge":123456789012345678901}',
      },
    ],
  },
  long_log: {
    regex: { std: { pattern: '^(?<timestamp>[\\d-]+ [\\d:]+) (?<id>\\S+) (?<size>\\S+) (?<toString>\\d+)\\$' } },
    'timestamp-format': '%F %T',
    value: { id: { kind: 'integer' }, size: { kind: 'integer', unit: { suffix: 'B' } } },
    sample: [{ line: '2021-03-05 13:07:59 1234567890123456789 123456789012345678901 7$' }],
  },
  ended_log: {
    regex: { std: { pattern: '^(?<body>[a-z]+)\\$' } },
    sample: [{ line: 'abc$' }],
  },
  shown_json: {
    json: true,
    'timestamp-field': 'ts',
    'line-format': [
      { field: '__timestamp__' },
      ' ',
      { field: 'a', prefix: '<', suffix: '>', 'text-transform': 'uppercase' },
      { field: 'b', 'default-value': '?', 'text-transform': 'capitalize' },
    ],
    sample: [{ line: '{"ts":"2021-03-05T13:07:59Z","a":"x","level":"warn"}' }],
  },
};

const comments = '// a comment\n/* another: "x" */\n';
const shop = fileOf('shop.lnav.json', comments + JSON.stringify(SHOP));
const events = fileOf('events.lnav.json', JSON.stringify(EVENTS));
const folder = join(dirname(shop), 'from-lnav');
const sandboxes = startSandboxes({ hosts: 1 });
afterAll(() => sandboxes.close());

/** The examples of a script that was made. */
function outOf(name: string): unknown[] {
  const tests = JSON.parse(readFileSync(join(folder, `${name}.test.json`), 'utf8')) as { out: unknown }[];
  return tests.map(({ out }) => out);
}

describe('a format', () => {
  it('becomes a decoder whose tests are the samples, and tells what it does not do', async () => {
    const made = await sluicebox(['new', 'decoder', 'shop', '--from-lnav', shop, '--in', folder]);
    expect(made.code).toBe(0);
    expect(
      made.err
        .trim()
        .split('\n')
        .map((line) => line.replace(/^sluicebox: shop_log: /, '')),
    ).toEqual([
      'converter: has no counterpart and is left out',
      'value.took.unit.field: has no counterpart and is left out',
      'value.size.rewriter: has no counterpart and is left out',
      'a regex is left out, (?|a|b): groups of the form (?|a have no counterpart in JavaScript',
      'timestamp-format %Q is left out: %Q has no counterpart',
      'level.strange: is not a level with a severity and is left out',
      'sample 2 has the severity none, and the level error in the format',
      'sample 3 is refused: none of the patterns matches',
    ]);
    expect(outOf('shop')).toEqual([
      {
        ...{ Timestamp: '1614949679250000000', Type: 'shop', Severity: 4, Payload: 'slow' },
        Fields: { thread: 'main', took: { value: 1.5, representation: 'ms' }, size: { value: 5120, representation: 'B' } },
      },
      { Timestamp: '1583413679000000000', Type: 'shop', Payload: 'a line\n  and another', Fields: {} },
    ]);
    expect(await sluicebox(['sandbox', join(folder, 'shop.ts'), '--test'])).toMatchObject({
      code: 0,
      out: '1..2\nok 1 - sample 1\nok 2 - sample 2\n',
    });
  });

  it('of several in a file becomes one decoder each', async () => {
    expect(await sluicebox(['new', 'decoder', '--from-lnav', events, '--in', folder])).toMatchObject({
      code: 0,
      err:
        'sluicebox: known_log: its files are not recognised by themselves: a regex has no counterpart in the syntax of RE2\n' +
        'sluicebox: shown_json: line-format.text-transform capitalize: has no counterpart and is left out\n',
    });
    expect(outOf('events_json')).toEqual([
      {
        ...{ Timestamp: '1614949679250500000', Type: 'events_json', Logger: 'db', Severity: 3, Payload: 'hi' },
        Fields: { 'who.name': 'bob', n: { value: 5, representation: 'B' }, extra: { value: '{"a":1}', representation: 'json' } },
      },
    ]);
    expect(outOf('status_log')).toEqual([
      {
        Timestamp: '1614949679250000000',
        Type: 'status_log',
        Severity: 3,
        Payload: '1614949679.250 503 /a',
        Fields: { sc_status: 503, cs_uri: '/a' },
      },
      {
        Timestamp: '1614949679250000000',
        Type: 'status_log',
        Severity: 6,
        Payload: '1614949679.250 200 /a',
        Fields: { sc_status: 200, cs_uri: '/a' },
      },
    ]);
    expect(outOf('known_log')).toEqual([
      { Timestamp: '1583413679250000000', Type: 'known_log', Severity: 3, Payload: 'x', Fields: {} },
      { Timestamp: '1614949679000000000', Type: 'known_log', Severity: 6, Payload: 'I20210305 13:07:59 I', Fields: {} },
      { Type: 'known_log', Payload: 'java.io.IOException: x', Fields: { level: 'Exception' } },
    ]);
    expect(outOf('exact_json')).toEqual([{ Timestamp: '1614949679250000001', Type: 'exact_json', Fields: { a: 1 } }]);
    expect(outOf('long_json')).toEqual([
      {
        Timestamp: '1614949679250000001',
        Type: 'long_json',
        Fields: {
          'other.ns': { value: '1111111111111111111', value_type: 2 },
          id: { value: '1234567890123456789', value_type: 2 },
          constructor: 5,
          toString: '6',
          list: { value: '[1234567890123456789]', representation: 'json' },
          huge: '123456789012345678901',
        },
      },
    ]);
    expect(outOf('long_log')).toMatchObject([
      {
        Fields: {
          id: { value: '1234567890123456789', value_type: 2 },
          size: { value: '123456789012345678901', representation: 'B' },
          toString: '7',
        },
      },
    ]);
    expect(outOf('ended_log')).toMatchObject([{ Payload: 'abc' }]);
    for (const name of Object.keys(EVENTS))
      expect(await sluicebox(['sandbox', join(folder, `${name}.ts`), '--test'])).toMatchObject({ code: 0 });
    expect(outOf('shown_json')).toEqual([
      { Timestamp: '1614949679000000000', Type: 'shown_json', Severity: 4, Payload: '<X>?', Fields: { a: 'x' } },
    ]);
  });

  it('agrees with the types', () => {
    const checked = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' });
    expect(checked.stdout).toBe('');
  });

  it('is recognised, with lines that belong to the record before them', async () => {
    const detector = new DecoderDetector(sandboxes, undefined, new UserScripts(folder, 'decoder'));
    const found = await detector.detect('2021-03-05T13:07:59.250 WARN [main] took=1.5ms size=5 slow\n  at a\n  at b\n'.repeat(5));
    expect(found).toMatchObject({ name: join(folder, 'shop.ts'), confidence: 1 });
    expect(found?.records[0]?.payload).toBe('slow\n  at a\n  at b');
    await found?.sandbox.stop();
  });

  it('overwrites nothing', async () => {
    const again = await sluicebox(['new', 'decoder', 'shop', '--from-lnav', shop, '--in', folder]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('there already, and not overwritten') as string });
  });
});

it('formats whose names differ only in signs become decoders of different names', async () => {
  const format = { regex: { std: { pattern: '^(?<body>\\w+)$' } }, sample: [{ line: 'abc' }] };
  const alike = fileOf('alike.lnav.json', JSON.stringify({ 'my-log': format, my_log: format, 'my.log': format }));
  const made = await sluicebox(['new', 'decoder', '--from-lnav', alike, '--in', join(folder, 'alike')]);
  expect(made.code).toBe(0);
  for (const name of ['my_log', 'my_log_2', 'my_log_3'])
    expect(readFileSync(join(folder, 'alike', `${name}.ts`), 'utf8')).toContain(`name: '${name}'`);
});

describe('refuses', () => {
  it.each([
    [['new', 'decoder', 'x', '--from-lnav', '/nowhere.json'], 2, /--from-lnav \/nowhere\.json cannot be read: ENOENT/],
    [['new', 'decoder', 'x', '--from-lnav', fileOf('bad.lnav.json', '{"a":')], 2, /it is not JSON/],
    [['new', 'decoder', 'x', '--from-lnav', fileOf('none.lnav.json', '{"$schema":"x"}')], 2, /it has no format/],
    [
      ['new', 'decoder', 'x', '--from-lnav', events],
      2,
      /has 8 formats \(events_json, status_log, known_log, exact_json, long_json, long_log, ended_log, shown_json\): leave the name out/,
    ],
    [['new', 'filter', 'x', '--from-lnav', shop], 2, /--from-lnav is for decoders/],
    [
      ['new', 'decoder', 'x', '--from-lnav', fileOf('noregex.lnav.json', '{"a":{"regex":{"b":{"pattern":"("}}}}')],
      1,
      /a has no regex that can be used/,
    ],
  ])('%j', async (args, code, err) => {
    const refused = await sluicebox([...args, '--in', join(folder, 'refused')]);
    expect(refused.err).toMatch(err);
    expect(refused.code).toBe(code);
    expect(existsSync(join(folder, 'refused', 'x.ts'))).toBe(false);
  });
});
