import { describe, expect, test } from 'vitest';
import { sentEvent } from '../../../../plugins/lib/json/sent_event.ts';

describe('events that a server sends', () => {
  test.each([
    ['data: {"a":1}', { data: '{"a":1}', fields: [] }],
    ['data:{"a":1}\r\n', { data: '{"a":1}', fields: [] }],
    [': still there\nevent: log\nid: 7\nretry: 100\ndata: {\ndata: "a":1}\n', { data: '{\n"a":1}', fields: ['event', 'id', 'retry'] }],
  ])('%j', (record, { data, fields }) => {
    const event = sentEvent(record);
    expect(event?.data).toBe(data);
    expect(event?.fields.map(({ name }) => name)).toEqual(fields.map((name) => `sse_${name}`));
  });

  test.each(['', ': still there', 'event: log', 'data of a day', 'data: 1\nand more', '{"data": 1}'])('%j is none', (record) => {
    expect(sentEvent(record)).toBeNull();
  });
});
