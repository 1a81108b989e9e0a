import type {
  AllEvents,
  AllRequests,
  EngineState,
  FleetStream,
  Notice,
  OutputChanges,
  SluiceboxApi,
  WatchReport,
  WorkspaceLook,
} from '../../engine/api/types.ts';
import { assistantAnswers } from './assistants.ts';
import { graphs, itemTables, operations, overviewOf, schema, sourcesOf } from './outputs.ts';
import { detailOf } from './records.ts';
import { DIFFERENCE, INCIDENT, MARKS } from './incident.ts';
import { MockView } from './mock-view.ts';
import { mockPlugins, pluginAnswers } from './plugins.ts';
import { queryAnswers } from './query.ts';
import { rulesAnswers } from './rules.ts';

export interface MockOptions {
  /** Nothing is open. */
  readonly empty: boolean;
  readonly records: number;
  /** Milliseconds until a request is answered. */
  readonly delay: number;
  /** Records keep coming. */
  readonly live: boolean;
  /** Thirty plugins. */
  readonly many: boolean;
}

/** A machine that hides its logins. */
const WATCHED: WatchReport = {
  items: [
    { name: 'Load', place: '/proc/loadavg', reason: null },
    { name: 'Memory', place: '/proc/meminfo', reason: null },
    { name: 'Logins', place: '/var/log/auth.log', reason: 'You may not read it. Join the group that it belongs to, often adm.' },
  ],
};

const CLUSTER: readonly FleetStream[] = [
  {
    name: 'LOGS',
    subjects: ['logs.>'],
    batches: 18_204,
    bytes: 412_000_000,
    firstMs: Date.now() - 86_400_000,
    lastMs: Date.now() - 400,
    consumers: [
      { name: 'errors', waiting: 0, unacknowledged: 0, acknowledged: 18_204 },
      { name: 'lake', waiting: 1204, unacknowledged: 8, acknowledged: 16_992 },
    ],
    edges: ['web1', 'web2', 'db1'].map((name, i) => ({
      name,
      batches: 6000 + i * 34,
      lastMs: Date.now() - 400 - i * 90_000,
      position: 18_204 - i * 700,
      waiting: i === 2 ? 48_000_000 : 0,
      subjects: [`logs.${name}.nginx_access`],
    })),
  },
];

const WORKSPACE: WorkspaceLook = {
  path: '',
  name: 'checkout',
  savedAt: 1_753_000_000_000,
  files: [
    { path: '/var/log/nginx/access.log', state: 'here', place: '/var/log/nginx/access.log' },
    { path: '/srv/checkout/app.log', state: 'missing', place: null },
    { path: '0.0.0.0:514', state: 'packed', place: null },
  ],
  packedBytes: 12_400_000,
  scripts: ['checkout.ts'],
  starts: [],
  filterScripts: 5,
  filters: 1,
  marks: 3,
};

type Handlers = {
  readonly [N in keyof AllRequests]: (input: AllRequests[N]['in']) => AllRequests[N]['out'] | Promise<AllRequests[N]['out']>;
};

