import { expect, test } from 'vitest';
import { decoder, type Decoded } from '../../support/decode.ts';

const read = (match: string, line: string): Decoded | string => decoder('grok', { match })(line);

test.each<[string, string, Decoded]>([
  [
    '%{CISCOFW302013_302014_302015_302016}',
    'Teardown TCP connection 7 for outside:192.0.2.1/443 to inside:10.0.0.5/50122 duration 0:00:30 bytes 1420 TCP FINs (alice)',
    {
      ...{ action: 'Teardown', protocol: 'TCP', connection_id: '7', src_interface: 'outside', src_ip: '192.0.2.1', src_port: '443' },
      ...{
        dst_interface: 'inside',
        dst_ip: '10.0.0.5',
        dst_port: '50122',
        duration: '0:00:30',
        bytes: '1420',
        reason: 'TCP FINs',
        user: 'alice',
      },
    },
  ],
])('%s', (match, line, expected) => {
  expect(read(match, line)).toEqual(expected);
});
