import { describe, expect, it } from 'vitest';
import { ProgramHeader } from '../../../../plugins/lib/header/program_header.ts';

const header = new ProgramHeader();

/** The header that is read at the bar; the time, if there is one, begins at the caret. */
function read(marked: string): Record<string, unknown> | null {
  const time = marked.indexOf('^');
  const text = marked.replace('^', '').replace('|', '');
  const at = marked.replace('^', '').indexOf('|');
  const words = header.read(text, at, time);
  if (words < 0) return null;
  const cut = ({ from, to }: { from: number; to: number }): string => text.slice(from, to);
  const found: Record<string, unknown> = { words: header.words ?? text.slice(words), severity: header.severity };
  for (const name of ['pid', 'event', 'uptime'] as const) if (header[name] >= 0) found[name] = header[name];
  for (const name of ['component', 'source', 'thread'] as const) if (!header[name].empty) found[name] = cut(header[name]);
  return found;
}

describe('ProgramHeader', () => {
  it.each<[text: string, found: Record<string, unknown> | null]>([
    ['|info: Microsoft.Hosting.Lifetime[14]', { words: '', severity: 6, component: 'Microsoft.Hosting.Lifetime', event: 14 }],
    ['^13:07:59| warn: Shop[0] late', { words: 'late', severity: 4, component: 'Shop', event: 0 }],
    ['|ERRO[0013] no connection', { words: 'no connection', severity: 3, uptime: 13 }],
    ['^13:07:59 |ERRO[0013] no', null],
    ['|3.26.283.214 I srv      main: up', { words: 'main: up', severity: 6, uptime: 206.283214, component: 'srv' }],
    [
      '[^2021/03/05 13:07:59|,  3, pid=7, class=auth] ../a.c:12(main)',
      { words: '', severity: 5, pid: 7, component: 'auth', source: '../a.c:12(main)' },
    ],
    ['[^2021/03/05 13:07:59|, 10] x', { words: 'x', severity: 7 }],
    [
      '^2021-03-05 13:07:59| e SQLSession       a.cc(00571) : no',
      { words: 'no', severity: 3, component: 'SQLSession', source: 'a.cc(00571)' },
    ],
    ['[^3/5/21 13:07:59:250 UTC|] 0000002a Wrapper   E   no', { words: 'no', severity: 3, thread: '0000002a', component: 'Wrapper' }],
    ['[^13:07:59|] INFO     open          shop.py:12', { words: 'open', severity: 6, source: 'shop.py:12' }],
    ['|           WARNING  late', { words: 'late', severity: 4 }],
    ['|words alone', null],
    ['[^13:07:59|] words', null],
  ])('%s', (text, found) => expect(read(text)).toEqual(found));

  it("takes columns off all lines of rich's records", () => {
    const indent = ' '.repeat(20);
    expect(read(`[^13:07:59|] INFO     open  shop.py:12\n${indent}the till  `)).toEqual({
      words: 'open\nthe till',
      severity: 6,
      source: 'shop.py:12',
    });
  });

  it('forgets the record before', () => {
    read('|ERRO[0013] no');
    expect(read('|info: Shop[1]')).toEqual({ words: '', severity: 6, component: 'Shop', event: 1 });
  });
});
