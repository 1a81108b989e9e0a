import { describe, expect, test } from 'vitest';
import { checkTests, misfit, parse_config, type AnomalyTest } from '../../../plugins/base/anomaly_config.ts';

describe('configurations', () => {
  test('by graph, in order', () => {
    const { tests } = parse_config('roc("A",1,12,0,2.5,true,false)mww("B",1,2,3,0.01,any)\n roc("A",2,12,0,2.5,false,true)');
    expect(tests.get('A')).toEqual([
      { algorithm: 'roc', col: 1, win: 12, hwin: 0, sd: 2.5, loss_of_data: true, start_of_data: false },
      { algorithm: 'roc', col: 2, win: 12, hwin: 0, sd: 2.5, loss_of_data: false, start_of_data: true },
    ]);
    expect(tests.get('B')).toEqual([{ algorithm: 'mww', col: 1, win: 2, nwin: 3, pvalue: 0.01, trend: 'any' }]);
  });

  test('quotes in names are doubled', () => {
    const { tests } = parse_config('  mww_nonparametric("A ""q"", (x)\n",\t1, 5, 010, 0.7)');
    expect([...tests]).toEqual([['A "q", (x)\n', [{ algorithm: 'mww_nonparametric', col: 1, win: 5, nwin: 10, pstat: 0.7 }]]]);
  });

  test('white space is of any kind, and numbers may begin with zeros', () => {
    const { tests } = parse_config('\f\vroc("""",\f01,\v012,\r00,\n02.50,\ttrue, false)mww("B",1,2,3,5,any)');
    expect(tests.get('"')).toEqual([{ algorithm: 'roc', col: 1, win: 12, hwin: 0, sd: 2.5, loss_of_data: true, start_of_data: false }]);
    expect(tests.get('B')?.[0]).toMatchObject({ pvalue: 5 });
  });

  test.each([null, undefined])('of %j have no tests', (text) => {
    expect(parse_config(text)).toEqual({ tests: new Map(), lastRun: new Map() });
  });

  test.each([
    '',
    ' ',
    'bogus',
    'mww_nonparametric("A",1,5,10,1)',
    'mww_nonparametric("A",1,5,10,00.5)',
    'roc("A", 1, 12, 0, 2.5, true)',
    'roc("A" ,1,12,0,1,true,false)',
    'roc( "A",1,12,0,1,true,false)',
    'roc("",1,12,0,1,true,false)',
    "roc('A',1,12,0,1,true,false)",
    'roc("A",1,12,0,-1,true,false)',
    'roc("A",1,12,0,1.,true,false)',
    'roc("A",1,12,0,1,true,false) ',
    'roc("A",1,12,0,1,true,false),roc("A",1,12,0,1,true,false)',
    'mww("B",1,2,3,.01,any)',
    'mww("B",1,2,3,1,ANY)',
    'roc("A",1,12,0,1,TRUE,false)',
    'roc("A"",1,12,0,1,true,false)',
    'roc ("A",1,12,0,1,true,false)',
    'roc("A",1.5,12,0,1,true,false)',
    'roc("A",1,12,0,1,true,false )',
    'mww("A",1,2,3,1e-5,any)',
    'mww_nonparametric("A",1,2,3,0.)',
    'mww_nonparametric("A",1,2,3,00.5)',
    '\u00a0roc("A",1,12,0,1,true,false)',
  ])('%j is none', (text) => {
    expect(() => parse_config(text)).toThrow(/^anomaly_config: .* expected at character \d+ of: /);
  });
});

describe('tests that a graph can never have', () => {
  const roc = (over: object): AnomalyTest => ({
    algorithm: 'roc',
    col: 1,
    win: 5,
    hwin: 0,
    sd: 2,
    loss_of_data: true,
    start_of_data: false,
    ...over,
  });

  test.each<[AnomalyTest, string | null]>([
    [roc({}), null],
    [roc({ col: 2 }), null],
    [roc({ col: 0 }), 'column 0 out of range: columns count from 1'],
    [roc({ col: 3 }), 'column 3 out of range: the graph has 2'],
    [roc({ win: 0 }), 'a window needs at least one row'],
    [roc({ win: 6 }), null],
    [roc({ win: 7 }), 'the windows do not fit into the graph: they need 22 rows, and it has 20'],
    [roc({ hwin: 9 }), null],
    [roc({ hwin: 10 }), 'the windows do not fit into the graph: they need 21 rows, and it has 20'],
    [roc({ hwin: 4 }), 'the historical window of 4 rows is shorter than the window of 5'],
    [{ algorithm: 'mww', col: 1, win: 6, nwin: 3, pvalue: 0.1, trend: 'any' }, null],
    [
      { algorithm: 'mww_nonparametric', col: 1, win: 5, nwin: 4, pstat: 0.1 },
      'the windows do not fit into the graph: they need 21 rows, and it has 20',
    ],
  ])('%j', (anomaly, reason) => expect(misfit(anomaly, { rows: 20, columns: 2 })).toBe(reason));

  test('fit a graph of unknown size', () => expect(misfit(roc({ col: 99, win: 1e6 }), {})).toBeNull());

  test('are told as they were written', () => {
    const config = parse_config('roc("A", 1, 5, 0, 2, true, false)mww("B ""q""", 9, 1, 2, 0.5, any)mww_nonparametric("C", 1, 1, 2, 0.5)');
    const check = (known: readonly string[]) => (): void =>
      checkTests(config, (name) => (known.includes(name) ? { rows: 20, columns: 2 } : null), known);
    expect(check(['A', 'B "q"', 'C'])).toThrow('anomaly_config: mww("B ""q""", 9, 1, 2, 0.5, any): column 9 out of range: the graph has 2');
    expect(check(['A'])).toThrow('there is no such graph, only "A"');
    expect(check([])).toThrow('anomaly_config: roc("A", 1, 5, 0, 2, true, false): there is no such graph');
  });
});