/** A preload API on generated data, for looking at the window without the shell and the engine. */
export function createMock(options: MockOptions): SluiceboxApi {
  const listeners = new Map<string, Set<(data: never) => void>>();
  const views = new Map<number, MockView>();
  const closed = new Set<number>();
  let size = options.records;
  let open = !options.empty;
  const changes = new MockChanges();

  const emit = <N extends keyof AllEvents>(name: N, data: AllEvents[N]): void => {
    for (const listener of listeners.get(name) ?? []) listener(data as never);
  };
  const changed = (view: MockView): void =>
    emit('view.changed', {
      view: view.id,
      total: view.total,
      nearby: false,
      found: view.total,
      scanned: view.scanned,
      records: open ? size : 0,
      revision: view.revision,
      fresh: Math.max(0, view.total - options.records),
      facts: view.facts,
      sort: null,
    });
  const state = (): EngineState => ({
    pid: 4242,
    sources: open ? sourcesOf(size, 1240, performance.now()).filter((source) => !closed.has(source.id)) : [],
    plugins: open ? mockPlugins(options.many) : [],
    records: open ? size : 0,
    rate: open ? 1278 : 0,
    queued: 2,
    dropped: 0,
    failures: open ? 812 : 0,
    memory: 214_000_000,
    clock: 'live',
  });
  const tell = (): void => {
    const { sources, plugins, ...sums } = state();
    emit('state', {
      ...sums,
      sources: { changed: sources, ids: sources.map(({ id }) => id) },
      plugins: { changed: plugins, ids: plugins.map(({ id }) => id) },
    });
  };
  const start = (): { opened: number[] } => {
    open = true;
    closed.clear();
    tell();
    for (const view of views.values()) view.grown();
    changes.raise();
    return { opened: [1] };
  };

  const handlers: Handlers = {
    'engine.state': state,
    'source.open': ({ paths }) => {
      if (paths.some((path) => path.includes('missing'))) throw new Error(`${paths[0]} does not exist.`);
      return start();
    },
    'open.complete': ({ text }) => ({ texts: text.startsWith('/') ? ['/var/log/nginx/', '/var/log/syslog'] : [] }),
    'fleet.look': () => ({ streams: CLUSTER, nowMs: Date.now() }),
    'fleet.open': () => ({ id: 1 }),
    'open.look': ({ text }) => ({
      kind: 'files',
      plans: [
        {
          path: text,
          label: text,
          preview: { decoder: 'syslog', confidence: 1, records: [], lines: ['Mar  5 13:07:59 box1 cron: started'] },
        },
      ],
      leftOut: null,
    }),
    'open.sample': ({ text }) => ({ decoder: null, confidence: 0, records: [], lines: [text] }),
    'open.typed': ({ text }) => ({ ...start(), paths: [text] }),
    'source.listen': ({ port }) => {
      if (port === 514) throw new Error('Port 514 cannot be opened: it is in use by another program.');
      return { id: start().opened[0] ?? 1 };
    },
    'source.run': () => ({ id: start().opened[0] ?? 1 }),
    'source.head': () => ({ lines: ['192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12'] }),
    'source.raw': () => null,
    'source.unread': () => null,
    'source.pause': () => null,
    'source.resume': () => null,
    'engine.watch': () => ({ id: 1 }),
    'workstation.watch': () => {
      start();
      return WATCHED;
    },
    'workstation.about': () => WATCHED,
    'source.shift': () => null,
    'source.close': ({ id }) => {
      closed.add(id);
      if (closed.size === 4) open = false;
      tell();
      return null;
    },
    'source.decoder': () => null,
    'decoder.list': () => [
      {
        name: 'nginx_access',
        title: 'nginx_access',
        summary: 'Access logs whose format is written with dollar variables.',
        parameters: [{ name: 'log_format', type: 'string', summary: 'As in the configuration of nginx.', default: null, required: true }],
      },
      { name: 'syslog', title: 'syslog', summary: 'Lines of RFC 3164 and RFC 5424.', parameters: [] },
    ],
    'decoder.preview': () => ({ records: [], tried: 50, failed: 50, reason: 'no date at the start' }),
    'view.open': ({ query }) => {
      const view = new MockView(views.size + 1, () => (open ? size : 0), changed);
      views.set(view.id, view);
      view.query(query);
      return { view: view.id };
    },
    'view.query': ({ view, query }) => {
      viewOf(view).query(query);
      return { revision: viewOf(view).revision };
    },
    'view.close': ({ view }) => {
      views.delete(view);
      return null;
    },
    'view.rows': ({ view, start: first, count, columns }) => viewOf(view).rows(first, count, columns),
    'view.text': ({ view, start: first, count }) => {
      const { rows } = viewOf(view).rows(first, count, []);
      return { text: rows.map(({ text }) => `${text}\n`).join(''), count: rows.length };
    },
    'view.seek': ({ view, time }) => ({ row: viewOf(view).seek(time) }),
    'view.locate': ({ view, id }) => ({ row: viewOf(view).locate(id), total: viewOf(view).total }),
    'view.sort': () => null,
    'view.search': ({ view, search }) => {
      const hits = viewOf(view).find(search.text ?? '');
      emit('search.changed', { view, hits, scanned: viewOf(view).total, total: viewOf(view).total, complete: true });
      return null;
    },
    'view.hits': ({ view, row }) => viewOf(view).hits(row),
    'view.nearest': ({ view, row, forward }) => viewOf(view).nearest(row, forward),
    'view.ticks': ({ view, buckets }) => viewOf(view).ticks(buckets),
    'view.overview': () => overviewOf(size),
    'records.compare': () => DIFFERENCE,
    'view.patterns': () => ({
      patterns: [
        { id: 1, text: 'GET <*> <num>', variable: 'Payload', count: 7, first: 0, last: 1, example: 'GET / 200', counts: [1, 2, 4] },
        {
          id: 2,
          text: 'Accepted publickey for <*>',
          variable: 'Payload',
          count: 2,
          first: 1,
          last: 1,
          example: 'Accepted publickey for maria',
          counts: [0, 0, 2],
        },
      ],
      distinct: 2,
      forgotten: 0,
      missing: 0,
      from: 0,
      to: 1,
      records: 9,
      total: 9,
      complete: true,
    }),
    'view.operations': () => operations,
    'view.measure': ({ view, measures, by, over, limit }) => viewOf(view).measure(measures, by, over, limit),
    'view.heat': ({ from = 0, to = 1 }) => {
      const [edges, counts] = [Float64Array.of(1, 10, 100), Float64Array.of(1, 2, 0, 4, 0, 0, 1, 0)];
      return { from, to, bucketMs: (to - from) / 4, edges, counts, records: 9, missing: 1, complete: true };
    },
    'view.histogram': ({ view, buckets, from, to }) => viewOf(view).histogram(buckets, from, to),
    ...queryAnswers,
    ...assistantAnswers,
    ...rulesAnswers,
    'record.last': () => ({ last: size - 1 }),
    'export.start': ({ path }) => {
      emit('export', { id: 1, path, what: 'record', state: 'done', written: size, total: size, problem: null });
      return { id: 1 };
    },
    'export.cancel': () => null,
    'record.get': ({ id }) => detailOf(id, size),
    'record.json': ({ id }) => ({ json: JSON.stringify(detailOf(id, size)) }),
    'mark.list': () => [...MARKS],
    'mark.set': () => null,
    'mark.note': () => null,
    'mark.remove': () => null,
    'highlighter.list': () => [],
    'highlighter.set': () => null,
    'filterSet.list': () => [],
    'filterSet.set': () => null,
    'recordGraph.list': () => [],
    'recordGraph.set': () => null,
    'graph.list': () => (open ? graphs() : []),
    'items.list': () => (open ? itemTables() : []),
    'graph.changes': ({ since }) => changes.after(since, (revision) => changesOf(revision, open ? graphs() : [])),
    'text.list': () => [],
    'items.changes': ({ since }) => changes.after(since, (revision) => changesOf(revision, open ? itemTables() : [])),
    'schema.changes': ({ since }) => changes.after(since, (revision) => ({ revision, loggers: open ? schema(size) : [] })),
    ...pluginAnswers,
    'notice.list': () => notices(),
    'shell.chooseScript': () => ({ path: '/home/maria/scripts/mine.js' }),
    'shell.saveScript': () => null,
    'shell.savePicture': () => null,
    'shell.saveTable': () => null,
    'shell.chooseExport': ({ name }) => ({ path: `/home/maria/${name}` }),
    'shell.chooseWorkspace': ({ save }) => ({ path: `/home/maria/${save ?? 'checkout'}.sluicebox` }),
    'shell.findFile': ({ name }) => ({ path: `/home/maria/logs/${name}` }),
    'shell.givenWorkspace': () => null,
    'workspace.save': () => ({ id: 1 }),
    'workspace.size': () => ({ records: 68, bytes: 12_000 }),
    'source.whereabouts': ({ paths }) => ({ files: paths.map((path) => ({ path, state: 'here', place: path })) }),
    'workspace.look': ({ path }) => ({ ...WORKSPACE, path }),
    'workspace.open': () => ({ name: 'checkout', window: {}, files: [] }),
    'workspace.before': () => ({ path: null }),
    'incident.get': () => INCIDENT,
    'incident.set': () => null,
    'incident.export': () => ({ id: 1 }),
    'shell.notify': () => null,
    'shell.background': () => null,
    'shell.open': start,
    'shell.openSample': start,
    'shell.recent': () => [
      { path: '/var/log/nginx/access.log', openedAt: Date.UTC(2025, 10, 19, 9, 12) },
      { path: '/home/maria/incidents/2025-11-17/gateway-eu-west.log', openedAt: Date.UTC(2025, 10, 17, 16, 40) },
    ],
    'shell.zoom': () => null,
    'shell.theme': () => null,
    'shell.copy': ({ text }) => {
      void navigator.clipboard?.writeText(text).catch(() => undefined);
      return null;
    },
    'shell.startEngine': () => null,
    'shell.about': () => ({
      version: '0.1.0',
      electron: '45.4.1',
      node: '26.10.0',
      workspace: '/home/maria/.config/sluicebox/workspace.toml',
    }),
  };

  function viewOf(id: number): MockView {
    const view = views.get(id);
    if (view === undefined) throw new Error(`There is no view ${id}.`);
    return view;
  }

  setTimeout(() => emit('engine', { state: 'running', reason: null }), 10);
  setInterval(tell, 500);
  if (options.live) {
    setInterval(() => {
      if (!open) return;
      size += 37;
      for (const view of views.values()) view.grown();
      changes.raise();
    }, 250);
  }

  return {
    platform: 'linux',
    openDropped: () => Promise.resolve({ value: start() }),
    on: (name, listener) => {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      return () => set.delete(listener);
    },
    request: async (name, input) => {
      await new Promise((done) => setTimeout(done, options.delay));
      try {
        return { value: await handlers[name](input) };
      } catch (error) {
        return { failed: { code: 'engine.error', text: error instanceof Error ? error.message : String(error) } };
      }
    },
  };
}

