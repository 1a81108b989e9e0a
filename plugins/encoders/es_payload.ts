/**
 * Puts an index line of the bulk interface of Elasticsearch or OpenSearch in front of the message's Payload, which is the document.
 *
 * index, type_name and id may hold `%{…}`: Type, Hostname, Logger, EnvVersion, UUID, Pid, Severity, the name of a field (its first value counts),
 * or a format of `strftime` such as `%{%Y.%m.%d}`, in UTC. Any other text in braces stays as it is written. The index is not converted to lower
 * case.
 */
import { BulkIndex } from '../lib/json/bulk_index.ts';
import { boolConfig } from '../modules/config.ts';
import { injectOutput } from '../base/inject.ts';
import { messageSeconds, systemSeconds } from '../modules/interpolate.ts';

export const meta: PluginMeta = {
  name: 'es_payload',
  kind: 'encoder',
  summary: 'Puts an index line for bulk loading in front of the Payload.',
  parameters: {
    index: { type: 'string', summary: 'The index.', default: 'heka-%{%Y.%m.%d}' },
    type_name: {
      type: 'string',
      summary: "The document's type; to be empty for Elasticsearch from 8 and OpenSearch from 2 on, which know none.",
      default: 'message',
    },
    id: { type: 'string', summary: "The document's id; the index chooses one when it is not set." },
    es_index_from_timestamp: {
      type: 'bool',
      summary: "Time patterns stand for the message's Timestamp instead of the system's time.",
      default: false,
    },
  },
  examples: [
    {
      title: 'an index for each day and host',
      config: { index: 'web-%{Hostname}-%{%Y.%m.%d}', id: '%{request_id}', es_index_from_timestamp: true },
      in: { Timestamp: 1614949679e9, Hostname: 'box1', Payload: '{"status":200}', Fields: { request_id: 'a41f' } },
      out: {
        Payload: '{"index":{"_index":"web-box1-2021.03.05","_type":"message","_id":"a41f"}}\n{"status":200}\n',
      },
    },
  ],
};

const index = new BulkIndex();
const seconds = boolConfig('es_index_from_timestamp') ? messageSeconds : systemSeconds;

export function process_message(): ProcessStatus {
  const payload = String(read_message('Payload') ?? '');
  return injectOutput('txt', '', index.line(seconds()) + payload + (payload.endsWith('\n') ? '' : '\n'));
}
