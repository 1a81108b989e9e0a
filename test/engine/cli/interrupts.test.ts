import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Command } from '../../../engine/cli/command.ts';
import { check } from '../../../engine/cli/commands/check.ts';
import { sandbox } from '../../../engine/cli/commands/sandbox.ts';
import { Output } from '../../../engine/cli/output.ts';
import { fileOf } from './run-cli.ts';

const TESTS = [1, 2, 3].map((n) => ({ title: `${n}`, in: 'a', out: { Payload: 'a' } }));
const DECODER = fileOf('passing.js', `function process_message() { inject_message({ Payload: read_message('Payload') }); return 0; }\n`);
const TABLE = fileOf('passing.test.json', JSON.stringify(TESTS));
const INPUT = fileOf('reading.js', `function process_message() { inject_message({ Payload: 'ok 1' }); return 0; }\n`);
const CONFIG = fileOf(
  'passing.toml',
  `[log]\ntype = "FileInput"\npaths = ["none.log"]\n${TESTS.map(
    ({ title }) => `[[tests]]\ntitle = "${title}"\ninput = "log"\nin = ["a"]\noutput = "log"\nout = [{ Payload = "a" }]\n`,
  ).join('')}`,
);

it.each<[string, Command, string[], RegExp]>([
  ['the tests of a script', sandbox, [DECODER, '--type', 'decoder', '--test', TABLE], /ok 2/],
  ['the tests of a configuration', check, ['--test', CONFIG], /ok 2/],
  ['the runs of an input', sandbox, [INPUT, '--type', 'input', '--runs', '3', TABLE], /ok 1.*\n.*ok 1/],
])('an interrupt ends %s', async (_what, command, args, later) => {
  const stop = new AbortController();
  let text = '';
  const stdout = new Writable({
    write(piece: Buffer, _encoding, done) {
      text += piece.toString();
      if (text.includes('ok 1')) stop.abort();
      done();
    },
  });
  expect(await command.run(args, { out: new Output(stdout), complain: () => undefined, signal: stop.signal })).toBe(130);
  expect(text).not.toMatch(later);
});
