import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const asa = (text: string): string => `Mar  5 2021 13:07:59 fw1 : %ASA-${text}`;

test.each(['aws_access', 'envoy_access', 'android_logcat', 'cisco', 'zeek'])('%s takes any text', (name) => {
  const decode = decoder(
    name,
    name === 'aws_access' ? { format: 's3' } : name === 'zeek' ? { fields: 'ts a', types: 'time set[count]' } : {},
  );
  const samples = [
    '79a5 b [05/Mar/2021:13:07:59 +0000] 192.0.2.3 - 3E57 REST.GET.OBJECT k "GET / HTTP/1.1" 200 - 1 1 1 1 "-" "x"',
    '[2021-03-05T13:07:59.250Z] "GET / HTTP/2" 204 - 154 0 226 100 "-" "u" "i" "h" "10.0.35.28:80"',
    '03-05 13:07:59.250  1234  5678 W T: x',
    asa('6-302013: Built outbound TCP connection 7 for outside:192.0.2.1/443 to inside:10.0.0.5/50122'),
    '1614949679.25\t1,2',
  ];
  const damaged = fc.tuple(fc.constantFrom(...samples), fc.nat(150), fc.nat(9), fc.string({ maxLength: 5 }));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        damaged.map(([text, at, cut, more]) => text.slice(0, at) + more + text.slice(at + cut)),
      ),
      (text) => {
        const read = decode(text);
        expect(typeof read === 'string' ? /^refused: .|^passed on$/.test(read) : typeof read).toBe(
          typeof read === 'string' ? true : 'object',
        );
      },
    ),
  );
});
