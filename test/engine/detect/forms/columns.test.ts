import { expect, it } from 'vitest';
import { columns } from '../../../../engine/detect/forms/columns.ts';
import { Head } from '../../../../engine/detect/forms/head.ts';

const found = (text: string) => columns(new Head(text));

it.each<[what: string, text: string, config: object]>([
  ['commas', 'a,n\nx,1\ny,2\n', { header: 'a,n', delimiter: ',' }],
  ['tabs', 'a\tn\nx\t1\ny\t2\n', { header: 'a\tn', delimiter: 'tab' }],
  ['semicolons', 'a;n\nx;1\ny;2\n', { header: 'a;n', delimiter: ';' }],
  ['bars', 'a|n\nx|1\ny|2\n', { header: 'a|n', delimiter: '|' }],
  ['values in quotes', 'a,n\n"x, y",1\n"z ""q""",2\n', { header: 'a,n', delimiter: ',' }],
  ['a line that names the delimiter', 'sep=;\na;n\nx;1\ny;2\n', { header: 'a;n', delimiter: ';' }],
  ['comments', '# made by hand\n# today\na,n\nx,1\ny,2\n', { header: 'a,n', delimiter: ',' }],
  ['titles', 'Report: sales\nMade: today\n\na,b,n\nx,y,1\ny,z,2\n', { header: 'a,b,n', delimiter: ',' }],
  ['a column without a name', ',a,n\n0,x,1\n1,y,2\n', { header: ',a,n', delimiter: ',' }],
  ['a header that is a comment', '#a,n\nx,1\ny,2\n', { header: '#a,n', delimiter: ',' }],
])('%s', (_what, text, config) => expect(found(text).at(-1)?.config).toMatchObject(config));

it.each([
  ['no column of numbers or dates', 'a,b\nx,y\nz,w\n'],
  ['a single record', 'a,n\nx,1\n'],
  ['names that are alike', 'a,a\nx,1\ny,2\n'],
  ['names that are none', '1,2\n3,4\n5,6\n'],
  ['rows of other widths', 'a,n\nx,1,2\ny,2,3\n'],
  ['columns without names', 'a,,\nx,1,2\ny,2,3\n'],
  ['one column', 'n\n1\n2\n'],
  ['nothing', ''],
])('%s: none', (_what, text) => expect(found(text)).toEqual([]));

it('tries no header again that comes once more', () => {
  expect(found('a,n\nx,1\na,n\ny,2\nz,3\n')[0]?.records).toEqual(['x,1', 'y,2', 'z,3']);
});

it('rows of a log may have commas too many', () => {
  const rows = Array.from({ length: 10 }, (_, i) => `2021-03-05T13:07:0${i}Z,info,a${i < 4 ? ',b' : ''}\n`).join('');
  expect(found(`time,level,message\n${rows}`)[0]?.records).toHaveLength(6);
  expect(found(`start,kind,message\n${rows}`)).toEqual([]);
});
