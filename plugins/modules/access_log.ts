/** What the decoders of access logs have in common: the way of a line into a message. */
import { boolConfig, stringConfig } from './config.ts';
import { injectWritten } from './inject.ts';
import { LineParser, type LogItem } from './log_format.ts';
import { upToClosingQuote, upToQuote } from './scan.ts';
import { userAgentField } from './user_agent.ts';

/** A text ends in a backslash: what was written is a pair of them, and the quote is none of the text. */
const CLOSED = '\\\\"';
const USER_AGENT = 'http_user_agent';

/**
 * The `process_message` of a decoder for lines of this format, by the parameters type, user_agent_transform, user_agent_keep,
 * user_agent_conditional and payload_keep.
 */
export function accessLogDecoder(format: readonly LogItem[]): () => ProcessStatus {
  const items = boolConfig('user_agent_transform', false) ? withUserAgent(format) : format;
  const parser = new LineParser(items);
  const writer = message_writer(parser.columns);
  const type = stringConfig('type', null);
  const keepPayload = boolConfig('payload_keep', false);
  const inPairs = new LineParser(items.map(withPairs));
  return () => {
    const { text, start, end } = payload_span();
    if (parser.parse(text, start, end)) parser.write(writer, text);
    else if (text.slice(start, end).includes(CLOSED) && inPairs.parse(text, start, end)) inPairs.write(writer, text);
    else return parser.refusal;
    if (type !== null) writer.type(type);
    if (keepPayload) writer.payloadSlice(start, end);
    return injectWritten(writer);
  };
}

/** Text in quotes as a server writes it that puts a backslash in front of each backslash. */
function withPairs(item: LogItem): LogItem {
  return item.kind === 'field' && item.type.scan === upToQuote ? { ...item, type: { ...item.type, scan: upToClosingQuote } } : item;
}

function withUserAgent(format: readonly LogItem[]): LogItem[] {
  const keep = boolConfig('user_agent_keep', false);
  const conditional = boolConfig('user_agent_conditional', false);
  return format.map((item) =>
    item.kind === 'field' && item.name === USER_AGENT ? { ...item, type: userAgentField(item.type, keep, conditional) } : item,
  );
}
