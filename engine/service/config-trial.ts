import { setTimeout as delay } from 'node:timers/promises';
import { Writable } from 'node:stream';
import type { PipelineConfig } from '../config/sections.ts';
import type { InputNotice } from '../inputs/types.ts';
import { compileMatcher } from '../matcher/matcher.ts';
import type { MessageBatch } from '../message/batch.ts';
import type { Message } from '../message/types.ts';
import { pipelineFromConfig } from './from-config.ts';
import type { ScriptStarter } from '../plugins/sandboxes.ts';
import { TrialEdges, type Interest } from './trial-edges.ts';

/** What came out at one place of a pipeline, in order: what an output wrote as text, and the messages there. */
export interface Trial {
  readonly texts: readonly string[];
  readonly messages: readonly Message[];
  /** What went wrong on the way, such as refused records, … */
  readonly problems: readonly string[];
  /** … and whether that was more: a script has ended. */
  readonly broken: boolean;
}

interface TrialRequest {
  readonly config: PipelineConfig;
  /** Brought one by one, each when the one before has been through. */
  readonly batches: readonly MessageBatch[];
  /** The input that brings them; undefined: they come by none of them. */
  readonly input: string | undefined;
  /** The output, filter or input to look at. */
  readonly output: string;
  readonly starter: ScriptStarter;
}

const POLL_MS = 2;

/**
 * Tries a configuration on some messages, with its scripts, on the clock of the messages, and without anything outside: no file is read or written, no
 * state kept. At the end filters with a ticker get a last tick.
 * @throws {EngineError} when a script does not start
 */
export async function tryConfig({ config, batches, input, output, starter }: TrialRequest): Promise<Trial> {
  const problems: string[] = [];
  const edges = new TrialEdges(selectorOf(config, output));
  let broken = false;
  const tell = (text: string, level: InputNotice['level']): void => {
    problems.push(text);
    broken ||= level === 'error';
  };
  const pipeline = await pipelineFromConfig(withoutState(config), {
    starter,
    edges,
    stdout: new Writable(),
    dataFolder: '',
    notice: ({ text, level }) => tell(text, level),
    onFatal: (text) => tell(text, 'error'),
  });
  await pipeline.start();
  const hand = edges.hand(input);
  for (const batch of batches) await hand.give(batch);
  edges.idle();
  while (!pipeline.idle) await delay(POLL_MS);
  await pipeline.stop();
  return { texts: edges.written(output), messages: edges.observer.seen, problems, broken };
}

/** The same, but nothing goes over the disk, and nothing is loaded by others. */
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
    const matcher = compileMatcher(output.message_matcher);
    return (batch) => matcher.select(batch) ?? rowsOf(batch);
  }
  if (filters.some((section) => section.name === name)) {
    return (batch, injected) => (injected ? rowsOf(batch).filter((row) => batch.message(row).logger === name) : []);
  }
  return (batch, injected) => (injected ? [] : rowsOf(batch));
}
