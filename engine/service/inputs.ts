import type { PlainInputConfig } from '../config/schema/sections.ts';
import { inputTypeOf } from '../inputs/built-in.ts';
import type { InputContext } from '../inputs/shared/input-type.ts';
import { parseSplit, type SplitOptions } from '../inputs/splitters/index.ts';
import type { Input } from '../inputs/types.ts';

export interface InputSurroundings extends Omit<InputContext, 'split'> {
  /** Largest framed message in bytes. */
  readonly maxMessageSize?: number;
  /** Rule of the decoder for cutting a file into records; by lines when absent. */
  readonly split?: SplitOptions | undefined;
}

/** Makes the input of a section. */
export function makeInput(config: PlainInputConfig, surroundings: InputSurroundings): Input {
  return inputTypeOf(config.type).make(config, { ...surroundings, split: splitOf(config, surroundings) });
}

/** Returns the rule by which an input cuts its data into records. */
function splitOf(config: PlainInputConfig, { split: usual = { kind: 'line' }, maxMessageSize }: InputSurroundings): SplitOptions {
  if (!('splitter' in config) || config.splitter === 'auto') return usual;
  if (config.splitter !== 'framing') return parseSplit(config.splitter);
  const keys = new Map(Object.entries(config.signers).map(([name, { hmac_key: key }]) => [name, key]));
  return { kind: 'framing', keys: config.skip_authentication ? null : keys, maxMessageSize };
}
