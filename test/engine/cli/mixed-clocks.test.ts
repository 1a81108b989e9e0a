/** Inputs on different clocks, and sources of scripts on the clock of the messages. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sluicebox } from './run-cli.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sluicebox-clocks-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const put = (name: string, text: string): void => writeFileSync(at(name), text);

/** A line for each half minute of ten. */
const log = (name: string): string =>
  Array.from(
    { length: 20 },
    (_, i) => `{"Timestamp":${JSON.stringify(new Date(1_600_000_000_000 + i * 30_000))},"Payload":"${name}${i}"}\n`,
  ).join('');
const file = (name: string, clock: string): string =>
  `[${name}]\ntype = "FileInput"\npaths = [${JSON.stringify(at(`${name}.log`))}]\nfollow = false\nstart = "begin"\ndecoder = "times"\nclock = "${clock}"\n`;
const TIMES = `function process_message() {
  const { Timestamp, Payload } = JSON.parse(read_message('Payload'));
  inject_message({ Timestamp: Date.parse(Timestamp) * 1e6, Type: 'in', Payload });
  return 0;
}`;
const ALERTS = `var seen = 0;
function process_message() { seen++; return 0; }
function timer_event(ns) { inject_payload('alert', '', seen, ' at ', ns / 1e9, '\\n'); }`;
const rest = (matcher = "Type == 'in'"): string =>
  `[svcd]\nlog_flags = 0\nbase_dir = ${JSON.stringify(at('base'))}\n[times]\ntype = "SandboxDecoder"\nfilename = "times.js"\n` +
  `[alerts]\ntype = "SandboxFilter"\nfilename = "alerts.js"\nticker_interval = 180\nmessage_matcher = ${JSON.stringify(matcher)}\n` +
  '[plain]\ntype = "SandboxEncoder"\nfilename = "plain.js"\n' +
  `[out]\ntype = "LogOutput"\nencoder = "plain"\nmessage_matcher = "Fields[payload_type] == 'alert'"\n`;

beforeEach(() => {
  put('times.js', TIMES);
  put('alerts.js', ALERTS);
  put('plain.js', "function process_message() { inject_payload('txt', '', read_message('Payload')); return 0; }");
  put('a.log', log('a'));
  put('b.log', log('b'));
});

it.each([
  ['both on that of the messages', 'message', 'message', "Type == 'in'", /^(\d+ at 16000\d+\n){4}$/],
  ['one of them on the wall clock', 'message', 'wall', "Type == 'in'", /^(\d+ at 16000\d+\n){4}$/],
  [
    'of which a filter is sent one',
    'message',
    'wall',
    'Payload =~ /^a/',
    /^6 at 1600000180\n12 at 1600000360\n18 at 1600000540\n20 at 1600000570\n$/,
  ],
  ['of which a filter is sent the live one', 'message', 'wall', 'Payload =~ /^b/', /^$/],
])('with two files %s, filters tick', async (_what, a, b, matcher, printed) => {
  put('p.toml', file('a', a) + file('b', b) + rest(matcher));
  const { code, out, err } = await sluicebox(['run', at('p.toml'), '--until-idle']);
  expect(code).toBe(0);
  expect(out).toMatch(printed);
  if (b === 'message') expect(err).toBe('');
  else
    expect(err).toMatch(
      /^sluicebox: warning: .*p\.toml:\d+: \[b\] clock:? .*\[a\] on the clock of the messages, \[b\] on the wall clock.* \(\[alerts\]\)/,
    );
});

it('tells of different clocks in a check, where there are tickers', async () => {
  put('p.toml', file('a', 'message') + file('b', 'wall') + rest());
  const checked = await sluicebox(['check', at('p.toml')]);
  expect(checked).toMatchObject({ code: 0, out: expect.stringMatching(/^warning: .*\[b\] clock:? .*different clocks/m) as string });
  put('p.toml', file('a', 'message') + file('b', 'wall') + rest().replace('ticker_interval = 180\n', ''));
  expect((await sluicebox(['check', at('p.toml')])).out).not.toMatch(/different/);
});

it.each([
  ['of its source', '', 'clock = "message"\n'],
  ['of its own', 'clock = "message"\n', ''],
])('a script has the clock %s', async (_whose, own, ofSource) => {
  put(
    'in.js',
    `function process_message() {
  for (let line = read_input(); line !== null; line = read_input()) {
    const { Timestamp, Payload } = JSON.parse(line);
    inject_message({ Timestamp: Date.parse(Timestamp) * 1e6, Type: 'in', Payload });
  }
  return 0;
}`,
  );
  const source = `[s]\ntype = "SandboxInput"\nfilename = "in.js"\n${own}[s.source]\ntype = "FileInput"\npaths = [${JSON.stringify(at('a.log'))}]\nsplitter = "line"\nfollow = false\n${ofSource}`;
  put('p.toml', source + rest());
  const { out, err } = await sluicebox(['run', at('p.toml'), '--until-idle']);
  expect({ out, err }).toEqual({ out: '6 at 1600000180\n12 at 1600000360\n18 at 1600000540\n20 at 1600000570\n', err: '' });
});
