import { expect, test } from 'vitest';
import type { Field, PlainMessage } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';
import { tick } from '../support/worked.ts';

test('message_schema', () => {
  const plugin = startPlugin('filters/message_schema.ts');
  const see = (headers: Partial<PlainMessage>, ...Fields: Field[]): void => {
    plugin.process({ Timestamp: 0n, ...headers, Fields });
  };
  const L1 = { Logger: 'L1', Type: 'T1', EnvVersion: '1' };
  see(L1, { name: 'a', value: [1] }, { name: 'b', value: ['x'] });
  see(L1, { name: 'a', value: ['x'] });
  see({ Logger: 'L1' }, { name: 'c', value: [true] }, { name: 'd', value: [1], value_type: 2 }, { name: 'e', value: ['x'], value_type: 1 });
  see({ Type: 'T2' }, { name: 'a', value: [1] }, { name: 'a', value: [2] });
  const text = [
    '-no logger- [1]',
    '    T2 [1]',
    '         -no version- [1]',
    '            a (number - optional [2])',
    'L1 [3]',
    '    -no type- [1]',
    '         -no version- [1]',
    '            c (bool)',
    '            d (number)',
    '            e (string)',
    '    T1 [2]',
    '         1 [2]',
    '            a (mismatch)',
    '            b (string - optional [1])',
    '',
  ];
  expect(tick(plugin)[0]?.[2].split('\n').slice(3)).toEqual(text);
});
