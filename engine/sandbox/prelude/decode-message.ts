import { decodeScriptMessage, type ScriptMessage } from '../../message/protobuf/script-protobuf.ts';
import { kindOf } from './arguments.ts';
import { bytesOfBinary } from './binary.ts';
import { namingCaller } from './protobuf.ts';
import { copyOfBytes, isBytes } from './uuid.ts';

/** `decode_message` of the scripts' interface. */
export function decode_message(bytes: unknown): ScriptMessage {
  if (arguments.length !== 1) throw new TypeError(`decode_message: one argument, not ${arguments.length}`);
  const input = typeof bytes === 'string' ? bytesOfBinary(bytes) : isBytes(bytes) ? copyOfBytes(bytes) : null;
  if (input !== null) return namingCaller('decode_message', () => decodeScriptMessage(input));
  throw new TypeError(`decode_message: takes the bytes of a message, not ${typeof bytes === 'string' ? 'a text' : kindOf(bytes)}`);
}
