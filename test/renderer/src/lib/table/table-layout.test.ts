import { describe, expect, it } from 'vitest';
import { paneSizes } from '../../../../../renderer/src/lib/table/pane-layout.ts';
import {
  columnsOf,
  dropField,
  fitColumns,
  foldedColumns,
  gridTemplate,
  keepColumn,
  putField,
  resetWidth,
  resize,
  rowWidth,
  toggleBase,
  usualFields,
  type Column,
  type ShownLayout,
  type TableFacts,
} from '../../../../../renderer/src/lib/table/table-layout.ts';

const ONE = { sources: 1, severities: 'many', time: 'full', type: null, texts: true } as const;
const TWO = { sources: 2, severities: 'many', time: 'full', type: null, texts: true } as const;
const EMPTY: ShownLayout = { fields: [], widths: {}, hidden: [], usual: false };
const keys = (columns: readonly Column[]): string[] => columns.map(({ key }) => key);

describe('columns', () => {
  it('put the chosen fields before the text, and the source only where there are several', () => {
    const layout = putField(putField(EMPTY, 'status'), 'uri');
    expect(keys(columnsOf(layout, TWO))).toEqual(['time', 'severity', 'source', 'type', 'Fields[status]', 'Fields[uri]', 'text']);
    expect(keys(columnsOf(layout, ONE))).toEqual(['time', 'severity', 'type', 'Fields[status]', 'Fields[uri]', 'text']);
  });

  it('leave severities out where no record has one', () => {
    expect(keys(columnsOf(EMPTY, { ...ONE, severities: 'none' }))).toEqual(['time', 'type', 'text']);
    expect(keys(columnsOf(EMPTY, { ...ONE, severities: 'few' }))).toEqual(['time', 'type', 'text']);
  });

  it('give a time the room for what it tells of its date', () => {
    const width = (time: 'clock' | 'day' | 'full'): number | null | undefined => columnsOf(EMPTY, { ...ONE, time })[0]?.width;
    expect([width('clock'), width('day'), width('full')]).toEqual([142, 150, 186]);
  });

  it('give the names of sources the room that they need, within bounds', () => {
    const width = (nameLength?: number): number | null | undefined => columnsOf(EMPTY, { ...TWO, nameLength })[2]?.width;
    expect([undefined, 0, 3, 13, 90].map(width)).toEqual([104, 104, 72, 113, 168]);
    const set = resize(EMPTY, columnsOf(EMPTY, TWO)[2] as Column, 300);
    expect(columnsOf(set, { ...TWO, nameLength: 3 })[2]?.width).toBe(300);
  });

  it('fold away where they say nothing, with the reason, unless someone wants them', () => {
    const layout = { ...EMPTY, fields: usualFields(['status', 'request', 'remote_addr']), usual: true };
    const facts = { sources: 1, severities: 'none', time: 'clock', type: 'logfile', texts: false } as const;
    expect(foldedColumns(layout, facts)).toEqual([
      { key: 'severity', title: 'Severity', reason: 'no record has one' },
      { key: 'source', title: 'Source', reason: 'there is only one' },
      { key: 'type', title: 'Type', reason: 'always logfile' },
      { key: 'text', title: 'Text', reason: 'the other columns repeat it' },
    ]);
    expect(keys(columnsOf(layout, facts))).toEqual(['time', 'Fields[status]', 'Fields[request]', 'Fields[remote_addr]']);
    const kept = keepColumn(keepColumn(layout, 'text'), 'type');
    expect(keys(columnsOf(kept, facts))).toEqual(['time', 'type', 'Fields[status]', 'Fields[request]', 'Fields[remote_addr]', 'text']);
    expect(toggleBase(toggleBase(kept, 'text'), 'type')).toEqual({ ...layout, kept: [] });
    expect(keys(columnsOf({ ...layout, fields: usualFields(['status']) }, facts))).toContain('text');
    expect(foldedColumns({ ...layout, hidden: ['type'] }, { ...facts, type: '' }).map(({ key }) => key)).not.toContain('type');
  });

  it('have a summary in place of type and text where the records are of several forms, and the time since the record before on request', () => {
    const mixed = { ...EMPTY, mixed: true };
    const facts = { ...TWO, type: null, texts: true };
    expect(keys(columnsOf(mixed, facts))).toEqual(['time', 'severity', 'source', 'summary']);
    expect(foldedColumns(mixed, facts).map(({ key }) => key)).toEqual(['type', 'text']);
    const plain = toggleBase(mixed, 'summary');
    expect(keys(columnsOf(plain, facts))).toEqual(['time', 'severity', 'source', 'type', 'text']);
    expect(toggleBase(plain, 'summary')).toEqual(mixed);
    const more = toggleBase(toggleBase(EMPTY, 'since'), 'summary');
    expect(keys(columnsOf(more, facts))).toEqual(['time', 'since', 'severity', 'source', 'type', 'summary', 'text']);
    expect(keys(columnsOf(toggleBase(more, 'since'), facts))).not.toContain('since');
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, readonly string[], string]>([
    ['a value that never changes', ['status', 'request', 'user'], { user: '-' }, ['status', 'request'], 'user: always -'],
    ['no value', ['status', 'request', 'user'], { user: '' }, ['status', 'request'], 'user: always empty'],
    ['a long value', ['request', 'user'], { user: 'x'.repeat(50) }, ['request'], `user: always ${'x'.repeat(40)}…`],
    ['what the records are about', ['status', 'request'], { request: 'GET /' }, ['status', 'request'], ''],
    ['fields of other records', ['status'], { other: '1', constructor: '2' }, ['status'], ''],
    ['a field with the name of a header', ['Hostname', 'user'], { Hostname: 'a' }, ['Hostname', 'user'], ''],
    ['names of built-in properties', ['constructor', 'request'], {}, ['constructor', 'request'], ''],
    ['all fields', ['status', 'user'], { status: '200', user: '-' }, [], 'status: always 200; user: always -'],
  ])('fold away fields that always say the same: %s', (_what, names, alike, shown, reasons) => {
    const layout = { ...EMPTY, fields: usualFields(names), usual: true };
    const facts = { ...ONE, texts: true, alike };
    const fields = columnsOf(layout, facts).filter(({ base }) => base === null);
    expect(fields.map(({ title }) => title)).toEqual(shown);
    const folded = foldedColumns(layout, facts).filter(({ title }) => names.includes(title));
    expect(folded.map(({ title, reason }) => `${title}: ${reason}`).join('; ')).toBe(reasons);
  });

  it('show a field that always says the same if someone wants it', () => {
    const layout = { ...EMPTY, fields: usualFields(['request', 'user']), usual: true };
    const facts = { ...ONE, alike: { user: '-' } };
    expect(keys(columnsOf(layout, facts))).not.toContain('Fields[user]');
    const kept = putField(layout, 'user');
    expect(kept.fields).toBe(layout.fields);
    expect(keys(columnsOf(kept, facts))).toContain('Fields[user]');
    expect(dropField(kept, 'user')).toEqual({ ...layout, fields: usualFields(['request']), kept: [] });
  });

  it('show the text of a table whose fields are all folded away', () => {
    const layout = { ...EMPTY, fields: usualFields(['a', 'b']), usual: true, tabular: true };
    const facts = { ...ONE, severities: 'none' as const, texts: false, type: '' };
    expect(keys(columnsOf(layout, { ...facts, alike: { a: '1' } }))).toEqual(['time', 'Fields[b]']);
    expect(keys(columnsOf(layout, { ...facts, alike: { a: '1', b: '2' } }))).toEqual(['time', 'text']);
  });

  it('leave their room to what the record is about, which stays in the narrowest window', () => {
    const layout = { ...EMPTY, fields: usualFields(['status', 'request', 'remote_addr', 'body_bytes_sent']), usual: true };
    const facts = { sources: 1, severities: 'none', time: 'day', type: 'logfile', texts: false } as const;
    const at = (width: number): Column[] => [...fitColumns(columnsOf(layout, facts), layout, width)];
    expect(gridTemplate(at(1000))).toBe('150px 64px minmax(112px, 1fr) 128px 88px');
    expect(keys(at(386))).toEqual(['time', 'Fields[status]', 'Fields[request]']);
    expect(keys(at(330))).toEqual(['time', 'Fields[status]', 'Fields[request]']);
    expect(rowWidth(at(386))).toBeLessThanOrEqual(386);
  });

  it('give the request its room before lesser fields behind it', () => {
    const layout = { ...EMPTY, fields: usualFields(['status', 'request', 'remote_addr', 'body_bytes_sent']), usual: true };
    const facts = { sources: 1, severities: 'none', time: 'clock', type: 'logfile', texts: false, fractions: false } as const;
    const at = (width: number): string[] => keys(fitColumns(columnsOf(layout, facts), layout, width)).slice(1);
    expect(at(556)).toEqual(['Fields[status]', 'Fields[request]']);
    expect(at(656)).toEqual(['Fields[status]', 'Fields[request]', 'Fields[remote_addr]']);
    expect(at(816)).toEqual(['Fields[status]', 'Fields[request]', 'Fields[remote_addr]', 'Fields[body_bytes_sent]']);
    const chosen = { ...layout, usual: false };
    expect(keys(fitColumns(columnsOf(chosen, facts), chosen, 556))).toContain('Fields[body_bytes_sent]');
  });

  it('cut long values of a field before it gives way', () => {
    const lengths = { status: 3, request: 300, remote_addr: 39, body_bytes_sent: 9 };
    const layout = { ...EMPTY, fields: usualFields(Object.keys(lengths), lengths), usual: true };
    const facts = { sources: 1, severities: 'none', time: 'clock', type: 'logfile', texts: false, fractions: false } as const;
    const at = (width: number): string => gridTemplate(fitColumns(columnsOf(layout, facts), layout, width));
    expect(at(1000)).toBe('130px 64px minmax(112px, 1fr) 240px 88px');
    expect(at(700)).toBe('130px 64px minmax(112px, 1fr) 128px 88px');
    expect(at(610)).toBe('130px 64px minmax(112px, 1fr) 128px');
  });

  it('fold a text away that the fields of a table repeat, and let the last field have the rest', () => {
    const layout = { ...EMPTY, fields: usualFields(['id', 'user', 'amount']), usual: true, tabular: true };
    const facts = { sources: 1, severities: 'none', time: 'clock', type: '', texts: false, fractions: false } as const;
    const at = (width: number): string => gridTemplate(fitColumns(columnsOf(layout, facts), layout, width));
    expect(foldedColumns(layout, facts).map(({ key }) => key)).toContain('text');
    expect(at(900)).toBe('130px 128px 128px minmax(128px, 1fr)');
    expect(at(400)).toBe('130px 128px minmax(128px, 1fr)');
    expect(foldedColumns(layout, { ...facts, texts: true }).map(({ key }) => key)).not.toContain('text');
    expect(foldedColumns({ ...layout, tabular: false }, facts).map(({ key }) => key)).not.toContain('text');
  });

  it('are as wide as the values of a table, and the widest has the rest', () => {
    const fields = usualFields(['id', 'a_long_title', 'path', 'agent', 'status'], {
      id: 3,
      a_long_title: 2,
      path: 24,
      agent: 400,
      status: 0,
    });
    expect(fields.map(({ width }) => width)).toEqual([56, 114, 193, 240, 64]);
    expect(usualFields(['request', 'body_bytes_sent'], { request: 400, body_bytes_sent: 4 }).map(({ width }) => width)).toEqual([288, 88]);
    const layout = { ...EMPTY, fields: fields.filter(({ name }) => name !== 'agent'), usual: true, tabular: true };
    const facts = { sources: 1, severities: 'none', time: 'clock', type: '', texts: false, fractions: false } as const;
    expect(gridTemplate(fitColumns(columnsOf(layout, facts), layout, 900))).toBe('130px 56px 114px minmax(193px, 1fr) 64px');
    const more = putField(layout, 'agent', { agent: 20 });
    expect(more.fields.at(-1)).toEqual({ name: 'agent', width: 164 });
    const [column] = columnsOf(more, facts).filter(({ title }) => title === 'agent') as [Column];
    expect(resetWidth(resize(more, column, 500), column, { agent: 20 }).fields.at(-1)?.width).toBe(164);
  });

  it('say where a record was logged as long as its text has room', () => {
    const layout = { ...EMPTY, fields: usualFields(['Logger', 'thread']), usual: true };
    const facts = { ...ONE, time: 'clock', type: '' } as const;
    const at = (width: number): string[] => keys(fitColumns(columnsOf(layout, facts), layout, width)).slice(2, -1);
    expect(at(816)).toEqual(['Logger', 'Fields[thread]']);
    expect(at(700)).toEqual(['Logger']);
    expect(at(600)).toEqual([]);
  });

  it('keep what names the program, rather than the host', () => {
    const layout = { ...EMPTY, fields: usualFields(['Hostname', 'programname']), usual: true };
    const at = (width: number): string[] => keys(fitColumns(columnsOf(layout, { ...ONE, time: 'clock' }), layout, width));
    expect(at(800)).toEqual(expect.arrayContaining(['Hostname', 'Fields[programname]']));
    expect(at(560)).toContain('Fields[programname]');
    expect(at(560)).not.toContain('Hostname');
  });

  it('come and go', () => {
    const layout = putField(putField(EMPTY, 'a'), 'a');
    expect(layout.fields.length).toBe(1);
    expect(dropField(layout, 'a')).toEqual({ ...EMPTY, kept: [] });
    expect(keys(columnsOf(toggleBase(EMPTY, 'type'), TWO))).not.toContain('type');
    expect(toggleBase(toggleBase(EMPTY, 'type'), 'type')).toEqual(EMPTY);
  });

  it('have widths within bounds, and get their first one back', () => {
    const [time] = columnsOf(EMPTY, ONE);
    const field = columnsOf(putField(EMPTY, 'a'), ONE).find(({ base }) => base === null);
    if (time === undefined || field === undefined) throw new Error('no column');
    expect(resize(EMPTY, time, 5).widths).toEqual({ time: 48 });
    expect(resetWidth(resize(EMPTY, time, 300), time)).toEqual(EMPTY);
    expect(resize(putField(EMPTY, 'a'), field, 77.6).fields).toEqual([{ name: 'a', width: 78 }]);
    expect(resetWidth(resize(putField(EMPTY, 'a'), field, 77), field)).toEqual(putField(EMPTY, 'a'));
  });

  it('that take the rest have a width when someone gives them one', () => {
    const layout: ShownLayout = { ...EMPTY, usual: false, fields: ['request', 'status'].map((name) => ({ name, width: 70 })) };
    const facts = { ...ONE, texts: false };
    const widthsOf = (of: ShownLayout): (number | null)[] =>
      fitColumns(columnsOf(of, facts), of, 1200).flatMap(({ base, width }) => (base === null ? [width] : []));
    const request = (of: ShownLayout): Column => columnsOf(of, facts).find(({ title }) => title === 'request') as Column;
    expect(widthsOf(layout)).toEqual([null, 70]);
    const sized = { ...layout, ...resize(layout, request(layout), 500) };
    expect(widthsOf(sized)).toEqual([500, null]);
    const again = { ...sized, ...resize(sized, request(sized), 90) };
    expect(widthsOf(again)).toEqual([90, null]);
    expect(widthsOf({ ...again, ...resetWidth(again, request(again)) })).toEqual([null, 70]);
  });

  it('give way to the text in a narrow window, unless someone set their width', () => {
    const wide = columnsOf(EMPTY, { ...TWO, time: 'clock' });
    expect(fitColumns(wide, EMPTY, 1200)).toEqual(wide);
    expect(fitColumns(wide, EMPTY, 0)).toEqual(wide);
    expect(keys(fitColumns(wide, EMPTY, 450))).toEqual(['time', 'severity', 'text']);
    expect(rowWidth(fitColumns(wide, EMPTY, 450))).toBeLessThanOrEqual(450);
    const sized = { ...EMPTY, ...resize(EMPTY, wide[2] as Column, 200) };
    expect(keys(fitColumns(columnsOf(sized, { ...TWO, time: 'clock' }), sized, 450))).toContain('source');
  });

  it('show time, severity and text in the narrowest window, with less of each', () => {
    const columns = columnsOf(EMPTY, { ...TWO, time: 'day' });
    const at = (width: number): Column[] => [...fitColumns(columns, EMPTY, width)];
    expect(gridTemplate(at(460))).toBe('150px 88px minmax(216px, 1fr)');
    expect(gridTemplate(at(348))).toBe('150px 76px minmax(112px, 1fr)');
    const sized = { ...EMPTY, ...resize(EMPTY, columns[1] as Column, 120) };
    expect(gridTemplate(fitColumns(columnsOf(sized, { ...TWO, time: 'day' }), sized, 400))).toBe('150px 120px minmax(112px, 1fr)');
    // Where that does not help, the table scrolls with its usual widths.
    expect(gridTemplate(at(200))).toBe('150px 88px minmax(216px, 1fr)');
  });

  it('leave the type out where the text would be short, unless someone wants it', () => {
    const columns = columnsOf(EMPTY, { ...TWO, time: 'day' });
    expect(keys(fitColumns(columns, EMPTY, 900))).toEqual(['time', 'severity', 'source', 'type', 'text']);
    expect(keys(fitColumns(columns, EMPTY, 800))).toEqual(['time', 'severity', 'source', 'text']);
    expect(keys(fitColumns(columns, { ...EMPTY, kept: ['type'] }, 800))).toContain('type');
    expect(keys(fitColumns(columns, { ...EMPTY, widths: { type: 90 } }, 800))).toContain('type');
  });

  it('have narrower times where they are whole seconds', () => {
    const width = (time: TableFacts['time'], fractions: boolean): number | null | undefined =>
      columnsOf(EMPTY, { ...ONE, time, fractions })[0]?.width;
    for (const time of ['clock', 'day', 'full'] as const) expect(width(time, false)).toBeLessThan(width(time, true) ?? 0);
  });

  it('give up fields that nobody chose, the last one first', () => {
    const layout = { ...EMPTY, fields: usualFields(['status', 'request', 'remote_addr', 'body_bytes_sent']), usual: true };
    const at = (width: number): string[] => keys(fitColumns(columnsOf(layout, { ...ONE, time: 'clock' }), layout, width));
    expect(at(1400)).toEqual(keys(columnsOf(layout, { ...ONE, time: 'clock' })));
    expect(at(760)).toEqual(['time', 'severity', 'Fields[status]', 'Fields[request]', 'text']);
    expect(at(512)).toEqual(['time', 'severity', 'Fields[status]', 'text']);
    expect(at(420)).toEqual(['time', 'severity', 'text']);
    const chosen = { ...layout, usual: false };
    expect(keys(fitColumns(columnsOf(chosen, { ...ONE, time: 'clock' }), chosen, 400))).toContain('Fields[body_bytes_sent]');
  });

  it('become a grid in which the text takes the rest', () => {
    expect(gridTemplate(columnsOf(EMPTY, ONE))).toMatch(/^186px 88px 112px minmax\(\d+px, 1fr\)$/);
  });
});

describe('paneSizes', () => {
  it.each([
    [1380, true, true, { sources: 248, inspector: 320 }],
    [840, true, true, { sources: 200, inspector: 240 }],
    [700, true, true, { sources: 248, inspector: 0 }],
    [840, false, true, { sources: 0, inspector: 320 }],
    [840, true, false, { sources: 248, inspector: 0 }],
    [500, false, false, { sources: 0, inspector: 0 }],
  ])('in %d pixels, sources %s, inspector %s', (width, sources, inspector, expected) => {
    expect(paneSizes(width, { size: 248, open: sources }, { size: 320, open: inspector })).toEqual(expected);
  });

  it('keeps wishes within bounds', () => {
    expect(paneSizes(5000, { size: 9, open: true }, { size: 9999, open: true })).toEqual({ sources: 184, inspector: 720 });
  });
});
