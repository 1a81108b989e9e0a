import { describe, expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const AT = { Timestamp: '1614949679250000000' };

describe('suricata_eve', () => {
  const decode = decoder('suricata_eve');
  const eve = (more: string, type = 'alert'): string => `{"timestamp":"2021-03-05T13:07:59.250000+0000","event_type":"${type}"${more}}`;

  test.each([
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
    [255, 5],
    [0, 2],
  ])('an alert of severity %i', (written, severity) => {
    expect(decode(eve(`,"alert":{"signature":"s","severity":${written}}`))).toEqual({
      ...{ ...AT, Severity: severity, Payload: 's', event_type: 'alert', 'alert.signature': 's', 'alert.severity': written },
    });
  });

  test.each([
    ['anomaly', ',"anomaly":{"type":"decode","event":"decoder.ipv4.trunc_pkt"}', 4, 'decoder.ipv4.trunc_pkt'],
    ['engine', ',"engine":{"level":"Error","message":"no rules"}', 3, 'no rules'],
    ['flow', ',"flow":{"bytes_toserver":5}', 6, undefined],
    ['stats', '', 6, undefined],
  ])('%s', (type, more, severity, payload) => {
    expect(decode(eve(more, type))).toMatchObject({ ...AT, Severity: severity, ...(payload === undefined ? {} : { Payload: payload }) });
  });

  test('a time without a zone', () => {
    const line = '{"timestamp":"2021-03-05T14:07:59.250","event_type":"dns"}';
    expect(decoder('suricata_eve', { tz: '+01:00' })(line)).toMatchObject(AT);
  });
});
