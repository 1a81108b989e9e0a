/** The message model, its batches, and every form that messages have outside of memory. */
export { fieldAt, intAt, MessageBatch, textAt, type BatchParts } from './batch.ts';
export { BatchBuilder, batchOf } from './builder.ts';
export {
  entryCount,
  entryOf,
  INT_HEADERS,
  TEXT_HEADERS,
  type ByteValues,
  type FieldColumn,
  type IntColumn,
  type IntHeader,
  type TextColumn,
  type TextHeader,
  type TextValues,
} from './columns.ts';
export {
  DEFAULT_MAX_MESSAGE_SIZE,
  frame,
  FrameError,
  FrameSplitter,
  type FrameOptions,
  type FrameRecord,
  type SplitterOptions,
} from './framing.ts';
export { asFailed, concatBatches, mergeRows, takeRows, withField, type MergePart } from './gather.ts';
export { parseInteger } from './integer.ts';
export { formatBatch, formatMessage, MessageFormatError, messageOf, parseMessage } from './json.ts';
export { decodeMessage, encodeMessage, MessageDecodeError } from './protobuf.ts';
export { randomUuid, randomUuids } from './random-uuid.ts';
export { messagesOf, RowIndex } from './row-index.ts';
export { decodeScriptMessage, encodeScriptMessage, type ScriptField, type ScriptMessage, type ScriptValue } from './script-protobuf.ts';
export { authenticate, hmacHashOf, sign, type HmacHash, type Signature, type Signer, type SignerKeys } from './signing.ts';
export { formatTimestamp, parseTimestamp } from './timestamp.ts';
export {
  DEFAULT_SEVERITY,
  ValueType,
  type BoolField,
  type BytesField,
  type DoubleField,
  type Field,
  type IntegerField,
  type Message,
  type Nanoseconds,
  type StringField,
} from './types.ts';
export { truncateUtf8, utf8Length } from './utf8.ts';
export { formatUuid, markRandomUuid, parseUuid } from './uuid.ts';
export { byteLengthOf, checkBatch, decodeBatch, encodeBatch, WireError, type EncodeOptions } from './wire.ts';
