import { z } from 'zod';
import type { ClockKind } from '../../message/types.ts';
import type { InputType } from '../../inputs/shared/input-type.ts';
import type { OutputType } from '../../outputs/output-type.ts';
import { optionalClock, timeOffset } from '../../inputs/shared/parameters.ts';
import { matching, receiver } from '../../section/receiver.ts';
import { retries } from '../../section/restart.ts';
import { anyOf } from '../../section/section-schema.ts';
import { flag, seconds, text } from '../../section/values.ts';
import { exit, noRestart, ONE_SCRIPT, oneScript, script, shutdownTimer, ticker, ZONE, zone } from './sandbox.ts';

/** Schemas of script inputs and script outputs. */

const inputTicker = {
  ticker_interval: seconds
    .default(0)
    .describe('Time between two calls of `process_message`, the first of which comes at once. 0: it is called once.'),
};

/** Source of a script input: an input of that type, with its parameters. */
export type SourceConfig = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly splitter?: string | undefined;
  readonly clock?: ClockKind | undefined;
  readonly retries: z.output<typeof retries>;
};

const source = (inputs: readonly InputType[]) => ({
  source: anyOf<SourceConfig>(
    new Map(inputs.flatMap(({ type, sourceSchema }) => (sourceSchema === undefined ? [] : [[type, sourceSchema]]))),
  )
    .meta({ shown: 'table' })
    .optional()
    .describe(
      'Where `read_input` reads from: a table `[NAME.source]` with the `type` of another input and its parameters, except those of decoders. With a ' +
        '`splitter` (`line`, `none` or `regex:…`) the script reads records, else pieces of files and connections as they are, or whole datagrams, ' +
        'requests and outputs of commands.',
    ),
});

const times = {
  clock: optionalClock('Without it, the clock is that of the source.'),
  time_offset: timeOffset,
};

const scriptRestart = {
  retries: retries
    .optional()
    .describe('With this table, a script that failed is started again after these waits; without it, it stays ended.'),
};

const NO_EFFECT = 'Accepted for older configurations; without effect.';

/** Parameters of other inputs that have no effect here, since the script does their work. */
const inputsDo = {
  decoder: text.optional().describe(NO_EFFECT),
  splitter: text.optional().describe(NO_EFFECT),
  synchronous_decode: flag.optional().describe(NO_EFFECT),
  send_decode_failures: flag.optional().describe(NO_EFFECT),
  log_decode_failures: flag.optional().describe(NO_EFFECT),
};

/** Target of a script output: an output of that type, with its parameters. */
export type TargetConfig = Readonly<Record<string, unknown>> & { readonly type: string };

const target = (outputs: readonly OutputType[]) => ({
  target: anyOf<TargetConfig>(new Map(outputs.map((output) => [output.type, output.targetSchema])))
    .meta({ shown: 'table' })
    .optional()
    .describe(
      'Where `write_output` writes to: a table `[NAME.target]` with the `type` of another output and its parameters, except those that select, ' +
        'encode and buffer messages.',
    ),
});
const outputsDo = {
  encoder: text.optional().describe(NO_EFFECT),
  use_framing: flag.optional().describe(NO_EFFECT),
};

/** Schema of a script input. @param inputs the types that its source may have */
export const sandboxInput = (inputs: readonly InputType[]) =>
  z
    .strictObject({
      type: z.literal('SandboxInput'),
      ...inputTicker,
      ...source(inputs),
      ...times,
      ...script,
      ...exit,
      ...scriptRestart,
      ...inputsDo,
    })
    .refine(oneScript, ONE_SCRIPT)
    .refine(zone, ZONE)
    // One call of an input may run without end.
    .transform((value) => ({ ...value, instruction_limit: 0 }));

/** Schema of a script output. @param outputs the types that its target may have */
export const sandboxOutput = (outputs: readonly OutputType[]) =>
  z
    .strictObject({
      type: z.literal('SandboxOutput'),
      ...matching,
      ...ticker,
      ...script,
      ...receiver,
      ...noRestart,
      ...shutdownTimer,
      ...exit,
      ...target(outputs),
      ...outputsDo,
    })
    .refine(oneScript, ONE_SCRIPT);
