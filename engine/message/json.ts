/** Messages as lines of JSON. */
export { formatBatch, formatMessage } from './json-format.ts';
export { MessageFormatError, messageOf, parseMessage } from './json-parse.ts';
