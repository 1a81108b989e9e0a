import type { z } from 'zod';
import { address, count, flag, text } from '../section/values.ts';
import type { Form } from './encode.ts';

/** Parameters that several types of outputs share. */

const ENCODER = '`json`, `protobuf`, `text`, or the name of an encoder section or of a bundled encoder.';

/** Of an output that has a usual encoder. */
export const encoder = (usual: Form): z.ZodDefault<z.ZodString> => text.min(1).default(usual).describe(ENCODER);

/** Of an output whose encoder must be named. */
export const neededEncoder = text.min(1).describe(ENCODER);

/** Of an output that frames only protobuf unless it is told. */
export const framedProtobuf = {
  use_framing: flag.optional().describe('Put a framing header before each message. Default: only with the `protobuf` encoder.'),
};

/** Of an output that frames nothing unless it is told. */
export const framing = {
  use_framing: flag.default(false).describe('Put a framing header before each message.'),
};

export const exit = { can_exit: flag.default(false).describe('The service goes on when this output ends.') };

export const milliseconds = count.meta({ shown: 'milliseconds' });

export const localAddress = address.optional().describe('Address to send from; port 0 stands for any.');

/** For a server that asks for a name and a password. */
export const login = {
  username: text.optional().describe('For a server that asks for a password.'),
  password: text.optional().describe('For a server that asks for a password.'),
};
