import { expect, it } from 'vitest';
import { messageOfBeat } from '../../../../engine/inputs/acknowledged/beats-event.ts';

const read = (json: string) => messageOfBeat(json, 'type', 'logger', '192.0.2.1');

it.each<[what: string, json: string, hostname: string, payload: string | undefined, fields: string[]]>([
  ['the host', '{"host":{"name":"a"},"agent":{"hostname":"b"},"message":"m"}', 'a', 'm', ['host.name', 'agent.hostname']],
  ['the agent', '{"agent":{"hostname":"b"},"message":"m"}', 'b', 'm', ['agent.hostname']],
  ['an old Beat', '{"beat":{"hostname":"c"},"host":"x"}', 'c', undefined, ['beat.hostname', 'host']],
  ['only the connection', '{"message":{"a":1}}', '192.0.2.1', undefined, ['message.a']],
])('the host is that of %s', (_, json, hostname, payload, fields) => {
  const message = read(json);
  expect({ ...message, fields: message.fields.map(({ name }) => name) }).toMatchObject({
    hostname,
    payload,
    type: 'type',
    logger: 'logger',
    fields,
  });
});

it('an event without a time, or with a wrong one, is of now', () => {
  const before = BigInt(Date.now()) * 1_000_000n;
  for (const json of ['{}', '{"@timestamp":"x"}', '{"@timestamp":1}']) expect(read(json).timestamp).toBeGreaterThanOrEqual(before);
});

it.each(['', '[]', '"a"', 'null', '{"a":'])('%s is no event', (json) => expect(() => read(json)).toThrow());

it('a long text may have what would be many values elsewhere', () => {
  const message = ',{["\\'.repeat(400_000);
  expect(read(JSON.stringify({ message })).payload).toBe(message);
});