/** Everything changes at once, and then nothing until the next time. */
class MockChanges {
  #revision = 1;
  #waiting: (() => void)[] = [];

  raise(): void {
    this.#revision++;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const answer of waiting) answer();
  }

  async after<T>(since: number, answer: (revision: number) => T): Promise<T> {
    if (since === this.#revision) await new Promise<void>((done) => this.#waiting.push(done));
    return answer(this.#revision);
  }
}

function changesOf<T extends { readonly key: string }>(revision: number, changed: readonly T[]): OutputChanges<T> {
  return { revision, keys: changed.map(({ key }) => key), changed };
}

function notices(): Notice[] {
  const at = Date.UTC(2025, 10, 20, 13, 58, 4);
  return [
    {
      id: 1,
      at,
      level: 'info',
      code: 'file.truncated',
      text: 'access.log was truncated or written anew: it is read from its beginning.',
      details: null,
      about: null,
    },
    {
      id: 2,
      at: at + 61_000,
      level: 'warning',
      code: 'plugin.terminated',
      text: 'The filter SlowFilter was ended: it used more than 64 MB of memory.',
      details: '#\n# Fatal JavaScript out of memory: Reached heap limit\n#',
      about: { source: 1, plugin: 'slow', time: null, end: null, shows: null },
    },
    {
      id: 3,
      at: at + 90_000,
      level: 'error',
      code: 'file.denied',
      text: 'secure.log cannot be read: permission denied.',
      details: null,
      about: null,
    },
  ];
}
