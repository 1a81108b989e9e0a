/** Common part of the decoders of access logs: makes a message of a line. */
import { boolConfig, stringConfig } from '../../modules/config.ts';
import { injectWritten } from '../../base/inject.ts';
import { LineReader } from '../format/line_reader.ts';
import type { LogItem } from '../format/log_format.ts';
import { currentUserAgent } from './current_user_agents.ts';
import { parseUserAgent, userAgentField } from './user_agent.ts';

const USER_AGENT = 'http_user_agent';

/**
 * The `process_message` of a decoder for lines of this format, by the parameters type, user_agent_transform, user_agent_rules,
 * user_agent_keep, user_agent_conditional and payload_keep.
 */
export function accessLogDecoder(format: readonly LogItem[]): () => ProcessStatus {
  const reader = new LineReader(boolConfig('user_agent_transform') ? withUserAgent(format) : format, true);
  const writer = message_writer(reader.columns);
  const type = stringConfig('type', null);
  const keepPayload = boolConfig('payload_keep');
  return () => {
    const span = payload_span();
    if (!reader.readSpan(writer, span)) return reader.refusal;
    if (type !== null) writer.type(type);
    if (keepPayload) writer.payloadSlice(span.start, span.end);
    return injectWritten(writer);
  };
}

function withUserAgent(format: readonly LogItem[]): LogItem[] {
  const keep = boolConfig('user_agent_keep');
  const conditional = boolConfig('user_agent_conditional');
  const parse = stringConfig('user_agent_rules', 'contract') === 'current' ? currentUserAgent : parseUserAgent;
  return format.map((item) =>
    item.kind === 'field' && item.name === USER_AGENT ? { ...item, type: userAgentField(item.type, parse, keep, conditional) } : item,
  );
}
