import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AllRequests } from '../engine/api/types.ts';

/** A request as a page that was taken over would send it. */
interface HostileRequest {
  readonly what: string;
  readonly input: unknown;
  /** The code with which it is refused; null: it is answered, and does no harm. */
  readonly code: string | null;
}

/** Files outside of the workspace that a hostile page is after. */
export interface Prey {
  readonly folder: string;
  /** A file whose text no answer may hold. */
  readonly secret: string;
  /** A script that must not run, be read or be changed. */
  readonly script: string;
  /** A file that exists when a command has run. */
  readonly marker: string;
}

const SECRET = 'the-secret-of-somebody-else';
const SCRIPT = `export function process_message() { return -1; } // ${SECRET}\n`;

export function layPrey(): Prey {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-prey-'));
  const prey = { folder, secret: join(folder, 'secret.txt'), script: join(folder, 'foreign.js'), marker: join(folder, 'marker') };
  writeFileSync(prey.secret, `${SECRET}\n`);
  writeFileSync(prey.script, SCRIPT);
  return prey;
}

/** Links in the folder of scripts that lead to the prey. */
export function layLinks(scripts: string, { secret, script, folder }: Prey): void {
  mkdirSync(scripts, { recursive: true, mode: 0o700 });
  symlinkSync(secret, join(scripts, 'leak.ts'));
  symlinkSync(script, join(scripts, 'leak.js'));
  symlinkSync(folder, join(scripts, 'away'));
  writeFileSync(join(scripts, 'mine.js'), 'export function process_message() { return 0; }\n');
  symlinkSync(secret, join(scripts, 'mine.js.new'));
}

/** Harm that was done to the prey, in words; empty: it is as it was. */
export function harmTo({ secret, script, marker }: Prey, answers: readonly unknown[]): string[] {
  return [
    ...(readFileSync(secret, 'utf8') === `${SECRET}\n` ? [] : ['the secret file was changed']),
    ...(readFileSync(script, 'utf8') === SCRIPT ? [] : ['the foreign script was changed']),
    ...(existsSync(marker) ? ['a command ran'] : []),
    ...answers.map((answer) => JSON.stringify(answer)).filter((text) => text.includes(SECRET)),
  ];
}

const LIMITS = { memory: 8_388_608, instructions: 1_000_000, output: 64_512 };
const UNREAD = { at: 0, before: 0, count: 1, columns: [], query: {} };
const KEPT_FILTER = { kind: 'text', text: 'a', label: 'a', caseSensitive: false, out: false, enabled: true };
const INCIDENT = { title: '', summary: '', from: null, to: null, difference: null };
const INCIDENT_EXPORT = {
  ...{ form: 'html', anonymise: false, words: [], around: 5, columns: [], charts: [], ask: false, zone: 'utc', window: {} },
};
const RECORD_GRAPH = { id: 1, title: 'a', measure: 'records', variable: null, unit: '', any: false, filters: [KEPT_FILTER] };
const HIGHLIGHTER = { name: 'a', kind: 'text', text: 'a', field: '', caseSensitive: false, word: false, color: 0, enabled: true };
const FILTER = { name: 'evil', script: 'http_status', bundled: true, matcher: 'TRUE', ticker: 0, config: {}, inputs: null, limits: LIMITS };
const SAVE = { name: 'evil.js', path: null, text: '// nothing', apply: false, keepState: true };
const TRIAL = { kind: 'filter', text: '', path: null, typed: false, source: 1, matcher: 'TRUE', config: {}, limits: LIMITS, records: 1 };

/**
 * Hostile inputs for every request of the window. `source` is the number of a source, `scripts` the folder of the workspace's scripts. A request without an
 * entry does not pass the type check, and an empty one not the tests.
 */
