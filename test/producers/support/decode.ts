import { readRecords } from '../../../engine/inputs/shared/read.ts';
import type { SplitOptions } from '../../../engine/inputs/splitters/index.ts';
import type { Message } from '../../../engine/message/types.ts';
import { DecoderDetector, type DetectedDecoder } from '../../../engine/detect/detect.ts';
import { decoderSplit } from '../../../engine/plugins/split.ts';
import { sandboxSpec } from '../../../engine/plugins/sandboxes.ts';
import { startSandboxes } from '../../../engine/plugins/starter.ts';
import { findPlugin } from '../../../engine/plugins/catalog.ts';
import type { Config } from '../../../engine/plugins/parameters.ts';

export interface Decoded {
  /** Plain headers and fields of each message; numbers of all kinds as numbers. */
  readonly records: readonly Record<string, unknown>[];
  readonly failures: readonly string[];
}

/** The bundled decoders in their sandboxes. */
export class Decoders {
  readonly #sandboxes = startSandboxes({ hosts: 1 });

  /** Decodes a file, cut as the window cuts it unless `split` says otherwise. */
  async decode(
    path: string,
    decoder: string,
    config: Config = {},
    split: SplitOptions = decoderSplit(findPlugin('decoder', decoder)),
  ): Promise<Decoded> {
    const sandbox = await this.#sandboxes.start(sandboxSpec('decoder', findPlugin('decoder', decoder), { config }));
    const records: Record<string, unknown>[] = [];
    const failures: string[] = [];
    for await (const { batch } of readRecords(path, { split })) {
      const result = await sandbox.process(batch, null);
      if (result.terminated !== null) throw new Error(result.terminated.reason);
      const { injected } = result;
      for (let row = 0; row < (injected?.length ?? 0); row++) records.push(plain(injected?.message(row) as Message));
      failures.push(...result.failures.map(({ row, reason }) => `${reason}: ${batch.message(row).payload ?? ''}`));
    }
    await sandbox.stop();
    return { records, failures };
  }

  async detect(text: string): Promise<DetectedDecoder | null> {
    const found = await new DecoderDetector(this.#sandboxes).detect(text);
    await found?.sandbox.stop();
    return found;
  }

  close(): Promise<void> {
    return this.#sandboxes.close();
  }
}

function plain({ timestamp, type, payload, hostname, severity, pid, fields }: Message): Record<string, unknown> {
  const values = fields.map(({ name, values: [first] }): [string, unknown] => [name, typeof first === 'bigint' ? Number(first) : first]);
  return {
    Time: Number(timestamp / 1_000_000n),
    Type: type,
    Payload: payload,
    Hostname: hostname,
    Severity: severity,
    Pid: pid,
    ...Object.fromEntries(values),
  };
}
