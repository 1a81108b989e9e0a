import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNetworks } from '../../../engine/base/text/networks.ts';
import { readList } from '../../../engine/lookup/list.ts';

const NETWORKS = `\ufeff# from the inventory
network,site,vlan, owner
10.0.0.0/8,all,,
10.20.0.0/16,"Berlin, east",20,ops
10.20.30.0/24,"said ""lab""
of two lines",30,

2001:db8::/32,six,7,ops
db1.example.org , text , 9 , dba
10.20.30.41,host,0,web
`;

describe('a list', () => {
  const list = readList(NETWORKS, 'nets.csv');
  it.each([
    ['10.1.2.3', 'all', null],
    ['10.20.1.1', 'Berlin, east', 20],
    ['10.20.30.40', 'said "lab"\nof two lines', 30],
    ['10.20.30.41', 'host', 0],
    ['::ffff:10.20.30.41', 'host', 0],
    ['2001:DB8::7', 'six', 7],
    ['db1.example.org', 'text', 9],
    ['DB1.example.org', null, null],
    ['192.0.2.1', null, null],
    ['', null, null],
  ])('has for %s the longest prefix', (key, site, vlan) => {
    expect([list.has(key), list.column('site')(key), list.column('vlan')(key)]).toEqual([site !== null, site, vlan]);
  });

  it('has its keys as a column, too', () => {
    expect(list.column('network')('10.20.9.9')).toBe('10.20.0.0/16');
  });

  it('says which column is near', () => {
    expect(() => list.column('sites')).toThrow('nets.csv has no column sites: did you mean site?');
  });
});

it.each([
  ['addresses alone need no header', '10.0.0.1\n::1\r\n', { '10.0.0.1': '10.0.0.1', '::1': '::1', '::2': null }, 'column_1'],
  ['of the same key the last row counts', 'id,name\n1,a\n1,b\n', { 1: 'b', 2: null }, 'name'],
  ['a header alone is a list of nothing', 'id,name', { id: null }, 'name'],
  ['numbers in another form than programs write are texts', 'id,zip code\na,01234\n', { a: '01234' }, 'zip_code'],
])('%s', (_name, text, values, column) => {
  const find = readList(text, 'f.csv').column(column);
  expect(Object.fromEntries(Object.keys(values).map((key) => [key, find(key)]))).toEqual(values);
});

it.each([
  ['k,a\nx,1\ny,1,2\n', 'f.csv:3: the row has 3 cells, and the first one has 2'],
  [
    'k,a\n10.0.0.0/33,1\nx,1,1\nz,1,1\n',
    'f.csv:2: 10.0.0.0/33 is no network: the number behind the slash is 0 to 32; 2 more rows are broken',
  ],
  ['10.0.0.256\n', 'f.csv:1: 10.0.0.256 is no network: an address is written'],
  ['k,a\n"x,1\ny,2\n', 'f.csv:2: a quote is not closed'],
  ['k,a\nx,"1"2\n', 'f.csv:2: a quote is not closed, or stands inside of a cell'],
  ['k,a\n"a\nb",1\n,1\n', 'f.csv:4: the first cell of the row is empty'],
  ['k,a,a\n', 'f.csv:1: there are two columns a'],
])('a broken row is told with its line: %j', (text, message) => {
  expect(() => readList(text, 'f.csv')).toThrow(message);
});

it('has a limit of rows', () => {
  expect(readList('k\na\nb\n', 'f.csv', 2).has('b')).toBe(true);
  expect(() => readList('k\na\nb\nc\n', 'f.csv', 2)).toThrow('f.csv:4: a list has 2 rows at most');
});

it('has for an address what the longest of its networks has', () => {
  const v4 = fc.tuple(fc.constantFrom('10.0.0.1', '10.0.128.7', '10.1.0.0', '192.0.2.255'), fc.integer({ min: 0, max: 32 }));
  const v6 = fc.tuple(fc.constantFrom('2001:db8::1', '2001:db8:8000::', '::1', 'fe80::ffff'), fc.integer({ min: 0, max: 128 }));
  const networks = fc.array(fc.oneof(v4, v6), { minLength: 1, maxLength: 12 });
  const addresses = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom('10.0.0.1', '10.0.128.1', '10.1.2.3', '2001:db8::9', '2001:db8:8000::1', '::2'),
  );
  fc.assert(
    fc.property(networks, addresses, (listed, address) => {
      const find = readList(listed.map((network) => network.join('/')).join('\n'), 'f.csv').column('column_1');
      const having = listed
        .filter((network) => parseNetworks(network.join('/')).contains(address, 0, address.length))
        .map(([, length]) => length);
      const found = find(address);
      expect(found === null ? null : Number(String(found).split('/')[1])).toBe(having.length === 0 ? null : Math.max(...having));
    }),
    { numRuns: 300 },
  );
});