export function hostileRequests(
  prey: Prey,
  source: number,
  scripts: string,
): { readonly [N in keyof AllRequests]: readonly HostileRequest[] } {
  const more = { what: 'a member too many', input: { path: prey.secret }, code: 'request.invalid' };
  const because =
    (code: string | null) =>
    (what: string, input: unknown): HostileRequest => ({ what, input, code });
  const invalid = because('request.invalid');
  const noSource = (name: string): HostileRequest[] => [
    { what: `${name} of no source`, input: { id: 999 }, code: 'source.unknown' },
    { what: `${name} by a path`, input: { id: prey.secret }, code: 'request.invalid' },
    { what: `${name} by a broken number`, input: { id: 1e308 }, code: 'request.invalid' },
  ];
  const noView = { view: 999 };
  const measure = { measures: ['count'], of: null, by: ['Type'], over: null, limit: 10 };
  const operations = { variable: 'Pid', order: 'start', down: false, text: '', limit: 10 };
  const foreign = because('script.foreign');
  /** Ways to name a script that is none of the workspace. */
  const places = [
    ['by its path', prey.script],
    ['by a path that climbs out', `${scripts}/../../..${prey.script}`],
    ['by a link', join(scripts, 'leak.js')],
    ['by a link to no script', join(scripts, 'leak.ts')],
    ['behind a linked folder', join(scripts, 'away', 'foreign.js')],
  ] as const;
  const since = [invalid('a revision below 0', { since: -1 }), invalid('a text', { since: '0; drop' }), more];
  return {
    'engine.state': [more],
    'source.open': [
      because('file.ungranted')('a foreign file', { paths: [prey.secret] }),
      because('file.ungranted')('a pattern', { paths: [join(prey.folder, '*')] }),
      because('file.ungranted')('a relative path', { paths: ['../../../../etc/passwd'] }),
      because('file.ungranted')('a path with a null byte', { paths: [`${prey.secret}\0.log`] }),
      because('consent.refused')('a place of its own', { paths: [prey.secret], moved: [{ path: '/x', place: prey.secret }] }),
      because('file.ungranted')('a device', { paths: ['/dev/zero'] }),
      because('file.ungranted')('a thousand files', { paths: Array.from({ length: 1000 }, (_, i) => `${prey.secret}${i}`) }),
      invalid('too many files', { paths: Array.from({ length: 1001 }, () => prey.secret) }),
      invalid('no list', { paths: prey.secret }),
    ],
    'source.whereabouts': [
      because(null)('a foreign file', { paths: [prey.secret], places: [] }),
      because(null)('a foreign file as another', { paths: ['/x'], places: [{ path: '/x', place: prey.secret }] }),
      invalid('too many files', { paths: Array.from({ length: 1001 }, () => prey.secret), places: [] }),
      invalid('no places', { paths: [prey.secret] }),
    ],
    'fleet.look': [
      because('consent.refused')('a server of a stranger', { servers: 'attacker.example:4222', credentials: '' }),
      because('consent.refused')('a foreign file as credentials', { servers: '127.0.0.1:9', credentials: prey.secret }),
      because('source.section')('no address', { servers: '\n[x]\ntype = "ProcessInput"', credentials: '' }),
      invalid('no text', { servers: ['127.0.0.1:9'], credentials: '' }),
    ],
    'fleet.open': [
      because('consent.refused')('a server of a stranger', {
        servers: 'attacker.example:4222',
        credentials: '',
        stream: 'LOGS',
        start: 'begin',
      }),
      because('source.section')('a stream that is named like a section', {
        servers: '127.0.0.1:9',
        credentials: '',
        stream: '"]\n[x]',
        start: 0,
      }),
      invalid('a start that is none', { servers: '127.0.0.1:9', credentials: '', stream: 'LOGS', start: 'resume' }),
    ],
    'open.complete': [
      because(null)('a file, of which no text comes', { text: prey.secret }),
      because(null)('a null byte', { text: `${prey.folder}/\0` }),
      because(null)('a device', { text: '/dev/zer' }),
      invalid('too long a path', { text: 'x'.repeat(4097) }),
      invalid('no text', { text: 1 }),
    ],
    'open.look': [
      because('consent.refused')('a foreign file', { text: prey.secret }),
      because('consent.refused')('a pattern', { text: join(prey.folder, '*') }),
      because('consent.refused')('a folder', { text: prey.folder }),
      because('path.bad')('a null byte', { text: `${prey.secret}\0.log` }),
      because('path.bad')('an option as a host', { text: `-oProxyCommand=touch ${prey.marker}:/x` }),
      because('path.bad')('nothing', { text: ' ' }),
      invalid('too long a path', { text: 'x'.repeat(4097) }),
    ],
    'open.sample': [
      because('consent.refused')('a command', { kind: 'command', text: `touch ${prey.marker}` }),
      because('path.bad')('a file of this machine', { kind: 'remote', text: prey.secret }),
      because('path.bad')('an option as a host', { kind: 'remote', text: `-oProxyCommand=touch ${prey.marker}:/x` }),
      invalid('a null byte', { kind: 'command', text: `touch ${prey.marker}\0` }),
      invalid('another kind', { kind: 'script', text: prey.script }),
    ],
    'open.typed': [
      because('consent.refused')('a foreign file', { text: prey.secret }),
      because('consent.refused')('a folder', { text: prey.folder }),
      because('path.bad')('an option as a host', { text: `-oProxyCommand=touch ${prey.marker}:/x` }),
      because('path.bad')('a command as a host', { text: '$(id):/x' }),
      because('path.bad')('a line end', { text: `host:/x\ntouch ${prey.marker}` }),
      more,
    ],
    'source.listen': [
      ...[
        '0.0.0.0',
        '::',
        'attacker.example',
        '127.0.0.1.attacker.example',
        '127.0.0.1x',
        'localhost.attacker.example',
        '::ffff:127.0.0.1',
      ].map((host) => because('consent.refused')(`on ${host}`, { protocol: 'udp', host, port: 47_001 })),
      because('consent.refused')('on a free port of all networks', { protocol: 'tcp', host: '0.0.0.0', port: 0 }),
      invalid('on no host', { protocol: 'udp', host: '', port: 47_001 }),
      invalid('by another protocol', { protocol: 'unix', host: prey.secret, port: 1 }),
    ],
    'source.run': [
      because('consent.refused')('a command', { command: `touch ${prey.marker}` }),
      because('consent.refused')('a command behind much space', { command: `true${' '.repeat(5000)}; touch ${prey.marker}` }),
      because('consent.refused')('a command with controls', { command: `\u001b[2J\u202etouch ${prey.marker}` }),
      invalid('a null byte', { command: `touch ${prey.marker}\0` }),
      invalid('nothing', { command: ' \n ' }),
      invalid('a list', { command: ['touch', prey.marker] }),
    ],
    'source.head': noSource('the head'),
    'source.raw': [
      { what: 'lines of no source', input: { id: 999, at: 0, before: 0, count: 1 }, code: 'source.unknown' },
      invalid('lines by a path', { id: prey.secret, at: 0, before: 0, count: 1 }),
      invalid('lines before the beginning', { id: source, at: -1, before: 0, count: 1 }),
      invalid('a million lines', { id: source, at: 0, before: 0, count: 1_000_000 }),
      invalid('a million lines before', { id: source, at: 0, before: 1_000_000, count: 1 }),
    ],
    'source.unread': [
      { what: 'records of no source', input: { id: 999, ...UNREAD }, code: 'source.unknown' },
      invalid('records by a path', { id: prey.secret, ...UNREAD }),
      invalid('records before the beginning', { id: source, ...UNREAD, at: -1 }),
      invalid('records at a text', { id: source, ...UNREAD, at: { time: '0' } }),
      invalid('a million records', { id: source, ...UNREAD, count: 1_000_000 }),
      because('query.matcher')('a matcher that is none', { id: source, ...UNREAD, query: { matcher: '((' } }),
    ],
    'source.pause': noSource('a pause'),
    'source.resume': noSource('a start'),
    'source.close': noSource('the end'),
    'engine.watch': [more],
    'workstation.watch': [more],
    'workstation.about': [more],
    'source.decoder': [
      ...places.map(([how, decoder]) => foreign(`a foreign script ${how}`, { id: source, decoder })),
      because('plugin.unknown')('a file of the product', { id: source, decoder: 'package.json' }),
      because('plugin.unknown')('a relative path', { id: source, decoder: '../foreign.js' }),
      because('plugin.unknown')('a name of the prototype', { id: source, decoder: 'constructor' }),
      because('consent.refused')('a file in a parameter', {
        id: source,
        decoder: 'grok',
        config: { match: '%{WORD:a}', patterns_file: prey.secret },
      }),
      because('source.unknown')('no source', { id: 999, decoder: 'syslog' }),
    ],
    'source.shift': [
      because('source.unknown')('no source', { id: 9999, seconds: 60 }),
      invalid('no number', { id: 1, seconds: 'constructor' }),
      invalid('too far', { id: 1, seconds: 1e12 }),
    ],
    'decoder.list': [more],
    'decoder.preview': [
      ...places.map(([how, decoder]) => foreign(`a foreign script ${how}`, { id: source, decoder, config: {} })),
      because('plugin.unknown')('a file of the product', { id: source, decoder: 'package.json', config: {} }),
      because('file.ungranted')('a file in a parameter', {
        id: source,
        decoder: 'grok',
        config: { match: '%{WORD:a}', patterns_file: prey.secret },
      }),
    ],
    'view.open': [
      invalid('a query of another kind', { query: { path: prey.secret } }),
      because('query.matcher')('a broken matcher', { query: { matcher: '((((' } }),
      because('query.regex')('a broken expression', { query: { text: '(?<=', regex: true } }),
      because('query.matcher')('a broken filter of a stack', { query: { filters: [{ matcher: 'Pid ==' }] } }),
      invalid('too many filters', { query: { filters: Array.from({ length: 201 }, () => ({ text: 'a' })) } }),
      invalid('a huge matcher', { query: { matcher: 'x'.repeat(10_001) } }),
    ],
    'view.query': [because('view.unknown')('no view', { ...noView, query: {} })],
    'view.close': [because(null)('no view', noView), invalid('a text', { view: '1' })],
    'view.rows': [
      because('view.unknown')('no view', { ...noView, start: 0, count: 1, columns: [] }),
      invalid('too many rows', { view: 1, start: 0, count: 1e9, columns: [] }),
      invalid('too many columns', { view: 1, start: 0, count: 1, columns: Array.from({ length: 101 }, () => 'a') }),
    ],
    'view.text': [
      because('view.unknown')('no view', { ...noView, start: 0, count: 1, format: 'raw' }),
      invalid('no records', { view: 1, start: 0, count: 0, format: 'raw' }),
      invalid('too many', { view: 1, start: 0, count: 1e6, format: 'raw' }),
      invalid('no format', { view: 1, start: 0, count: 1, format: 'csv' }),
    ],
    'view.seek': [because('view.unknown')('no view', { ...noView, time: 0 }), invalid('no time', { view: 1, time: 'now' })],
    'view.locate': [because('view.unknown')('no view', { ...noView, id: 1 })],
    'view.search': [
      because('view.unknown')('no view', { ...noView, search: { text: 'a' }, near: 0 }),
      invalid('a query of another kind', { view: 1, search: { path: prey.secret }, near: 0 }),
      invalid('a huge text', { view: 1, search: { text: 'x'.repeat(10_001) }, near: 0 }),
    ],
    'view.sort': [
      because('view.unknown')('no view', { ...noView, column: { by: 'time', down: true } }),
      invalid('no column', { view: 1, column: { by: '', down: true } }),
      invalid('another member', { view: 1, column: { by: 'time', down: true, then: 1 } }),
    ],
    'view.hits': [because('view.unknown')('no view', { ...noView, row: 1 }), invalid('no row', { view: 1, row: -1 })],
    'view.nearest': [
      because('view.unknown')('no view', { ...noView, kind: 'hit', row: 1, forward: true }),
      invalid('another kind', { view: 1, kind: 'constructor', row: 1, forward: true }),
    ],
    'view.ticks': [because('view.unknown')('no view', { ...noView, buckets: 10 }), invalid('too many parts', { view: 1, buckets: 1e9 })],
    'view.histogram': [
      because('view.unknown')('no view', { ...noView, buckets: 10 }),
      invalid('too many buckets', { view: 1, buckets: 1e9 }),
    ],
    'view.measure': [
      because('view.unknown')('no view', { ...noView, ...measure }),
      invalid('too many buckets', { ...noView, ...measure, over: { buckets: 1e9 } }),
      invalid('no variable', { ...noView, ...measure, by: [''] }),
      invalid('too many variables', { ...noView, ...measure, by: ['Type', 'Pid', 'Logger'] }),
      invalid('a measure that there is not', { ...noView, ...measure, measures: ['constructor'] }),
      invalid('a number of nothing', { ...noView, ...measure, measures: ['p95'] }),
      invalid('very many', { ...noView, ...measure, limit: 1e9 }),
    ],
    'view.heat': [
      because('view.unknown')('no view', { ...noView, buckets: 10, rows: 10, variable: 'Fields[n]' }),
      invalid('too many rows', { ...noView, buckets: 10, rows: 1e9, variable: 'Fields[n]' }),
      invalid('no variable', { ...noView, buckets: 10, rows: 10, variable: '' }),
    ],
    'view.patterns': [
      because('view.unknown')('no view', { ...noView, limit: 10 }),
      invalid('very many', { ...noView, limit: 1e9 }),
      invalid('a path', { view: prey.secret, limit: 1 }),
      invalid('no variable', { ...noView, limit: 10, variable: '' }),
    ],
    'view.operations': [
      because('view.unknown')('no view', { ...noView, ...operations }),
      invalid('very many', { ...noView, ...operations, limit: 1e9 }),
      invalid('an order that there is not', { ...noView, ...operations, order: 'constructor' }),
      invalid('a long text', { ...noView, ...operations, text: 'x'.repeat(100_000) }),
    ],
    'view.overview': [
      because('view.unknown')('no view', { ...noView, values: 10 }),
      invalid('very many values', { ...noView, values: 1e9 }),
      invalid('a long name', { ...noView, values: 10, field: 'x'.repeat(100_000) }),
    ],
    'records.compare': [
      because('query.matcher')('a wrong expression', { a: {}, b: { matcher: '((' }, without: [] }),
      invalid('one side', { a: {}, without: [] }),
      invalid('very many names', { a: {}, b: {}, without: new Array(1000).fill('x') }),
    ],
    'export.start': [
      ...[prey.secret, prey.script, join(prey.folder, 'new.log'), '/etc/cron.d/evil', '../../evil'].map((path) =>
        because('export.place')(`to ${path}`, { query: {}, format: 'raw', columns: [], path }),
      ),
      invalid('in another format', { query: {}, format: 'sh', columns: [], path: prey.marker }),
    ],
    'export.cancel': [because(null)('no export', { id: 999 }), invalid('a text', { id: prey.secret })],
    'query.tables': [more],
    'query.run': [
      invalid('no text', { sql: '' }),
      invalid('a huge text', { sql: 'x'.repeat(100_001) }),
      invalid('a list', { sql: ['SELECT 1', prey.secret] }),
      ...[
        `SELECT * FROM read_text('${prey.secret}')`,
        `SELECT * FROM '${prey.secret}'`,
        `COPY (SELECT 1) TO '${prey.marker}'`,
        `SELECT 1; COPY (SELECT 1) TO '${prey.marker}'`,
        `ATTACH '${prey.marker}' AS a`,
        `SELECT * FROM enable_logging(storage := 'file', storage_path := '${prey.folder}')`,
        `SELECT * FROM glob('${prey.folder}/*')`,
        `SET lock_configuration = false`,
      ].map((sql) => because(null)(sql, { sql })),
    ],
    'query.cancel': [more],
    'query.export': [
      ...[prey.secret, prey.script, join(prey.folder, 'new.csv'), '/etc/cron.d/evil', '../../evil'].map((path) =>
        because('export.place')(`to ${path}`, { sql: 'SELECT 1', format: 'csv', path }),
      ),
      invalid('in another format', { sql: 'SELECT 1', format: 'raw', path: prey.marker }),
    ],
    'lookup.list': [
      invalid('a number', { name: 5 }),
      invalid('a long name', { name: 'x'.repeat(201) }),
      because(null)('a path', { name: '../workspace' }),
    ],
    'query.saved': [more],
    'query.save': [
      invalid('no name', { name: ' ', sql: 'SELECT 1' }),
      invalid('a long name', { name: 'x'.repeat(101), sql: 'SELECT 1' }),
      invalid('a long query', { name: 'x', sql: 'x'.repeat(100_001) }),
      because('query.saved')('a name of the prototype', { name: '__proto__', sql: 'SELECT 1' }),
      because(null)('a name that is TOML', {
        name: 'x"]\n[evil]\ntype = "ProcessInput"\ncommand = "touch /nowhere/x"',
        sql: `x"]\n[evil]\ntype = "ProcessInput"\ncommand = "touch ${prey.marker}"`,
      }),
      because(null)('a query that is TOML', {
        name: 'x',
        sql: `SELECT 1"\n\n[evil]\ntype = "ProcessInput"\ncommand = ["touch", "${prey.marker}"]`,
      }),
    ],
    'query.forget': [because(null)('no query', { name: 'nothing' }), invalid('a path list', { name: [prey.secret] })],
    'record.last': [more],
    'record.find': [
      because('source.unknown')('no source', { source: 999, number: 1, time: null }),
      invalid('a path', { source: prey.secret, number: 1, time: null }),
      invalid('a record in front of the first', { source: 1, number: 0, time: null }),
    ],
    'record.get': [because('record.unknown')('no record', { id: 999_999 }), invalid('a path', { id: prey.secret })],
    'record.json': [because('record.unknown')('no record', { id: 999_999 }), invalid('a path', { id: prey.secret })],
    'rules.get': [more],
    'rules.look': [
      because('file.ungranted')('a foreign folder', { path: prey.folder }),
      because('file.ungranted')('a foreign file', { path: prey.secret }),
      invalid('too long a path', { path: 'x'.repeat(4097) }),
    ],
    'rules.add': [
      because('file.ungranted')('a foreign folder', { path: prey.folder }),
      because('file.ungranted')('a relative path', { path: '../../../../etc' }),
      invalid('no path', {}),
    ],
    'rules.remove': [because(null)('a folder that was not added', { path: prey.folder })],
    'rules.set': [because(null)('no rule', { key: 'x', on: true }), invalid('a huge key', { key: 'x'.repeat(10_001), on: false })],
    'rules.run': [because(null)('no rules', { on: true }), invalid('a text', { on: 'yes' })],
    'mark.list': [more],
    'mark.set': [
      because('record.unknown')('no record', { record: 999_999, on: true }),
      invalid('a path', { record: prey.secret, on: true }),
    ],
    'mark.note': [because(null)('no mark', { key: 999, note: 'x' }), invalid('a huge note', { key: 1, note: 'x'.repeat(2001) })],
    'mark.remove': [because(null)('no mark', { key: 999 })],
    'highlighter.list': [more],
    'highlighter.set': [
      because('query.regex')('a broken expression', { highlighters: [{ ...HIGHLIGHTER, kind: 'regex', text: '(' }] }),
      invalid('another colour', { highlighters: [{ ...HIGHLIGHTER, color: 'url(//evil)' }] }),
      invalid('too many', { highlighters: Array.from({ length: 51 }, () => HIGHLIGHTER) }),
    ],
    'filterSet.list': [more],
    'filterSet.set': [
      invalid('another kind', { sets: [{ name: 'a', any: false, filters: [{ ...KEPT_FILTER, kind: 'script' }] }] }),
      invalid('a set without a name', { sets: [{ name: ' ', any: false, filters: [] }] }),
      invalid('too many filters', { sets: [{ name: 'a', any: false, filters: Array.from({ length: 201 }, () => KEPT_FILTER) }] }),
      invalid('too many sets', { sets: Array.from({ length: 101 }, () => ({ name: 'a', any: false, filters: [] })) }),
    ],
    'recordGraph.list': [more],
    'recordGraph.set': [
      invalid('another measure', { graphs: [{ ...RECORD_GRAPH, measure: 'script' }] }),
      invalid('a graph without a title', { graphs: [{ ...RECORD_GRAPH, title: ' ' }] }),
      invalid('too many', { graphs: Array.from({ length: 25 }, () => RECORD_GRAPH) }),
    ],
    'graph.list': [more],
    'items.list': [more],
    'graph.changes': since,
    'items.changes': since,
    'text.list': [invalid('a text', { plugins: prey.secret }), invalid('very many', { plugins: new Array(101).fill('x') })],
    'schema.changes': since,
    'notice.list': [more],
    'plugin.start': [
      because('plugin.gone')('a path', { id: prey.script }),
      because('source.unknown')('a decoder of no source', { id: 'decoder/999' }),
    ],
    'plugin.stop': [because('plugin.gone')('a path', { id: prey.script })],
    'plugin.reload': [because('plugin.gone')('a path', { id: prey.script, keepState: true })],
    'filter.list': [more],
    'filter.sections': [more],
    'filter.set': [
      ...places.flatMap(([how, script]) => [
        foreign(`a foreign script ${how}`, { filter: { ...FILTER, script, bundled: false }, keepState: true }),
        because('plugin.unknown')(`a foreign script ${how} as a bundled one`, {
          filter: { ...FILTER, script, bundled: true },
          keepState: true,
        }),
        foreign(`a foreign script ${how} for a filter that is there`, {
          filter: { ...FILTER, name: 'http_status', script, bundled: false },
          was: 'http_status',
          keepState: true,
        }),
        because('plugin.unknown')(`a foreign script ${how} as a bundled one for a filter that is there`, {
          filter: { ...FILTER, name: 'http_status', script },
          was: 'http_status',
          keepState: true,
        }),
      ]),
      because('plugin.unknown')('a bundled decoder', { filter: { ...FILTER, script: 'syslog' }, keepState: true }),
      foreign('a bundled name as an own script', { filter: { ...FILTER, bundled: false }, keepState: true }),
      because('filter.name')('a section that it was not', { filter: { ...FILTER, name: 'other' }, was: 'http_status', keepState: true }),
      because('filter.name')('in the place of no filter', { filter: FILTER, was: 'nothing', keepState: true }),
      because('filter.matcher')('a broken matcher', { filter: { ...FILTER, matcher: '((' }, keepState: true }),
      because('workspace.invalid')('the section of the service', { filter: { ...FILTER, name: 'svcd' }, keepState: true }),
    ],
    'filter.wake': [more],
    'filter.remove': [
      because('filter.name')('no filter', { name: 'nothing' }),
      because('filter.name')('the section of an input', { name: 'own_input' }),
    ],
    'filter.undo': [because('filter.undo')('no change', { step: 999 })],
    'filter.inputs': [more],
    'script.about': [
      ...places.map(([how, path]) => foreign(how, { path })),
      foreign('a secret', { path: prey.secret }),
      foreign('a name', { path: 'http_status' }),
    ],
    'script.read': [
      ...places.map(([how, script]) => foreign(how, { kind: 'filter', script })),
      foreign('a secret', { kind: 'filter', script: prey.secret }),
      foreign('a declaration', { kind: 'filter', script: join(scripts, 'x.d.ts') }),
      because('plugin.unknown')('a file of the product', { kind: 'decoder', script: 'package.json' }),
      because('plugin.unknown')('a relative path', { kind: 'decoder', script: '../foreign.js' }),
    ],
    'script.save': [
      ...places.map(([how, path]) => foreign(`over a foreign script ${how}`, { ...SAVE, path })),
      foreign('into a linked folder', { ...SAVE, path: join(scripts, 'away', 'new.js') }),
      because('script.name')('a name that climbs', { ...SAVE, name: '../../evil.js' }),
      because('script.name')('a name with a null byte', { ...SAVE, name: 'evil\0.js' }),
      because('script.name')('a hidden name', { ...SAVE, name: '.bashrc.js' }),
      because('script.name')('a declaration', { ...SAVE, name: 'evil.d.ts' }),
      because('script.exists')('the name of a link', { ...SAVE, name: 'leak.js' }),
      because(null)('over a script whose draft is a link', { ...SAVE, path: join(scripts, 'mine.js'), text: '// changed' }),
      invalid('a huge text', { ...SAVE, text: 'x'.repeat(1_000_001) }),
    ],
    'script.try': [
      ...places.map(([how, path]) => foreign(`in the place of a foreign script ${how}`, { ...TRIAL, path })),
      because('source.unknown')('on no source', { ...TRIAL, source: 999 }),
      invalid('on too many records', { ...TRIAL, records: 1e9 }),
    ],
    'shell.open': [more],
    'shell.openSample': [invalid('a path', { name: '../../../etc/passwd' }), invalid('a name of the prototype', { name: 'constructor' })],
    'shell.recent': [more],
    'shell.zoom': [invalid('a leap', { step: 100 }), invalid('a text', { step: '1' })],
    'shell.theme': [invalid('another theme', { theme: '../x' })],
    'shell.copy': [invalid('no text', { text: { toString: 1 } })],
    'shell.chooseScript': [more],
    'shell.chooseRules': [more],
    'shell.chooseExport': [
      invalid('another format', { name: 'x', format: 'exe' }),
      because(null)('a name with a folder', { name: prey.secret, format: 'raw' }),
    ],
    'workspace.save': [
      ...[prey.secret, prey.script, '/etc/cron.d/evil'].map((path) =>
        because('export.place')(`to ${path}`, { path, records: true, window: {} }),
      ),
      invalid('a huge part of the window', { path: prey.marker, records: false, window: { x: 'x'.repeat(2_000_001) } }),
    ],
    'workspace.size': [invalid('no query', {}), invalid('another query', { query: { sources: 'all' } })],
    'workspace.look': [
      because('consent.refused')('a foreign file', { path: prey.secret, places: [] }),
      because('consent.refused')('a relative path', { path: '../../../../etc/passwd', places: [] }),
      because('consent.refused')('a device', { path: '/dev/zero', places: [] }),
      invalid('too long a path', { path: 'x'.repeat(4097), places: [] }),
    ],
    'workspace.open': [
      because('consent.refused')('a foreign file', { path: prey.secret, places: [], window: {} }),
      because('consent.refused')('a place of its own', { path: prey.secret, places: [{ path: '/x', place: prey.secret }], window: {} }),
      invalid('no places', { path: prey.secret, places: prey.secret, window: {} }),
    ],
    'workspace.before': [invalid('a member too many', { path: prey.secret })],
    'assistants.get': [invalid('a member too many', { path: prey.secret })],
    'assistants.grant': [
      because('source.unknown')('no source', { source: 999 }),
      invalid('a path', { source: prey.secret }),
      invalid('a member too many', { source: 1, path: prey.secret }),
    ],
    'assistants.takeBack': [because(null)('nothing that was granted', { location: prey.secret }), invalid('no location', {})],
    'assistants.redact': [invalid('another value', { on: 'no' })],
    'assistants.forget': [invalid('a member too many', { path: prey.secret })],
    'incident.get': [invalid('a member too many', { path: prey.secret })],
    'incident.set': [
      invalid('a huge summary', { incident: { ...INCIDENT, summary: 'x'.repeat(20_001) } }),
      invalid('a path', { incident: { ...INCIDENT, path: prey.secret } }),
    ],
    'incident.export': [
      ...[prey.secret, prey.script, join(prey.folder, 'new.html'), '../../evil'].map((path) =>
        because('export.place')(`to ${path}`, { ...INCIDENT_EXPORT, path }),
      ),
      invalid('in another form', { ...INCIDENT_EXPORT, path: prey.marker, form: 'sh' }),
      invalid('far too many records', { ...INCIDENT_EXPORT, path: prey.marker, around: 1e9 }),
    ],
    'shell.chooseWorkspace': [invalid('no name', { save: '' }), because(null)('a name with a folder', { save: prey.secret })],
    'shell.findFile': [invalid('a huge name', { name: 'x'.repeat(4097) }), because(null)('a name with a folder', { name: prey.secret })],
    'shell.givenRecord': [invalid('a member too many', { path: prey.secret })],
    'shell.assistantCommand': [invalid('a member too many', { path: prey.secret })],
    'shell.givenWorkspace': [invalid('a member too many', { path: prey.secret })],
    'shell.saveScript': [
      invalid('a huge text', { name: 'x.js', text: 'x'.repeat(1_000_001) }),
      because(null)('a name with a folder', { name: prey.script, text: '//' }),
    ],
    'shell.savePicture': [
      invalid('no bytes', { name: 'x.png', png: 'x' }),
      because(null)('a name with a folder', { name: prey.secret, png: new Uint8Array(1) }),
    ],
    'shell.saveTable': [
      invalid('no text', { name: 'x.csv', csv: 1 }),
      because(null)('a name with a folder', { name: prey.secret, csv: 'x' }),
    ],
    'shell.notify': [invalid('a huge text', { title: 'x'.repeat(201), text: '', alert: 1 })],
    'shell.background': [invalid('no switch', { on: 'yes' })],
    'shell.startEngine': [more],
    'shell.about': [more],
  };
}
