import type { z } from 'zod';
import { address, count, flag, text } from '../section/values.ts';
import type { Form } from './encode.ts';

/** Parameters that several types of outputs share. */

const ENCODER = '`json`, `protobuf`, `text`, or the name of an encoder section or of a bundled encoder, which then has no `output_limit`.';

/** The encoder of an output that has a usual one. */
export const encoder = (usual: Form): z.ZodDefault<z.ZodString> => text.min(1).default(usual).describe(ENCODER);

/** The encoder of an output where it must be named. */
export const neededEncoder = text.min(1).describe(ENCODER);

/** The framing of an output that by default frames only protobuf. */
export const framedProtobuf = {
  use_framing: flag.optional().describe('Put a framing header before each message. Default: only with the `protobuf` encoder.'),
};

/** The framing of an output that by default frames nothing. */
export const framing = {
  use_framing: flag.default(false).describe('Put a framing header before each message.'),
};

export const exit = {
  can_exit: flag
    .default(false)
    .describe(
      'The service goes on when this output ends, by itself or with its encoder. false: it stops with exit code 1, and what was not written comes again.',
    ),
};

/** The mode of files or folders. */
export const octal = text.regex(/^[0-7]{3,4}$/, { error: 'must be an octal mode such as 644' }).meta({ shown: 'octal mode' });

export const milliseconds = count.meta({ shown: 'milliseconds' });

export const localAddress = address.optional().describe('Address to send from; port 0 stands for any.');

/** For a server that asks for a name and a password. */
export const login = {
  username: text.optional().describe('For a server that asks for a password.'),
  password: text.optional().describe('For a server that asks for a password.'),
};
