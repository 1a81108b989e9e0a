import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogHeader } from '../../../../plugins/lib/header/log_header.ts';

const SPANS = ['component', 'thread', 'source', 'host', 'facility'] as const;

/** What a header has, and the words behind it. */
function partsOf(text: string, header: LogHeader, words: number): Record<string, unknown> {
  const found: Record<string, unknown> = { words: text.slice(words) };
  if (header.severity >= 0) found['severity'] = header.severity;
  if (header.pid >= 0) found['pid'] = header.pid;
  for (const name of SPANS) if (!header[name].empty) found[name] = text.slice(header[name].from, header[name].to);
  return found;
}

function read(text: string): Record<string, unknown> {
  const header = new LogHeader();
  header.begin();
  return partsOf(text, header, header.read(text, 0, text.length));
}

describe('a header', () => {
  it.each<[string, Record<string, unknown>]>([
    ['', { words: '' }],
    ['words alone', { words: 'words alone' }],
    ['INFO open', { severity: 6, words: 'open' }],
    ['[main] WARN org.example.Shop - late', { severity: 4, thread: 'main', component: 'org.example.Shop', words: 'late' }],
    ['ERROR:shop.till:no', { severity: 3, component: 'shop.till', words: 'no' }],
    ['E/Till: no', { severity: 3, component: 'Till', words: 'no' }],
    ['E! no', { severity: 3, words: 'no' }],
    ['(EE) no', { severity: 3, words: 'no' }],
    ['✗ error: no', { severity: 3, words: 'no' }],
    ['» ✖ error no', { severity: 3, words: 'no' }],
    ['!!! ERROR no', { severity: 3, words: 'no' }],
    ['*ERROR* no', { severity: 3, words: 'no' }],
    ['<<ERROR>> no', { severity: 3, words: 'no' }],
    ['[root-I 7SQ:Info] open', { severity: 6, thread: 'root-I 7SQ', words: 'open' }],
    ['[\tERROR\t] no', { severity: 3, words: 'no' }],
    ['ERROR;no', { severity: 3, words: 'no' }],
    ['[Errno 2] no', { words: '[Errno 2] no' }],
    ['* error rates', { words: '* error rates' }],
    ['E = mc2', { words: 'E = mc2' }],
    ['##[error] no', { severity: 3, words: 'no' }],
    ['##[group] no', { words: '##[group] no' }],
    ['daemon.notice shop[7]: open', { severity: 5, facility: 'daemon.notice', component: 'shop', pid: 7, words: 'open' }],
    ['box1 shop[7]: open', { host: 'box1', component: 'shop', pid: 7, words: 'open' }],
    ['35 INFO shop: open', { severity: 6, component: 'shop', pid: 35, words: 'open' }],
    ['shop[7:3]: open', { component: 'shop', pid: 7, thread: '7:3', words: 'open' }],
    ['system,error,critical no', { severity: 2, component: 'system,error,critical', words: 'no' }],
    ['pid=7 tid=ouv class=PayJob: open', { pid: 7, thread: 'ouv', component: 'PayJob', words: 'open' }],
    ['[2001:db8::1]:50122 INFO open', { severity: 6, source: '[2001:db8::1]:50122', words: 'open' }],
    // Words of a sentence are no levels.
    ['note that', { words: 'note that' }],
    ['FAIL LOGIN: x', { severity: 3, words: 'FAIL LOGIN: x' }],
  ])('%j', (text, expected) => expect(read(text)).toEqual(expected));

  it('forgets the record before', () => {
    const header = new LogHeader();
    for (const text of ['daemon.notice shop[7]: open', 'words']) {
      header.begin();
      expect(partsOf(text, header, header.read(text, 0, text.length))).toEqual(read(text));
    }
  });

  it('has parts within what it was given, and says the same of it wherever it stands', () => {
    const piece = fc.constantFrom(
      ...[
        'INFO',
        'E/',
        '[',
        ']',
        '<',
        '>',
        '(',
        ')',
        ' ',
        '  ',
        '\t',
        '|',
        ':',
        ' - ',
        'a.b.C',
        'x[7]:',
        'pid=7',
        '##[error]',
        'é',
        '7',
        'tid=',
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const header = new LogHeader();
        const words = header.read(text, 0, text.length);
        expect(words).toBeGreaterThanOrEqual(0);
        expect(words).toBeLessThanOrEqual(text.length);
        for (const name of SPANS) expect(header[name].to).toBeLessThanOrEqual(words);
        const behind = new LogHeader();
        const before = 'INFO [x] ';
        expect(partsOf(before + text, behind, behind.read(before + text, before.length, before.length + text.length))).toEqual(
          partsOf(text, header, words),
        );
      }),
    );
  });
});

describe('a level', () => {
  it.each<[string, Record<string, unknown>]>([
    ['the till said level=warn today', { severity: 4, words: 'the till said level=warn today' }],
    ['the till said "level": 30 today', { severity: 6, words: 'the till said "level": 30 today' }],
    ['till1 ERROR no', { severity: 3, component: 'till1', words: 'no' }],
    ['main ▶ ERRO 001 no', { severity: 3, words: 'main ▶ ERRO 001 no' }],
    ['x level=" ERROR"', { severity: 3, words: 'x level=" ERROR"' }],
    ['nothing', { words: 'nothing' }],
  ])('further behind: %j', (text, expected) => {
    const header = new LogHeader();
    expect(partsOf(text, header, header.readFurther(text, 0, text.length))).toEqual(expected);
  });

  it.each<[string, number]>([
    ['=INFO REPORT ', 6],
    ['[ns_server:error,', 3],
    ['a note: ', -1],
    ['', -1],
  ])('in front of the time: %j', (text, severity) => {
    const header = new LogHeader();
    header.readBefore(text, 0, text.length);
    expect(header.severity).toBe(severity);
  });
});
