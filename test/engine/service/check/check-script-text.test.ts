import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parseConfig } from '../../../../engine/config/load.ts';
import { readScripts, textFindings } from '../../../../engine/service/check/check-script-text.ts';
import { scriptsOf } from '../../../../engine/service/check/check-scripts.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-texts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Findings about a filter. @param script its text, or the name of a bundled one */
function found(script: string, more = ''): string[] {
  const isName = /^\w+$/.test(script);
  if (!isName) writeFileSync(join(folder, 'own.js'), script);
  const named = isName ? `plugin = "${script}"` : 'filename = "own.js"';
  const text = `[f]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"\n${named}\n${more}`;
  const loaded = parseConfig(text, join(folder, 'c.toml'));
  return textFindings(readScripts(scriptsOf(loaded)), loaded.sections).map(
    ({ path, text: said, hint }) => `${path.join('.')}: ${said} (${hint})`,
  );
}

it.each([
  'read_message("Payload"); read_message("Fields[a]", 0, 1); read_message("raw"); read_integer("Timestamp");',
  'write_message("Fields[b]", 1); const name = "Payloads"; read_message(name);',
  '// read_message("Payloads")\n/* write_message("Payloads", timer_event) */',
  'read_message(`Fields[${name}]`);',
  'process_status_message',
])('%s is right', (script) => expect(found(script)).toEqual([]));

it('a variable that there is not is told with its line', () => {
  expect(found('\nread_message("Payloads");\nwrite_message(\'raw\', 1);')).toEqual([
    'filename: own.js:2: read_message has no variable "Payloads" (did you mean Payload?)',
    expect.stringMatching(/^filename: own\.js:3: write_message has no variable "raw" \(/),
  ]);
});

const NEVER = ['ticker_interval: is not set, so the timer_event of its script is never called (give it seconds, or 0 if that is meant)'];
it.each([
  ['function timer_event() { inject_payload(); }', '', NEVER],
  ['export function timer_event(ns: number): void {\n  // Nothing.\n}', '', []],
  ['http_status', '', NEVER],
  ['http_status', 'ticker_interval = 5\n', []],
  ['http_status', 'ticker_interval = 0\n', []],
  ['http_status', 'timer_event_on_shutdown = true\n', []],
])('the timer of %j with %j', (script, more, expected) => expect(found(script, more)).toEqual(expected));
