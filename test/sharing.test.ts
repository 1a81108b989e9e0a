import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sharesProcess } from './sharing.ts';

it.each([
  ['renderer/src/lib/theme.test.ts', true],
  ['engine/api/printable.test.ts', true],
  // It measures what work takes.
  ['renderer/src/views/logs/pretty.test.ts', false],
  // It starts hosts.
  ['engine/sandbox/ends.test.ts', false],
  // It runs decoders.
  ['plugins/decoders/syslog.test.ts', false],
])('%s shares its process: %s', (file, expected) => expect(sharesProcess(join(import.meta.dirname, file))).toBe(expected));
