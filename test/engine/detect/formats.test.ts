/**
 * Samples of several hundred formats: each is recognised, and its first record with a time has the right time, severity, component and words. Keys
 * of what is expected: `decoder` (none: no log that is known), `records`, `time` (none: the sample has none), `severity`, `logger` (or the field programname) and
 * `text`, the first line of the Payload.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { commandSandboxes } from '../../../engine/cli/command-sandboxes.ts';
import { asRecord, DecoderDetector, type DetectedDecoder } from '../../../engine/detect/detect.ts';
import { cutPieces } from '../../../engine/inputs/pieces.ts';
import { initialState } from '../../../engine/inputs/splitter.ts';
import { makeSplitter } from '../../../engine/inputs/splitters/index.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { formatTimestamp } from '../../../engine/message/timestamp.ts';
import type { Message } from '../../../engine/message/types.ts';
import { SAMPLE_FILES, samplesOf } from '../../format-samples.ts';

/** When the samples were written: dates without a year are before it. */
const WRITTEN = BigInt(Date.UTC(2021, 2, 5, 14)) * 1_000_000n;

/** As the command does it: bundled decoders run here, with the same results as in a host. */
const sandboxes = commandSandboxes();
afterAll(() => sandboxes.close());
const errors: string[] = [];
const detector = new DecoderDetector(sandboxes, (text) => errors.push(text));

async function decode(text: string, { sandbox, split }: DetectedDecoder): Promise<Message[]> {
  const pieces = cutPieces(makeSplitter(split), Buffer.from(text), 0, 'end', initialState());
  const records = [...pieces].flatMap(({ payload: { text: all, starts, ends } }) =>
    Array.from({ length: starts.length }, (_, i) => all.slice(starts[i], ends[i])),
  );
  const { injected } = await sandbox.process(batchOf(records.map((record) => asRecord(record, WRITTEN))), null);
  await sandbox.stop();
  return injected === null ? [] : Array.from({ length: injected.length }, (_, row) => injected.message(row));
}

const fieldOf = ({ fields }: Message, name: string): unknown => fields.find((field) => field.name === name)?.values[0];
const isDated = (message: Message): boolean => fieldOf(message, 'undated') !== true && message.timestamp !== WRITTEN;

/** Readers of the parts of a message that a sample names. */
const READERS: Readonly<Record<string, (message: Message) => string>> = {
  time: (message) => (isDated(message) ? formatTimestamp(message.timestamp) : 'none'),
  severity: ({ severity }) => String(severity),
  logger: (message) => String(message.logger ?? fieldOf(message, 'programname')),
  text: ({ payload = '' }) => payload.split('\n', 1)[0] as string,
};

describe.each(SAMPLE_FILES)('%s', (file) => {
  it.each(samplesOf(file))('$title', async ({ text, expected: { decoder, records, ...expected } }) => {
    const found = await detector.detect(text, WRITTEN);
    expect(errors).toEqual([]);
    if (found === null || decoder === 'none') {
      expect(found?.name ?? 'none').toBe(decoder);
      return;
    }
    const messages = await decode(text, found);
    const first = messages.find(isDated) ?? messages[0];
    const read = Object.keys(expected).map((key): [string, unknown] => [key, first && READERS[key]?.(first)]);
    expect({ ...Object.fromEntries(read), decoder: found.name, records: String(messages.length) }).toEqual({
      ...expected,
      decoder: decoder ?? found.name,
      records: records ?? String(messages.length),
    });
  });
});
