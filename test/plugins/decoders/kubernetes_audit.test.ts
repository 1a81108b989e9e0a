import { describe, expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

describe('kubernetes_audit', () => {
  const decode = decoder('kubernetes_audit');
  const audit = (more: string): string => `{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete"${more}}`;

  test.each([
    ['200', 6],
    ['201', 6],
    ['304', 6],
    ['400', 4],
    ['403', 4],
    ['404', 4],
    ['500', 3],
    ['503', 3],
  ])('code %s', (code, severity) => {
    expect(decode(audit(`,"responseStatus":{"code":${code}}`))).toMatchObject({ Severity: severity, 'responseStatus.code': Number(code) });
  });

  test.each([
    [',"stageTimestamp":"2021-03-05T13:07:59.250000Z"', { Timestamp: '1614949679250000000' }],
    [',"requestReceivedTimestamp":"2021-03-05T13:07:59.123456Z"', { Timestamp: '1614949679123456000' }],
    [',"timestamp":"2021-03-05T13:07:59Z"', { Timestamp: '1614949679000000000' }],
    [
      ',"requestReceivedTimestamp":"2021-03-05T13:07:59.123456Z","stageTimestamp":"2021-03-05T13:08:00.123457Z"',
      { Timestamp: '1614949680123457000', duration: [1.000001, 's'] },
    ],
    [',"responseObject":{"metadata":{"a":[1,{"b":2}]}}', { responseObject: ['{"metadata":{"a":[1,{"b":2}]}}', 'json'] }],
  ])('%s', (more, expected) => {
    expect(decode(audit(more))).toMatchObject(expected);
  });
});
