import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sluicebox } from '../run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-check-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const config = join(folder, 'c.toml');
const LOG = '[log]\ntype = "FileInput"\npaths = ["a"]\n';

it.each([
  ['nothing', "Type == 'logfile'", [], 0, `${config}: no problems\n`],
  [
    'a warning',
    "Type == 'x'",
    [],
    0,
    `warning: ${config}:6: [out] message_matcher: selects nothing: no message has such a Type ([log] makes logfile)\n` +
      `warning: ${config}:1: [log]: no filter or output selects its messages, which have the Type logfile\n${config}: no problems\n`,
  ],
  ['a warning that counts', "Type == 'x'", ['--strict'], 1, expect.stringContaining('warning: ')],
  ['a problem', 'Type == ', [], 1, expect.stringContaining(`${config}:6: [out] message_matcher: is not a matcher`)],
])('check ends with the code of %s', async (_what, matcher, options, code, out) => {
  writeFileSync(config, `${LOG}[out]\ntype = "LogOutput"\nmessage_matcher = "${matcher}"\n`);
  expect(await sluicebox(['check', ...options, config])).toMatchObject({ code, out, err: '' });
});
