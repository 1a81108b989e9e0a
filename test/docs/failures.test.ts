/** Holds the table of what happens when a script refuses or ends, on the page about failures. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sluicebox } from '../engine/cli/run-cli.ts';

const base = mkdtempSync(join(tmpdir(), 'sluicebox-failures-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const numbered = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => `L${from + i}`);
const script = (make: string, failure: string): string => `var calls = 0;
function process_message() {
  calls++;
  const text = read_message('Payload');
  ${make}
  if (text === 'L5') { ${failure} }
  return 0;
}`;
const INJECT = "inject_message({ Type: 'made', Payload: text });";
const THROWS = "throw new Error('boom');";
/** Exceeds instruction_limit, which inputs do not have. */
const ENDLESS = 'for (;;);';
const INPUT = (failure: string): string => `var calls = 0;
function process_message() {
  for (let text = read_input(); text !== null; text = read_input()) {
    calls++;
    ${INJECT}
    if (text === 'L5') { ${failure} }
  }
  return 0;
}`;

const PASSED = `message_matcher = "Type == 'logfile' && Logger == 'raw'"\npreserve_data = true\n`;
const CONFIG = `[svcd]
log_flags = 0
base_dir = "BASE"
[decoded]
type = "FileInput"
paths = ["FOLDER/a.log"]
decoder = "decoder"
[raw]
type = "FileInput"
paths = ["FOLDER/a.log"]
[made]
type = "SandboxInput"
filename = "input.js"
preserve_data = true
[made.source]
type = "FileInput"
paths = ["FOLDER/a.log"]
splitter = "line"
[decoder]
type = "SandboxDecoder"
filename = "decoder.js"
preserve_data = true
[filter]
type = "SandboxFilter"
filename = "filter.js"
${PASSED}
[encoder]
type = "SandboxEncoder"
filename = "encoder.js"
preserve_data = true
[encoded]
type = "FileOutput"
path = "FOLDER/encoded.txt"
message_matcher = "Type == 'logfile' && Logger == 'raw'"
encoder = "encoder"
can_exit = true
[output]
type = "SandboxOutput"
filename = "output.js"
${PASSED}
[output.target]
type = "FileOutput"
path = "FOLDER/output.txt"
[all]
type = "FileOutput"
path = "FOLDER/all.jsonl"
message_matcher = "TRUE"
encoder = "json"
`;

type Kind = 'decoder' | 'filter' | 'encoder' | 'output' | 'input';

/** @param only the script that fails; null: each of them */
async function run(name: string, failure: string, only: Kind | null = null) {
  const folder = mkdtempSync(join(base, `${name}-`));
  const at = (file: string): string => join(folder, file);
  const put = (file: string, text: string): void => writeFileSync(at(file), text);
  put('a.log', `${numbered(1, 10).join('\n')}\n`);
  const failureOf = (kind: Kind): string => (only === null || only === kind ? failure : '');
  put('decoder.js', script(INJECT, failureOf('decoder')));
  put('filter.js', script(INJECT, failureOf('filter')));
  put('encoder.js', script("inject_payload('txt', '', text, '\\n');", failureOf('encoder')));
  put('output.js', script("write_output(text, '\\n');", failureOf('output')));
  put('input.js', INPUT(failure === ENDLESS ? THROWS : failureOf('input')));
  const path = (text: string): string => JSON.stringify(text).slice(1, -1);
  put('p.toml', CONFIG.replaceAll('FOLDER', path(folder)).replace('BASE', path(at('base'))));
  const { code } = await sluicebox(['run', '--until-idle', at('p.toml')]);
  const lines = (file: string): string[] => readFileSync(at(file), 'utf8').split('\n').slice(0, -1);
  const all = lines('all.jsonl').map((line) => JSON.parse(line) as { Type: string; Logger: string; Payload: string; Fields?: unknown });
  const payloads = (logger: string, type: string): string[] =>
    all.filter((message) => message.Logger === logger && message.Type === type).map(({ Payload }) => Payload);
  return {
    code,
    decoder: payloads(at('a.log'), 'made').concat(payloads('decoded', 'made')),
    marked: all.filter(({ Fields }) => JSON.stringify(Fields)?.includes('decode_failure')).map(({ Payload }) => Payload),
    filter: payloads('filter', 'svc.sandbox.made'),
    encoded: lines('encoded.txt'),
    output: lines('output.txt'),
    input: payloads('made', 'made'),
    ended: payloads('svcd', 'svc.sandbox-terminated').map((text) => text.split(':')[0] ?? ''),
    states: existsSync(at('base/sandbox_preservation')) ? readdirSync(at('base/sandbox_preservation')).length : 0,
  };
}

const ENDED = ['decoder (decoded)', 'encoded-encoder', 'filter', 'made', 'output'];

describe('the page about failures', () => {
  it('says what refuses and goes on', async () => {
    const { ended, ...result } = await run('refuses', "return [-1, 'no'];");
    expect(ended).toEqual([]);
    const others = numbered(1, 10).filter((text) => text !== 'L5');
    expect(result).toEqual({
      code: 0,
      decoder: others,
      marked: [],
      filter: numbered(1, 10),
      encoded: others,
      output: others,
      input: numbered(1, 5),
      states: 5,
    });
  });

  it.each([
    ['throws', THROWS, 0],
    ['exceeds a limit', ENDLESS, 0],
    ['ends itself', 'return 1;', 5],
  ])('says what happens when a script %s', async (name, failure, states) => {
    const { ended, ...result } = await run(name, failure);
    expect(ended.toSorted()).toEqual(ENDED);
    expect(result).toEqual({
      code: 1,
      decoder: numbered(1, 5),
      marked: numbered(5, 10),
      filter: numbered(1, 5),
      encoded: numbered(1, 4),
      output: numbered(1, 4),
      input: numbered(1, 5),
      states,
    });
  });

  it.each([
    ['decoder', 'decoder (decoded)'],
    ['filter', 'filter'],
    ['encoder', 'encoded-encoder'],
    ['output', 'output'],
    ['input', 'made'],
  ] as const)('says that `run --until-idle` fails when one %s has ended', async (kind, plugin) => {
    const { code, ended } = await run(kind, THROWS, kind);
    expect({ code, ended }).toEqual({ code: 1, ended: [plugin] });
  });
});
