import { asRecord } from '../../detect/detect.ts';
import { messageOf as reasonOf } from '../../base/errors.ts';
import { batchOf } from '../../message/builder.ts';
import { ValueType, type Message } from '../../message/types.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import { sandboxSpec } from '../../plugins/sandboxes.ts';
import { startSandboxes } from '../../plugins/starter.ts';
import type { LnavFormat } from './format.ts';

/** The outcome of decoding a sample: its message, or why there is none. */
export type Decoded = Message | string;

/**
 * Decodes the samples of a format by its script.
 * @param script path
 * @param writtenNs when the samples were written, for dates without a year
 * @returns for each sample what came of it; one sentence when the script does not start
 */
export async function decodeSamples(script: string, { samples }: LnavFormat, writtenNs: bigint): Promise<readonly Decoded[] | string> {
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
export function exampleOf({ timestamp, severity, payload, logger, type, fields }: Message, since: bigint): object {
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
