import { z } from 'zod';
import { matching, receiver, restart } from './sandbox.ts';
import { count, flag, path, text } from './values.ts';

/** Encoders that need no section. */
export const BUILT_IN_ENCODERS = ['json', 'protobuf', 'text'] as const;

const encoder = (usual: (typeof BUILT_IN_ENCODERS)[number]): z.ZodDefault<z.ZodString> =>
  text.min(1).default(usual).describe('`json`, `protobuf`, `text`, or the name of an encoder section or of a bundled encoder.');

const exit = { can_exit: flag.default(false).describe('The service goes on when this output ends.') };

export const logOutput = z.strictObject({
  type: z.literal('LogOutput'),
  ...matching,
  encoder: encoder('text'),
  ...receiver,
  ...restart,
  ...exit,
});

const octal = text.regex(/^[0-7]{3,4}$/, { error: 'must be an octal mode such as 644' }).meta({ shown: 'octal mode' });

export const fileOutput = z.strictObject({
  type: z.literal('FileOutput'),
  ...matching,
  path: path.describe('File to write to. It is opened for appending and created when it is missing.'),
  encoder: encoder('json'),
  use_framing: flag.optional().describe('Put a framing header before each message. Default: only with the `protobuf` encoder.'),
  perm: octal.default('644').describe('Mode of a file that is created.'),
  folder_perm: octal.default('700').describe('Mode of folders that are created.'),
  flush_interval: count.default(1000).meta({ shown: 'milliseconds' }).describe('Longest time between two writes. 0: not bounded by time.'),
  flush_count: z.int().min(1).default(1).describe('Messages between two writes.'),
  flush_operator: z.enum(['AND', 'OR']).default('AND').describe('Whether both bounds must be reached for a write, or one.'),
  ...receiver,
  ...restart,
  ...exit,
});
