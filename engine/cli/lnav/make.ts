import { writeFile } from 'node:fs/promises';
import { nowNs } from '../../message/timestamp.ts';
import { MADE_AT } from '../expected.ts';
import type { LnavFormat } from './format.ts';
import { SEVERITIES } from './levels.ts';
import { decodeSamples, exampleOf } from './samples.ts';
import { lnavScript } from './script.ts';

/** The outcome of translating a format. */
export interface MadeDecoder {
  /** Sentences about members that are not translated, and about samples that the decoder refuses. */
  readonly notes: readonly string[];
  /** Cases for `sluicebox sandbox --test`. */
  readonly tests: readonly object[];
}

/**
 * Writes the decoder of a format to `path`, with the samples that it decodes as examples.
 * @throws {FormatError} when no pattern of it can be used
 */
export async function makeDecoder(format: LnavFormat, name: string, path: string): Promise<MadeDecoder> {
  const { text, notes: without } = lnavScript(format, name);
  await writeFile(path, text([]), { flag: 'wx' });
  const notes = [...without];
  if (format.samples.length === 0) return { notes: [...notes, 'the format has no sample: try the decoder on a file of yours'], tests: [] };
  const since = nowNs();
  const decoded = await decodeSamples(path, format, BigInt(MADE_AT));
  if (typeof decoded === 'string') return { notes: [...notes, `the decoder does not start: ${decoded}`], tests: [] };

  const tests: { readonly title: string; readonly in: object; readonly out: object }[] = [];
  for (const [i, { line, level }] of format.samples.entries()) {
    const message = decoded[i];
    const title = `sample ${i + 1}`;
    if (message === undefined || typeof message === 'string') notes.push(`${title} is refused: ${message ?? 'no message'}`);
    else {
      const wanted = SEVERITIES.get(level.replace(/\d$/, ''));
      if (wanted !== undefined && message.severity !== wanted)
        notes.push(`${title} has the severity ${message.severity ?? 'none'}, and the level ${level} in the format`);
      tests.push({ title, in: { Payload: line, Timestamp: MADE_AT }, out: exampleOf(message, since) });
    }
  }
  await writeFile(path, text(tests));
  return { notes, tests };
}
