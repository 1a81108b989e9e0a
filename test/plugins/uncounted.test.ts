/**
 * Bundled scripts run without a step counter unless somebody has set a limit of steps, and in the process of a command that ends with its files: what they bring
 * is the same in each of the ways.
 */
import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { MessageBatch } from '../../engine/message/batch/batch.ts';
import type { Field, Message } from '../../engine/message/types.ts';
import { DEFAULT_LIMITS, type SandboxKind, type SandboxResult } from '../../engine/sandbox/contract/types.ts';
import { UUID, batchOf, stable } from '../engine/sandbox/harness.ts';
import { PluginBench } from './support/plugin-bench.ts';
import { plainMessage } from './support/message.ts';
import { PLUGINS, metaOf } from './support/sandbox.ts';

const READ_AT = 1_614_949_800_000_000_000n;
/** A limit that is not the usual one is somebody's wish. */
const COUNTED = DEFAULT_LIMITS.instructions + 1;
const REPEATS = 5;

const bench = new PluginBench();
afterAll(() => bench.close());

interface Case {
  readonly kind: SandboxKind;
  readonly name: string;
  readonly title: string;
  readonly examples: readonly ExampleMeta[];
}

/** The examples of a script, by their configuration. */
function casesOf(kind: SandboxKind, file: string): Case[] {
  const groups = Map.groupBy(metaOf(`${kind}s/${file}`).examples, ({ config = {} }) => JSON.stringify(config));
  return [...groups.values()].map((examples) => ({ kind, name: parse(file).name, title: examples[0]?.title ?? '', examples }));
}

const cases = (['decoder', 'filter', 'encoder'] as const).flatMap((kind) =>
  readdirSync(join(PLUGINS, `${kind}s`)).flatMap((file) => casesOf(kind, file)),
);

function engineMessage(input: string | InjectMessage): Message {
  const { Timestamp = READ_AT, Fields, ...plain } = plainMessage(typeof input === 'string' ? { Payload: input } : input);
  const { Type: type, Logger: logger, Payload: payload, Hostname: hostname, Severity: severity, Pid: pid } = plain;
  const set = Object.entries({ type, logger, payload, hostname, severity, pid }).filter(([, value]) => value !== undefined);
  const fields = Fields.map(({ name, value, representation }) => {
    const valueType = { string: 0, number: 3, boolean: 4 }[typeof value[0] as 'string' | 'number' | 'boolean'];
    return { name, valueType, values: value, ...(representation === undefined ? {} : { representation }) } as Field;
  });
  return { uuid: UUID, timestamp: Timestamp, ...(Object.fromEntries(set) as Partial<Message>), fields };
}

/** The messages of an example, and what is left of them when their payloads end early. */
function batchFor({ in: input }: ExampleMeta): MessageBatch {
  const whole = ((Array.isArray(input) ? input : [input]) as (string | InjectMessage)[]).map(engineMessage);
  const cut = whole.flatMap((message) => {
    const { payload = '' } = message;
    return [1, 2, 3].map((quarter) => ({ ...message, payload: payload.slice(0, (payload.length * quarter) >> 2) }));
  });
  return batchOf(Array.from({ length: REPEATS }, () => [...whole, ...cut]).flat());
}

type Way = 'counted' | 'uncounted' | 'direct';

async function resultsOf({ kind, name, examples }: Case, way: Way): Promise<unknown> {
  const instructions = way === 'counted' ? COUNTED : DEFAULT_LIMITS.instructions;
  const limits = { instructions, processInject: 1000, timerInject: 1000, output: 0 };
  const config = examples[0]?.config ?? {};
  const options = { config, limits, clock: 'message' } as const;
  const sandbox = await (way === 'direct' ? bench.startDirect(kind, name, options) : bench.startPlugin(kind, name, options));
  const results: SandboxResult[] = [];
  for (const example of examples) {
    if (sandbox.state === 'running') results.push(await sandbox.process(batchFor(example), null));
    if (kind === 'filter' && sandbox.state === 'running') results.push(await sandbox.timer(READ_AT));
  }
  await sandbox.stop();
  return results.map(({ times: _, ...result }) => stable(result));
}

test.each(cases)('$kind $name, $title', async (one) => {
  const [counted, uncounted, direct] = await Promise.all([
    resultsOf(one, 'counted'),
    resultsOf(one, 'uncounted'),
    resultsOf(one, 'direct'),
  ]);
  expect(uncounted).toEqual(counted);
  expect(direct).toEqual(counted);
});
