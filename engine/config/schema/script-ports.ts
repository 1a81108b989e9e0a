import { z } from 'zod';
import { outputTarget } from './outputs.ts';
import {
  exit,
  matching,
  noRestart,
  ONE_SCRIPT,
  oneScript,
  receiver,
  retries,
  script,
  shutdownTimer,
  ticker,
  ZONE,
  zone,
} from './sandbox.ts';
import { inputSource } from './sources.ts';
import { flag, seconds, text } from './values.ts';

/** Scripts at both ends of the pipeline: those that make messages, and those that take them. */

const inputTicker = {
  ticker_interval: seconds
    .default(0)
    .describe('Time between two calls of `process_message`, the first of which comes at once. 0: it is called once.'),
};

const source = {
  source: inputSource
    .optional()
    .describe(
      'Where `read_input` reads from: a table `[NAME.source]` with the `type` of another input and its parameters, but for those of decoders. With a ' +
        '`splitter` (`line`, `none` or `regex:…`) the script reads records, else pieces of files and connections as they are, or whole datagrams, ' +
        'requests and outputs of commands.',
    ),
};

const scriptRestart = {
  retries: retries
    .optional()
    .describe('With this table, a script that failed is started again after these waits; without it, it stays ended.'),
};

const NO_EFFECT = 'Taken for the sake of older configurations; without effect.';

/** What all other inputs and outputs have: of the work that it is for, a script does its own. */
const inputsDo = {
  decoder: text.optional().describe(NO_EFFECT),
  splitter: text.optional().describe(NO_EFFECT),
  synchronous_decode: flag.optional().describe(NO_EFFECT),
  send_decode_failures: flag.optional().describe(NO_EFFECT),
  log_decode_failures: flag.optional().describe(NO_EFFECT),
};
const target = {
  target: outputTarget
    .optional()
    .describe(
      'Where `write_output` writes to: a table `[NAME.target]` with the `type` of another output and its parameters, but for those that choose, ' +
        'encode and buffer messages.',
    ),
};
const outputsDo = {
  encoder: text.optional().describe(NO_EFFECT),
  use_framing: flag.optional().describe(NO_EFFECT),
};

export const sandboxInput = z
  .strictObject({ type: z.literal('SandboxInput'), ...inputTicker, ...source, ...script, ...exit, ...scriptRestart, ...inputsDo })
  .refine(oneScript, ONE_SCRIPT)
  .refine(zone, ZONE)
  // An input works as long as it likes.
  .transform((value) => ({ ...value, instruction_limit: 0 }));

export const sandboxOutput = z
  .strictObject({
    type: z.literal('SandboxOutput'),
    ...matching,
    ...ticker,
    ...script,
    ...receiver,
    ...noRestart,
    ...shutdownTimer,
    ...exit,
    ...target,
    ...outputsDo,
  })
  .refine(oneScript, ONE_SCRIPT);
