import { afterAll, describe, expect, test } from 'vitest';
import { DecoderDetector } from '../../../engine/detect/detect.ts';
import type { Message } from '../../../engine/message/types.ts';
import { commandSandboxes } from '../../../engine/cli/command-sandboxes.ts';
import { LEVEL_CASES, type ExpectedRecord } from './levels-table.ts';

const sandboxes = commandSandboxes();
const detector = new DecoderDetector(sandboxes);
afterAll(() => sandboxes.close());

const valueOf = (message: Message, name: string): unknown => message.fields.find((field) => field.name === name)?.values[0];

/** The parts of a record that a case names. */
function seen(message: Message | undefined, { fields = {}, ...headers }: ExpectedRecord): unknown {
  const names = Object.keys(headers) as (keyof typeof headers)[];
  return {
    ...Object.fromEntries(names.map((name) => [name, message?.[name] ?? null])),
    ...(Object.keys(fields).length === 0
      ? {}
      : { fields: Object.fromEntries(Object.keys(fields).map((name) => [name, message === undefined ? null : valueOf(message, name)])) }),
  };
}

describe.each([...new Set(LEVEL_CASES.map(({ kind }) => kind))])('%s', (kind) => {
  test.each(LEVEL_CASES.filter((one) => one.kind === kind))('$lines', async ({ lines, records }) => {
    const found = await detector.detect(`${lines.join('\n')}\n`);
    await found?.sandbox.stop();
    expect(records.map((record, at) => seen(found?.records[at], record))).toEqual(records);
  });
});
