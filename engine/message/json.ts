/** Messages as lines of JSON. */
export { formatBatch, formatMessage } from './json-format.ts';
export { MessageFormatError, parseMessage } from './json-parse.ts';
