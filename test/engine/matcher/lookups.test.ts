import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useLookups } from '../../../engine/lookup/folder.ts';
import { compileExpression } from '../../../engine/matcher/expression.ts';
import { MatcherError } from '../../../engine/matcher/errors.ts';
import { ValueType, type Field, type Message } from '../../../engine/message/types.ts';
import { mmdbOf } from '../lookup/mmdb-writer.ts';
import { batchOf, uuid } from './messages.ts';

const folder = mkdtempSync(join(tmpdir(), 'lookups-'));
const put = (name: string, content: string | Buffer): void => writeFileSync(join(folder, name), content);
beforeAll(() => {
  put('blocked.csv', '10.0.0.0/8\n2001:db8::/32\n');
  put('hosts.csv', 'name,owner,rack,room\nweb1,ops,7,\ndb1,dba,12,north\n');
  put('users.csv', 'uid,name\n0,root\n1000,ann\ntrue,yes\n');
  put(
    'geo-city.mmdb',
    mmdbOf({
      '10.0.0.0/8': { country: { iso_code: 'DE' }, asn: 3320, as: { net: '10.9.0.1' } },
      '192.0.2.0/24': { country: { iso_code: 'FR' } },
    }),
  );
  useLookups(folder);
});
afterAll(() => {
  useLookups(null);
  rmSync(folder, { recursive: true });
});

const text = (name: string, ...values: string[]): Field => ({ name, valueType: ValueType.STRING, values });
const message = (hostname: string, ...fields: Field[]): Message => ({
  uuid: uuid('0f6a1c2e-1111-4222-8333-944455556666'),
  timestamp: 0n,
  type: '',
  hostname,
  fields,
});
const UID = { name: 'uid' } as const;
const MESSAGES = [
  message('web1', text('addr', '10.1.2.3'), { ...UID, valueType: ValueType.INTEGER, values: [0n] }),
  message('db1', text('addr', '192.0.2.9', '10.0.0.1'), { ...UID, valueType: ValueType.DOUBLE, values: [1000] }),
  message('mail', text('addr', '198.51.100.1'), { ...UID, valueType: ValueType.BOOL, values: [true] }),
  message('web1', text('addr', 'none'), { ...UID, valueType: ValueType.BYTES, values: [Buffer.from('1000')] }),
  message('', text('other', '10.1.2.3')),
];

const CASES: readonly (readonly [expression: string, rows: readonly number[]])[] = [
  ['Fields[addr] in @blocked', [0]],
  ['Fields[addr] not in @blocked', [1, 2, 3]],
  ['Fields[addr][0][1] in @blocked', [1]],
  ["Fields[addr]@geo-city.country == 'DE'", [0]],
  ["Fields[addr]@geo-city.country != 'DE'", [1]],
  ["Fields[addr]@geo-city.country =~ /^[DF]/ && Hostname != 'db1'", [0]],
  ['Fields[addr]@geo-city.country == NIL', [2, 3, 4]],
  ['Fields[addr]@geo-city.country != NIL', [0, 1]],
  ['Fields[addr]@geo-city.asn >= 3000', [0]],
  ["Fields[addr]@geo-city.asn == '3320'", []],
  ['Fields[addr]@geo-city.as.net in 10.9.0.0/8', [0]],
  ["Hostname@hosts.owner == 'ops'", [0, 3]],
  ['Hostname@hosts.rack > 7', [1]],
  ['Hostname@hosts.room == NIL', [0, 2, 3, 4]],
  ['Hostname not in @hosts', [2, 4]],
  ["Fields[uid]@users.name == 'root'", [0]],
  ["Fields[uid]@users.name == 'ann' || Fields[uid]@users.name == 'yes'", [1, 2, 3]],
  ['Fields[uid] in @users', [0, 1, 2, 3]],
  ['Fields[uid]@users.name == NIL', [4]],
  ['addr in @blocked', [0]],
  ['addr not in @blocked', [1, 2, 3, 4]],
  ['-addr in @blocked Hostname:mail', [2]],
  ['addr@geo-city.country:DE', [0]],
  ['addr@geo-city.country == DE', [0]],
  ['addr@geo-city.country:(DE or FR)', [0, 1]],
  ['addr@geo-city.country in (DE, FR) -Hostname@hosts.owner:ops', [1]],
  ['addr@geo-city.asn:33xx', [0]],
  ['-addr@geo-city.country:DE', [1, 2, 3, 4]],
  ['addr@geo-city.country:*', [0, 1]],
  ['Hostname@hosts.room:nor*', [1]],
];

describe('lookups in expressions', () => {
  it.each(CASES)('%s', (expression, rows) => {
    const matcher = compileExpression(expression);
    expect([...MESSAGES.keys()].filter((row) => matcher.matches(MESSAGES[row] as Message))).toEqual(rows);
    expect([...(matcher.select(batchOf(MESSAGES)) ?? MESSAGES.keys())]).toEqual(rows);
    expect(MESSAGES.map((one) => (matcher.select(batchOf([one]))?.length === 0 ? 0 : 1))).toEqual(
      MESSAGES.map((_, row) => (rows.includes(row) ? 1 : 0)),
    );
  });

  it.each([
    ["Fields[addr]@geo.country == 'DE'", 'column 14: there is no lookup geo in '],
    ["Fields[addr]@geo-citi.country == 'DE'", 'did you mean geo-city?'],
    ["Fields[addr]@geo-city.countri == 'DE'", 'did you mean country?'],
    ["Hostname@hosts.ownr == 'ops'", 'did you mean owner?'],
    ['Fields[addr]@geo-city == NIL', 'column 14: expected a lookup and its column'],
    ['Fields[addr] in @blockd', 'column 18: there is no lookup blockd in '],
    ['addr in @blockd', 'column 10: there is no lookup blockd in '],
    ['addr@geo-city.countri:DE', 'did you mean country?'],
    ['Severity@hosts.rack == 7', "column 9: expected a comparison, found '@hosts.rack'"],
    ['Pid in @users', 'Pid is a number'],
    ['Fields[addr]@hosts.owner@hosts.rack == 7', 'column 25: expected a comparison'],
  ])('%s is refused', (expression, said) => {
    expect(() => compileExpression(expression)).toThrow(MatcherError);
    expect(() => compileExpression(expression)).toThrow(said);
  });

  it('without lookups, what looks like one is text', () => {
    useLookups(null);
    try {
      const found = message('', text('message', 'Cloning git@github.com:org/repo'));
      expect(compileExpression('git@github.com:org/repo').matches(found)).toBe(true);
      expect(() => compileExpression('Fields[addr] in @blocked')).toThrow(
        'no folder of lookups is given: commands have the option --lookups DIR',
      );
    } finally {
      useLookups(folder);
    }
  });
});
