import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processGroup } from './sharing.ts';

it.each([
  ['renderer/src/lib/theme.test.ts', 40],
  ['engine/api/printable.test.ts', 40],
  // Few of those that run bundled scripts share one.
  ['plugins/decoders/syslog.test.ts', 8],
  // It measures what work takes.
  ['renderer/src/views/logs/inspector/pretty.test.ts', undefined],
  // It starts hosts.
  ['engine/sandbox/contract/ends.test.ts', undefined],
  ['plugins/decoders/hostile_records.test.ts', undefined],
])('%s shares its process with others, up to %s', (file, most) => {
  expect(processGroup(join(import.meta.dirname, file))?.most).toBe(most);
});
