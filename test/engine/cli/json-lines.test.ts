import { describe, expect, it } from 'vitest';
import { parseJsonLine } from '../../../engine/cli/json-lines.ts';

describe('parseJsonLine', () => {
  it.each<[string, unknown]>([
    ['{"timer":"1614949679000000001"}', 1614949679000000001n],
    [' { "timer" : -5 } ', -5n],
    ['{"Payload":"x","Timestamp":"7"}', expect.objectContaining({ payload: 'x', timestamp: 7n })],
    ['{"timer":1614949679000000001}', 1614949679000000001n],
    ['{"timer":-9223372036854775808}', -(2n ** 63n)],
    ['{"timer":"9223372036854775807"}', 2n ** 63n - 1n],
    ['{"timer":1.5e18}', 1_500_000_000_000_000_000n],
    ['{"timer":"5","Payload":"x"}', 5n],
    ...['"soon"', '""', '"1.5"', '1.5', '1e300', '9223372036854775808', '-9999999999999999999', 'null', 'true', '[1]', '{}'].map(
      (time): [string, unknown] => [`{"timer":${time}}`, 'timer: nanoseconds since 1970 or a date are expected'],
    ),
    ['{"Payload":"{\\"timer\\":1}"}', expect.objectContaining({ payload: '{"timer":1}' })],
    ['nonsense', expect.stringContaining('JSON')],
    ['[1]', expect.any(String)],
  ])('%s', (line, expected) => expect(parseJsonLine(line)).toEqual(expected));
});
