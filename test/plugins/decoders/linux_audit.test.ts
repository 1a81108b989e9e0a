import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const decode = decoder('linux_audit');

test.each<[fraction: string, timestamp: string]>([
  ['250', '1614949679250000000'],
  ['000', '1614949679000000000'],
  ['123456789', '1614949679123456789'],
])('a time with the fraction %s', (fraction, Timestamp) => {
  expect(decode(`type=EOE msg=audit(1614949679.${fraction}:7): `)).toEqual({ Timestamp, Payload: '', type: 'EOE', event: 7 });
});

test.each<[pid: string, process: number | undefined]>([
  ['812', 812],
  ['0', 0],
  ['-1', undefined],
  ['2147483648', undefined],
  ['x', undefined],
])('the process %s', (pid, Pid) => {
  const message = decode(`type=USER msg=audit(1.000:7): pid=${pid}`) as Record<string, unknown>;
  expect(message['Pid']).toBe(Pid);
});

test('a line end is no part of the line, which may be kept', () => {
  const line = 'type=AVC msg=audit(1.5:8): avc: granted { setattr } for pid=1';
  expect(decoder('linux_audit', { payload_keep: true })(`${line}\r\n`)).toMatchObject({
    Payload: line,
    avc: 'granted',
    permissions: 'setattr',
  });
});

test.each(['', 'msg=audit(1.0:7): a=b', 'type=X msg=audit(1:7): a=b', 'type=X msg=audit(1.0): a=b', 'x type=X msg=audit(1.0:7): '])(
  '%j is refused',
  (line) => expect(decode(line)).toBe('refused: no audit event'),
);
