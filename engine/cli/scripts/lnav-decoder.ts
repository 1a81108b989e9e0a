import { compilePattern } from '../../matcher/regex/pattern.ts';
import { writeFile } from 'node:fs/promises';
import { nowNs } from '../../message/timestamp.ts';
import { MADE_AT } from '../expected.ts';
import type { LnavFormat } from '../../../plugins/lnav/format.ts';
import { SEVERITIES } from '../../../plugins/lnav/levels.ts';
import { lnavScript } from '../../../plugins/lnav/script.ts';
import { asRecord } from '../../detect/detect.ts';
import { messageOf as reasonOf } from '../../base/errors.ts';
import { batchOf } from '../../message/batch/builder.ts';
import { ValueType, type Message } from '../../message/types.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import { sandboxSpec } from '../../plugins/sandboxes.ts';
import { startSandboxes } from '../../plugins/starter.ts';

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
  const { text, notes: without } = lnavScript(format, name, isRe2);
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

/** The outcome of decoding a sample: its message, or why there is none. */
type Decoded = Message | string;

/**
 * Decodes the samples of a format by its script.
 * @param script path
 * @param writtenNs when the samples were written, for dates without a year
 * @returns for each sample what came of it; one sentence when the script does not start
 */
async function decodeSamples(script: string, { samples }: LnavFormat, writtenNs: bigint): Promise<readonly Decoded[] | string> {
  const sandboxes = startSandboxes({ hosts: 1 });
  try {
    const sandbox = await sandboxes.start(sandboxSpec('decoder', findPlugin('decoder', script), {}));
    const decoded: Decoded[] = [];
    for (const { line } of samples) {
      const { injected, failures, terminated } = await sandbox.process(batchOf([asRecord(line, writtenNs)]), null);
      const failed = terminated?.reason ?? failures[0]?.reason;
      decoded.push(failed ?? injected?.message(0) ?? 'no message');
    }
    return decoded;
  } catch (error) {
    return reasonOf(error);
  } finally {
    await sandboxes.close();
  }
}

/**
 * A message as the examples of scripts have it.
 * @param since a Timestamp from then on is that of the decoding, and left out
 */
function exampleOf({ timestamp, severity, payload, logger, type, fields }: Message, since: bigint): object {
  const plain = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : values);
  return {
    ...(timestamp >= since ? {} : { Timestamp: String(timestamp) }),
    ...(type === undefined ? {} : { Type: type }),
    ...(logger === undefined ? {} : { Logger: logger }),
    ...(severity === undefined ? {} : { Severity: severity }),
    ...(payload === undefined ? {} : { Payload: payload }),
    Fields: Object.fromEntries(
      fields.map(({ name, values, valueType, representation }) => {
        const value = plain([...values].map((one) => (typeof one === 'bigint' ? String(one) : one)));
        const more = {
          ...(valueType === ValueType.INTEGER ? { value_type: valueType } : {}),
          ...(representation === undefined ? {} : { representation }),
        };
        return [name, Object.keys(more).length === 0 ? value : { value, ...more }];
      }),
    ),
  };
}

/** Whether this is an expression of RE2's syntax. */
function isRe2(expression: string): boolean {
  try {
    compilePattern(expression);
    return true;
  } catch {
    return false;
  }
}
