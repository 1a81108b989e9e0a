import { messageOf } from '../base/errors.ts';
import { DEFAULT_MAX_MESSAGE_SIZE, type FrameRecord } from '../message/protobuf/framing.ts';
import { decodeMessage } from '../message/protobuf/protobuf.ts';
import { authenticate, type SignerKeys } from '../message/protobuf/signing.ts';
import type { Message } from '../message/types.ts';

/** Options for reading framed messages from a source. */
export interface FramedOptions {
  /** Keys of the signers whose messages are taken; null: nothing is verified, and nobody counts as a signer. Without keys only unsigned ones. */
  readonly keys?: SignerKeys | null;
  /** Largest message in bytes; 64 KiB by default. */
  readonly maxMessageSize?: number | undefined;
}

/** A message and its signer; '' when it is not signed. */
export interface SignedMessage {
  readonly message: Message;
  readonly signer: string;
}

/** Takes messages out of their records. */
export class MessageOpener {
  readonly maxMessageSize: number;
  readonly #keys: SignerKeys | null;
  #dropped = 0;

  constructor({ keys = new Map<string, string>(), maxMessageSize = DEFAULT_MAX_MESSAGE_SIZE }: FramedOptions) {
    this.#keys = keys;
    this.maxMessageSize = maxMessageSize;
  }

  /** Records that were dropped: signed by an unknown key, wrongly signed, or without a message in them. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The message of a record, or a text that says why it is not taken. */
  open(record: FrameRecord): SignedMessage | string {
    const signer = this.#keys === null ? '' : authenticate(record, this.#keys);
    if (signer === null) {
      this.#dropped++;
      const { signer: name = '', keyVersion = 0 } = record.signature ?? {};
      const key = `${name}_${keyVersion}`;
      const why =
        this.#keys?.has(key) === true ? `a wrong signature by ${key}` : `a signature by ${key}, whose key the input does not have`;
      return `a message with ${why}`;
    }
    try {
      return { message: decodeMessage(record.message), signer };
    } catch (error) {
      this.#dropped++;
      return `a record that holds no message: ${messageOf(error)}`;
    }
  }
}
