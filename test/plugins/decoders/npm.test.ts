import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const decode = decoder('npm');

test.each<[line: string, logger: string, severity: number, payload: string | undefined]>([
  ['npm ERR! code 1', 'npm', 3, 'code 1'],
  ['pnpm error x', 'pnpm', 3, 'x'],
  ['npm WARN deprecated a', 'npm', 4, 'deprecated a'],
  ['npm notice', 'npm', 5, undefined],
  ['npm notice ', 'npm', 5, ''],
  ['gyp info ok', 'gyp', 6, 'ok'],
  ['npm http fetch GET 200', 'npm', 7, 'fetch GET 200'],
  ['node-pre-gyp verb a\u2028b', 'node-pre-gyp', 7, 'a\u2028b'],
  ['npm silly x', 'npm', 7, 'x'],
])('%j', (line, Logger, Severity, Payload) => {
  expect(decode(line)).toEqual({ Logger, Severity, undated: true, ...(Payload === undefined ? {} : { Payload }) });
});

test.each(['', 'npm', 'npm ERR', 'npm install x', 'yarn error x', ' npm ERR! x', 'npm warnings x'])('%j is refused', (line) =>
  expect(decode(line)).toBe('refused: no level of npm'),
);
