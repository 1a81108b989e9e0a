import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { DecodeStage } from '../../../engine/pipeline/decode-stage.ts';
import { DecoderGroup, shareDecoder } from '../../../engine/pipeline/decoder-group.ts';
import { IdleCores } from '../../../engine/pipeline/idle-cores.ts';
import { sandboxSpec } from '../../../engine/plugins/sandboxes.ts';
import { startSandboxes } from '../../../engine/plugins/starter.ts';
import { bundledNames, findPlugin } from '../../../engine/plugins/catalog.ts';
import type { Config } from '../../../engine/plugins/parameters.ts';
import type { Sandbox } from '../../../engine/sandbox/contract/types.ts';
import { metaOf } from '../../plugins/support/sandbox.ts';
import { message, payloads } from './fakes.ts';

const sandboxes = startSandboxes({ hosts: 2 });
afterAll(() => sandboxes.close());

const hostPids = (): number[] =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

async function shared(name: string): Promise<Sandbox> {
  const plugin = findPlugin('decoder', name);
  return shareDecoder(await sandboxes.start(sandboxSpec('decoder', plugin)), plugin, sandboxes, idleMachine());
}

/** Core times of a machine with nothing else to do. */
function idleMachine(): IdleCores {
  let ms = 0;
  return new IdleCores(
    () => ({ cores: 2, idle: ms * 2, all: ms * 2 }),
    () => (ms += 100),
  );
}

/** A record without a time gets that of its decoding. */
const isNow = (ns = 0n): boolean => Math.abs(Number(ns / 1_000_000n) - Date.now()) < 60_000;

describe('a bundled decoder on several cores', () => {
  it('keeps the order of the records, also when the hosts are killed meanwhile', async () => {
    const decoder = await shared('logfmt');
    expect(decoder).toBeInstanceOf(DecoderGroup);
    const out: string[] = [];
    const stage = new DecodeStage({
      decoder,
      sink: {
        accept: async ({ batch, failures }) => {
          expect(failures).toEqual([]);
          out.push(...payloads(batch));
          return { delivered: Promise.resolve() };
        },
      },
    });
    const count = 60_000;
    let killed = 0;
    for (let at = 0; at < count;) {
      const size = Math.min(count - at, 1 + ((at * 7919) % 3000));
      const lines = Array.from({ length: size }, (_, i) => message(`level=info msg="line ${at + i}" status=200 path=/a/b/c`));
      await stage.deliver({ batch: batchOf(lines), firstLine: at + 1, acknowledge: () => undefined });
      at += size;
      if (at > 20_000 && killed === 0) {
        for (const pid of hostPids()) process.kill(pid, 'SIGKILL');
        killed++;
        await delay(1);
      }
    }
    await stage.drained();
    await expect.poll(() => (decoder as DecoderGroup).size).toBe(2);
    expect(out).toEqual(Array.from({ length: count }, (_, i) => `line ${i}`));
    await decoder.stop();
  });

  it('is none whose records depend on those before', () => {
    // The first line of a file names its columns.
    expect(findPlugin('decoder', 'csv').meta?.stateless).toBe(false);
  });

  it.each(bundledNames('decoder').filter((name) => findPlugin('decoder', name).meta?.stateless === true))(
    'makes the same of a record whatever came before: %s',
    async (name) => {
      const plugin = findPlugin('decoder', name);
      const meta = metaOf(`decoders/${name}.ts`);
      const configs = new Map<string, string[]>();
      for (const example of meta.examples) {
        const key = JSON.stringify(example.config ?? {});
        configs.set(key, [
          ...(configs.get(key) ?? []),
          typeof example.in === 'string' ? example.in : ((example.in as { Payload?: string }).Payload ?? ''),
        ]);
      }
      for (const [config, lines] of configs) {
        const sandbox = await sandboxes.start(sandboxSpec('decoder', plugin, { config: JSON.parse(config) as Config }));
        const made = async (order: readonly string[]): Promise<Map<string, unknown>> => {
          const { injected, origins, failures } = await sandbox.process(batchOf(order.map((line) => message(line, 1_600_000_000))), null);
          const results = new Map<string, unknown[]>(order.map((line) => [line, []]));
          for (let row = 0; row < (injected?.length ?? 0); row++) {
            const made = injected?.message(row);
            results
              .get(order[origins?.[row] ?? row] as string)
              ?.push({ ...made, uuid: null, timestamp: isNow(made?.timestamp) ? 'now' : made?.timestamp });
          }
          for (const { row, reason } of failures) results.get(order[row] as string)?.push(reason);
          return results;
        };
        const distinct = [...new Set(lines)];
        expect(await made(distinct.toReversed())).toEqual(await made(distinct));
        await sandbox.stop();
      }
    },
  );
});
