import { expect, test } from 'vitest';
import { plainMessage } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';

const UUID = '0dd4a4a2-7c8a-4a0e-9d2f-6c0d6f2f7a10';
const AT = 1614949679e9;
const MESSAGE: InjectMessage = {
  ...{ Timestamp: AT + 0.9e9, Logger: 'Web/X', Type: 'T', Pid: 7, Severity: 6, Payload: '{"a":1}' },
  Fields: { env: 'prod', flag: true, num: 1.5, '%H': 'noon', raw: { value: 'né', value_type: 1 }, big: 1614949679123456 },
};

function indexLine(config: Record<string, string | boolean>, message: InjectMessage = MESSAGE): unknown {
  const plugin = startPlugin('encoders/es_payload.ts', { es_index_from_timestamp: true, ...config });
  const { rc, injected } = plugin.process(plainMessage(message));
  expect(rc).toBe(0);
  return JSON.parse(injected[0]?.Payload?.split('\n')[0] ?? '');
}

test.each<[template: string, text: string]>([
  ['%{Logger}-%{env}-%{%Y.%m.%d}-%{nope}-%{flag}-%{num}', 'Web/X-prod-2021.03.05-%{nope}-true-1.5'],
  ['%{Type}.%{Pid}.%{Severity}', 'T.7.6'],
  ['%{UUID}-%{Payload}-%{EnvVersion}', `${UUID}-%{Payload}-`],
  ['%{%d/%m}%{}%{%H:%M}', '05/03%{}13:07'],
  ['%{%H}', 'noon'],
  ['%{date:%Y-%d-%m}', 'date:2021-05-03'],
  ['%{%b %d, %Y}', 'Mar 05, 2021'],
  ['%{100%}%{%}%{%%}', '%{100%}%{%}%'],
  ['%{raw}|%{big}', 'né|1614949679123456'],
  ['%{open', '%{open'],
  ['%{a%{env}}', '%{a%{env}}'],
  ['%%{env}}{', '%prod}{'],
  ['%{Timestamp}%{Uuid}%{type}', '%{Timestamp}%{Uuid}%{type}'],
  ['', ''],
])('%j', (index, text) => {
  expect(indexLine({ index })).toEqual({ index: { _index: text, _type: 'message' } });
  expect(indexLine({ type_name: index, id: `x${index}` })).toEqual({
    index: { _index: 'heka-2021.03.05', ...(index === '' ? {} : { _type: text }), _id: `x${text}` },
  });
});

test('headers that are not set', () => {
  expect(indexLine({ index: '%{Type}.%{Pid}.%{Severity}' }, { Timestamp: AT })).toEqual({
    index: { _index: '.0.7', _type: 'message' },
  });
});

test.each([
  ['{"a":1}', '{"a":1}\n'],
  ['{"a":1}\n', '{"a":1}\n'],
  ['', '\n'],
])('the payload %j', (Payload, text) => {
  const plugin = startPlugin('encoders/es_payload.ts', { es_index_from_timestamp: true });
  const line = '{"index":{"_index":"heka-2021.03.05","_type":"message"}}\n';
  expect(plugin.process(plainMessage({ Timestamp: AT, Payload })).injected[0]?.Payload).toBe(line + text);
});

test("by default time patterns are the system's time", () => {
  const before = Math.floor(Date.now() / 1000);
  const { index } = indexLine({ es_index_from_timestamp: false, index: '%{%s}' }) as { index: { _index: string } };
  expect(Number(index._index)).toBeGreaterThanOrEqual(before);
  expect(Number(index._index)).toBeLessThanOrEqual(Date.now() / 1000);
});
