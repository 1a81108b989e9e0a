import { describe, expect, it } from 'vitest';
import { decoder } from '../../support/decode.ts';

/** What a container wrote, behind its name. */
const decode = decoder('prefixed_log');
const inner = (text: string): unknown => decode(`web-1  | ${text}`);
const AT = { Timestamp: '1614949679250000000' };
const TIME = '2021-03-05T13:07:59.250Z';

describe('objects of JSON', () => {
  it.each([
    ['pino', '{"level":50,"time":1614949679250,"msg":"no","pid":7,"tries":3}', { ...AT, Severity: 3, Payload: 'no', Pid: 7, tries: 3 }],
    ['zap', `{"level":"warn","ts":1614949679.25,"msg":"no"}`, { ...AT, Severity: 4, Payload: 'no' }],
    [
      'MongoDB',
      `{"t":{"$date":"${TIME}"},"s":"E","c":"NETWORK","id":1,"ctx":"x","msg":"no"}`,
      { ...AT, Severity: 3, Logger: 'NETWORK', Payload: 'no' },
    ],
    ['Serilog', `{"@t":"${TIME}","@l":"Error","@mt":"no {x}","x":1}`, { ...AT, Severity: 3, Payload: 'no {x}', x: 1 }],
    ['PostgreSQL', `{"timestamp":"${TIME}","error_severity":"ERROR","message":"no"}`, { ...AT, Severity: 3, Payload: 'no' }],
    ['Falco', `{"output":"no","priority":"Critical","rule":"r","time":"${TIME}"}`, { ...AT, Severity: 2, Payload: 'no' }],
    [
      "Rust's tracing",
      `{"timestamp":"${TIME}","level":"INFO","target":"shop::db","fields":{"message":"up"}}`,
      { ...AT, Severity: 6, Logger: 'shop::db' },
    ],
    ['a date of an unusual name', `{"happened":"${TIME}","level":"error","msg":"no"}`, { ...AT, Severity: 3, Payload: 'no' }],
    ['Common Event Expression', '@cee: {"level":"error","msg":"no"}', { Severity: 3, Payload: 'no' }],
    ['numbers that keep their digits', '{"level":"info","msg":"no","id":9007199254740993}', { id: 9007199254740993n }],
  ])('%s', (_, text, message) => {
    expect(inner(text)).toMatchObject({ ...message, container: 'web-1' });
  });

  it.each(['{', '{"a":', '[1]', '"text"', '{"level":"error",}', '{} behind'])('not: %s', (text) => {
    expect(inner(text)).toMatchObject({ Payload: text });
  });
});
