/** Messages as lines of JSON. */
export { encodeJsonLines, formatBatch } from './json-encode.ts';
export { formatMessage } from './json-format.ts';
export { MessageFormatError, parseMessage } from './json-parse.ts';
