import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pagerCommand } from '../../../../engine/cli/view/pager.ts';
import { preferenceList } from '../../../../engine/cli/view/preferences-docs.ts';
import { PREFERENCES } from '../../../../engine/cli/view/preferences.ts';
import { withSection } from '../../../../scripts/lib/page-section.mjs';
import { sluicebox } from '../run-cli.ts';

const INPUT = 'time=2026-11-20T10:00:00Z level=info msg=hello a=1 b=2\n';

async function view(file: string, env: Record<string, string>, args: readonly string[]): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'sluicebox-settings-'));
  mkdirSync(join(home, 'sluicebox'));
  writeFileSync(join(home, 'sluicebox', 'cli.toml'), file);
  const { out, err } = await sluicebox(['view', ...args, '-'], INPUT, { XDG_CONFIG_HOME: home, ...env });
  return (out + (err.split('\n')[0] ?? '')).replace(home, '').trimEnd();
}

it.each<[file: string, options: string, args: string[], shown: string]>([
  ['', '', [], '2026-11-20 10:00:00 INFO   hello a=1 b=2'],
  ['hide = ["a"]\nzone = "Asia/Kolkata"', '', [], '2026-11-20 15:30:00 INFO   hello b=2'],
  ['hide = ["a"]', '--hide b', [], '2026-11-20 10:00:00 INFO   hello a=1'],
  ['hide = ["a"]', '--hide b', ['--hide', 'a,b'], '2026-11-20 10:00:00 INFO   hello'],
  ['zone = "Asia/Kolkata"', '', ['--local', '--tz', 'UTC'], 'sluicebox: --local and --tz are two zones: give one of them'],
  ['zone = "Asia/Kolkata"', '--raw', ['--count'], '1'],
  ['color = "always"\nfold = true', "--fields 'a'", ['--color=never'], '2026-11-20 10:00:00 INFO   a=1'],
  ['# mine\nhid = ["a"]', '', [], 'sluicebox: /sluicebox/cli.toml:2: hid: there is no such setting; did you mean hide?'],
  ['\nhide = "a"', '', [], 'sluicebox: /sluicebox/cli.toml:2: hide: must be a list of texts, as in hide = ["http_user_agent"]'],
  ['hide = [', '', [], 'sluicebox: /sluicebox/cli.toml:1: is not valid TOML in column 8: unfinished array'],
  ['zone = "Mars"', '', [], "sluicebox: --tz must be a time zone such as UTC or Europe/Berlin, not 'Mars'"],
  ['', '--fiels a', [], 'sluicebox: SLUICEBOX_OPTIONS: there is no option --fiels; did you mean --fields?'],
  ['', "--hide 'a", [], 'sluicebox: SLUICEBOX_OPTIONS: a quote is not closed'],
  ['', 'app.log', [], 'sluicebox: SLUICEBOX_OPTIONS: options alone, not app.log'],
])('%j, SLUICEBOX_OPTIONS=%j and %j', async (file, options, args, shown) => {
  expect(await view(file, { SLUICEBOX_OPTIONS: options }, args)).toBe(shown);
});

it('takes the pager of the file before that of other programs', () => {
  expect(pagerCommand({ PAGER: 'more' }, 'less -S')).toBe('less -S');
  expect(pagerCommand({ PAGER: 'more', SLUICEBOX_PAGER: 'most' }, 'less -S')).toBe('most');
  expect(pagerCommand({ PAGER: 'more' }, '')).toBeNull();
});

it('is on its page, and in the help', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/terminal.md'), 'utf8');
  expect(withSection(page, 'settings', preferenceList())).toBe(page);
  const { out } = await sluicebox(['view', '--help']);
  for (const { key } of PREFERENCES) expect(out).toContain(`\n  ${key} = `);
});
