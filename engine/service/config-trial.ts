import { setTimeout as delay } from 'node:timers/promises';
import { Writable } from 'node:stream';
import type { PipelineConfig } from '../config/sections.ts';
import { compileExpression } from '../matcher/expression.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import type { Message } from '../message/types.ts';
import { pipelineFromConfig } from './from-config.ts';
import type { PipelineEvent } from './pipeline-events.ts';
import type { ScriptStarter } from '../plugins/sandboxes.ts';
import { TrialEdges, type Interest, type Reading } from './trial-edges.ts';

/** Result at one place of a pipeline, in order: the texts that an output wrote, and the messages there. */
export interface Trial {
  readonly texts: readonly string[];
  readonly messages: readonly Message[];
  /** Notices of the pipeline, such as refused records. */
  readonly problems: readonly string[];
  /** True when one of them is an error: a script has ended. */
  readonly broken: boolean;
}

interface TrialRequest {
  readonly config: PipelineConfig;
  /** Delivered one by one, each after the one before is processed. */
  readonly batches: readonly MessageBatch[];
  /** Name of the input that delivers them; undefined: they enter the router without one. */
  readonly input: string | undefined;
  /** Texts that the script of an input reads; then there are no batches. */
  readonly reading?: Reading | null;
  /** The output, filter or input to look at. */
  readonly output: string;
  readonly starter: ScriptStarter;
}

const POLL_MS = 2;

/**
 * Tries a configuration and its scripts on some messages, with the message clock and without side effects: no file is read or written, and no
 * state is kept. At the end filters with a ticker get a last tick.
 * @throws {EngineError} when a script does not start
 */
export async function tryConfig({ config, batches, input, reading = null, output, starter }: TrialRequest): Promise<Trial> {
  const problems: string[] = [];
  const edges = new TrialEdges(selectorOf(config, output), reading);
  let broken = false;
  const tell = (event: PipelineEvent): void => {
    if (event.kind === 'undone' || event.kind === 'lost' || event.kind === 'refused') return;
    problems.push(event.kind === 'notice' ? event.notice.text : event.text);
    broken ||= event.kind !== 'notice' || event.notice.level === 'error';
  };
  const pipeline = await pipelineFromConfig(withoutState(config), {
    starter,
    edges,
    stdout: new Writable(),
    dataFolder: '',
    tell,
  });
  await pipeline.start();
  const pushInput = edges.pushInput(input);
  for (const batch of batches) await pushInput.give(batch);
  edges.idle();
  while (!pipeline.idle) await delay(POLL_MS);
  await pipeline.stop();
  return { texts: edges.written(output), messages: edges.observer.seen, problems, broken };
}

/** Returns the configuration without preserved state, disk buffers and managers. */
function withoutState(config: PipelineConfig): PipelineConfig {
  const fresh = <T extends object>(section: T): T => ({ ...section, preserve_data: false, use_buffering: false });
  return {
    ...config,
    inputs: config.inputs.map(fresh),
    decoders: config.decoders.map(fresh),
    filters: config.filters.map(fresh),
    managers: [],
    encoders: config.encoders.map(fresh),
    outputs: config.outputs.map(fresh),
  };
}

function selectorOf({ outputs, filters }: PipelineConfig, name: string): Interest {
  const rowsOf = (batch: MessageBatch): number[] => Array.from({ length: batch.length }, (_, row) => row);
  const output = outputs.find((section) => section.name === name);
  if (output !== undefined) {
    const matcher = compileExpression(output.message_matcher);
    return (batch) => matcher.select(batch) ?? rowsOf(batch);
  }
  if (filters.some((section) => section.name === name)) {
    return (batch, injected) => (injected ? rowsOf(batch).filter((row) => batch.message(row).logger === name) : []);
  }
  return (batch, injected) => (injected ? [] : rowsOf(batch));
}
