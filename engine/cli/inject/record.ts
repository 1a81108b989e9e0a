import { EngineError } from '../../base/errors.ts';
import { frame, FrameError } from '../../message/protobuf/framing.ts';
import { encodeMessage } from '../../message/protobuf/protobuf.ts';
import type { Signer } from '../../message/protobuf/signing.ts';
import type { Message } from '../../message/types.ts';

/**
 * Encodes a message and frames it, with a signature when there is a signer.
 * @param maxMessageSize bytes
 * @throws {EngineError} `message.too-large`
 */
export function framedRecord(message: Message, signer: Signer | null, maxMessageSize: number): Uint8Array {
  try {
    return frame(encodeMessage(message), signer, { maxMessageSize });
  } catch (error) {
    if (error instanceof FrameError) throw new EngineError('message.too-large', `cannot be framed: ${error.message}`, { cause: error });
    throw error;
  }
}
