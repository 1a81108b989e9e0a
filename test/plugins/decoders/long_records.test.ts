/** Records that become messages beyond output_limit: they are refused, and the decoder goes on. */
import { afterAll, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../engine/sandbox/contract/types.ts';
import { UUID, batchOf, messagesOf } from '../../engine/sandbox/harness.ts';
import { PluginBench } from '../support/plugin-bench.ts';

const LONG = 'x'.repeat(70 * 1024);
const bench = new PluginBench();
afterAll(() => bench.close());

const access = (path: string): string => `192.0.2.7 - - [05/Mar/2021:13:07:59 +0000] "GET /${path} HTTP/1.1" 200 12`;
const syslog = (text: string): string => `<34>Mar  5 13:07:59 box1 app: ${text}`;

test.each<[string, Record<string, string>, (text: string) => string]>([
  ['nginx_access', { log_format: '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent' }, access],
  ['apache_access', { log_format: '%h %l %u %t "%r" %>s %b' }, access],
  ['rsyslog', { template: '<%pri%>%TIMESTAMP% %HOSTNAME% %syslogtag% %msg%' }, syslog],
  ['syslog', {}, syslog],
  ['rfc3164', {}, syslog],
  ['rfc5424', {}, (text) => `<34>1 2021-03-05T13:07:59Z box1 app - - [a b="c"] ${text}`],
  ['json_lines', {}, (text) => JSON.stringify({ msg: text })],
])('%s refuses a record of 70 KiB and goes on', async (name, config, line) => {
  const sandbox = await bench.startPlugin('decoder', name, { config, limits: { output: DEFAULT_LIMITS.output } });
  const records = ['before', LONG, 'after'].map((text) => ({
    uuid: UUID,
    timestamp: 1_614_949_680_000_000_000n,
    payload: line(text),
    fields: [],
  }));
  const result = await sandbox.process(batchOf(records), null);
  expect(result.terminated).toBeNull();
  expect(result.failures).toEqual([{ row: 1, reason: expect.stringContaining('output_limit') as string }]);
  expect(messagesOf(result)).toHaveLength(2);
  expect(JSON.stringify(messagesOf(result), (_, value: unknown) => (typeof value === 'bigint' ? null : value))).not.toContain('xxx');
  await sandbox.stop();
});
