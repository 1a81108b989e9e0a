import { isErrorCode } from '../api/errors.ts';
import { EngineError, messageOf } from '../base/errors.ts';
import { heatMap } from '../store/heat.ts';
import { histogramBy } from '../store/histogram-by.ts';
import { histogramOf } from '../store/histogram.ts';
import { recordJson, recordText } from '../store/export.ts';
import { recordDetail, recordRows } from '../store/rows.ts';
import { requests } from '../api/requests/index.ts';
import type { EngineRequests, Refusal, RequestName } from '../api/types.ts';
import type { FromEngine, ToEngine } from '../api/wire.ts';
import { Differences } from './differences.ts';
import type { Grants } from './common/grants.ts';
import type { Questions } from './questions.ts';
import { findRecord } from './record-places.ts';
import { completions } from './sources/path-completion.ts';
import { lookupList } from './lookup-list.ts';
import type { Workspace } from './workspace.ts';
import { watchPlan } from './file/workstation.ts';

type Handlers = {
  readonly [N in RequestName]: (input: EngineRequests[N]['in']) => EngineRequests[N]['out'] | Promise<EngineRequests[N]['out']>;
};

/** The handlers of all requests. */
function handlersOf(workspace: Workspace): Handlers {
  const { store, views, payloads, outputs, notices, filters, filterEditor, scripts, exports, queries, annotations, named } = workspace;
  const differences = new Differences(store);
  const { marks } = annotations;
  const { assistants } = workspace;
  return {
    'engine.state': () => workspace.state(),
    'source.open': async ({ paths, moved = [] }) => ({ opened: await workspace.open(paths, moved) }),
    'source.whereabouts': async ({ paths, places }) => ({ files: await workspace.whereabouts(paths, places) }),
    'fleet.look': (address) => workspace.fleet.look(address),
    'fleet.open': async ({ stream, start, ...address }) => ({ id: await workspace.fleet.open(address, stream, start) }),
    'open.complete': async ({ text }) => ({ texts: await completions(text) }),
    'open.look': ({ text }) => workspace.typed.look(text),
    'open.sample': (request) => workspace.typed.sample(request),
    'open.typed': ({ text }) => workspace.typed.open(text),
    'source.listen': (address) => listen(workspace, address),
    'source.run': async ({ command }) => ({ id: await workspace.live.run(command) }),
    'source.head': async ({ id }) => ({ lines: await workspace.source(id).firstLines() }),
    'source.raw': ({ id, ...place }) => workspace.source(id).rawLines(place),
    'source.unread': ({ id, ...place }) => workspace.source(id).unread(place),
    'source.pause': async ({ id }) => {
      await workspace.source(id).pause();
      return null;
    },
    'source.resume': async ({ id }) => {
      await workspace.source(id).resume();
      return null;
    },
    'engine.watch': () => ({ id: workspace.watchEngine() }),
    'workstation.watch': () => workspace.live.watchMachine(),
    'workstation.about': async () => (await watchPlan()).report,
    'source.close': async ({ id }) => {
      await workspace.close(id);
      return null;
    },
    'source.decoder': async ({ id, decoder, config }) => {
      await workspace.decoders.choose(id, decoder, config ?? {});
      return null;
    },
    'source.shift': ({ id, seconds }) => {
      workspace.shiftTimes(id, seconds);
      return null;
    },
    'decoder.list': () => workspace.decoders.all(),
    'decoder.preview': ({ id, decoder, config }) => workspace.decoders.preview(id, decoder, config),
    'plugin.start': async ({ id }) => {
      const decoder = /^decoder\/(\d+)$/.exec(id);
      if (decoder === null) await filters.start(id);
      else workspace.decoders.restart(Number(decoder[1]));
      return null;
    },
    'plugin.stop': async ({ id }) => {
      await filters.stop(id);
      return null;
    },
    'plugin.reload': async ({ id, keepState }) => {
      await filters.reload(id, { keepState });
      return null;
    },
    'filter.list': () => filterEditor.bundled(),
    'filter.sections': () => filterEditor.sections(),
    'filter.inputs': () => workspace.inputs(),
    'filter.set': async ({ filter, was, keepState }) => ({ step: await filterEditor.set(filter, was, keepState) }),
    'filter.wake': () => {
      filters.wake();
      return null;
    },
    'filter.remove': async ({ name }) => ({ step: await filterEditor.remove(name) }),
    'filter.undo': async ({ step }) => ({ undone: await filterEditor.undo(step) }),
    'script.about': ({ path }) => scripts.about(path),
    'script.read': ({ kind, script }) => scripts.read(kind, script),
    'script.save': (script) => filterEditor.saveScript(script),
    'script.try': (request) => workspace.tryScript(request),
    'view.open': ({ query }) => ({ view: views.open(query) }),
    'view.query': ({ view, query, near }) => {
      const changed = views.get(view);
      changed.setQuery(query, near);
      return { revision: changed.revision };
    },
    'view.close': ({ view }) => {
      views.close(view);
      return null;
    },
    'view.rows': async ({ view, start, count, columns, more = [] }) => {
      const found = views.get(view);
      const { sorted } = found;
      const page = await found.page(start, count);
      const before = more.includes('since') ? (start === 0 ? null : ((await found.page(start - 1, 1))[0] ?? null)) : undefined;
      const planOf = more.includes('summary') ? workspace.planOf : undefined;
      const rows = recordRows(page, columns, { before, planOf, countOf: (i) => sorted?.countOf(start + i) ?? 1 });
      return { total: found.total, start, rows, facts: found.facts };
    },
    'view.text': ({ view, start, count, format }) =>
      recordText(views.get(view), { ...PLAIN_FORM, format }, { start, count, most: MOST_COPIED }),
    'view.seek': async ({ view, time }) => ({ row: await views.get(view).seek(time) }),
    'view.locate': async ({ view, id }) => {
      const found = views.get(view);
      return { row: await found.locate(id), total: found.total };
    },
    'view.search': ({ view, search, near }) => {
      views.search(view, search, near);
      return null;
    },
    'view.sort': ({ view, column }) => {
      views.sort(view, column);
      return null;
    },
    'view.hits': ({ view, row }) => views.hits(view, row),
    'view.nearest': ({ view, kind, row, forward }) => views.nearest(view, kind, row, forward),
    'view.ticks': ({ view, buckets }) => views.ticks(view, buckets),
    'view.histogram': ({ view, buckets, from, to, by }) => {
      const request = { buckets, from, to };
      return by === undefined ? histogramOf(store, views.get(view), request) : histogramBy(store, views.get(view), by, request);
    },
    'view.measure': ({ view, ...query }) => views.measure(view, query),
    'view.heat': ({ view, variable, rows, ...request }) => heatMap(store, views.get(view), { variable, rows }, request),
    'view.overview': ({ view, values, field = null, again = false }) => views.overview(view, values, field, again),
    'view.patterns': ({ view, limit, variable }) => views.patterns(view, limit, variable ?? null),
    'view.operations': ({ view, ...query }) => views.operations(view, query),
    'records.compare': (sides) => differences.compare(sides),
    'export.start': (request) => ({ id: exports.start(request) }),
    'export.cancel': async ({ id }) => {
      await exports.cancel(id);
      return null;
    },
    'query.tables': () => queries.tables(),
    'query.run': ({ sql }) => queries.run(sql),
    'query.cancel': () => {
      queries.cancel();
      return null;
    },
    'query.export': ({ sql, format, path }) => ({
      id: exports.begin(path, 'row', () => (target) => queries.export(sql, format, target)),
    }),
    'lookup.list': ({ name }) => lookupList(name),
    'query.saved': () => workspace.savedQueries.list(),
    'query.save': async ({ name, sql }) => {
      await workspace.savedQueries.save(name, sql);
      return null;
    },
    'query.forget': async ({ name }) => {
      await workspace.savedQueries.forget(name);
      return null;
    },
    'record.last': () => ({ last: store.lastId }),
    'record.find': ({ source, number, time }) => {
      const { timeOffset } = workspace.source(source).info();
      return findRecord(store, { source, number, time: time === null ? null : time + timeOffset * 1000 });
    },
    'record.get': async ({ id }) => recordDetail(await workspace.record(id)),
    'record.json': async ({ id }) => ({ json: recordJson(await workspace.record(id)) }),
    'mark.list': () => marks.list(),
    'mark.set': async ({ record, on }) => {
      await marks.set(record, on);
      return null;
    },
    'mark.note': ({ key, note }) => {
      marks.note(key, note);
      return null;
    },
    'mark.remove': ({ key }) => {
      marks.remove(key);
      return null;
    },
    'rules.get': () => workspace.rules.state(),
    'rules.look': ({ path }) => workspace.rules.look(path),
    'rules.add': async ({ path }) => {
      await workspace.rules.add(path);
      return null;
    },
    'rules.remove': async ({ path }) => {
      await workspace.rules.remove(path);
      return null;
    },
    'rules.set': async ({ key, on }) => {
      await workspace.rules.set(key, on);
      return null;
    },
    'rules.run': ({ on }) => {
      workspace.rules.run(on);
      return null;
    },
    'highlighter.list': () => annotations.highlighters,
    'highlighter.set': ({ highlighters }) => {
      annotations.setHighlighters(highlighters);
      return null;
    },
    'filterSet.list': () => annotations.filterSets,
    'filterSet.set': ({ sets }) => {
      annotations.setFilterSets(sets);
      return null;
    },
    'recordGraph.list': () => annotations.recordGraphs,
    'recordGraph.set': ({ graphs }) => {
      annotations.setRecordGraphs(graphs);
      return null;
    },
    'graph.list': () => {
      filters.wake('graph');
      return payloads.graphs();
    },
    'items.list': () => {
      filters.wake('items');
      return payloads.items();
    },
    'graph.changes': ({ since }) => {
      filters.wake('graph');
      return outputs.graphs.after(since);
    },
    'items.changes': ({ since }) => {
      filters.wake('items');
      return outputs.items.after(since);
    },
    'text.list': ({ plugins }) => payloads.texts(plugins),
    'schema.changes': ({ since }) => outputs.schema.after(since),
    'notice.list': () => notices.list(),
    'workspace.size': ({ query }) => named.size(query),
    'workspace.save': ({ path, records, window }) => ({ id: named.save(path, records, window) }),
    'workspace.look': ({ path, places }) => named.look(path, places),
    'workspace.open': ({ path, places, window }) =>
      named.open(path, new Map(places.map(({ path: from, place }) => [from, place] as const)), window),
    'workspace.before': () => ({ path: named.before() }),
    'assistants.get': () => assistants.state(),
    'assistants.grant': async ({ source }) => {
      await assistants.grant(source);
      return null;
    },
    'assistants.takeBack': async ({ location }) => {
      await assistants.takeBack(location);
      return null;
    },
    'assistants.redact': async ({ on }) => {
      await assistants.redact(on);
      return null;
    },
    'assistants.forget': async () => {
      await assistants.forget();
      return null;
    },
    'incident.get': () => annotations.incident,
    'incident.set': ({ incident }) => {
      annotations.setIncident(incident);
      return null;
    },
    'incident.export': (request) => ({ id: workspace.incidents.export(request) }),
  };
}

/** Characters of records that are copied at once. */
const MOST_COPIED = 9_000_000;
/** Records without marks, and without a table. */
const PLAIN_FORM = { columns: [], labelOf: () => '', notes: new Map<number, string>() };

/**
 * Listens. What never worked is not there at the next start.
 * @throws {EngineError} `source.listen` when it cannot, `consent.refused`, `limit.reached`
 */
async function listen(workspace: Workspace, address: EngineRequests['source.listen']['in']): Promise<{ id: number }> {
  const known = workspace.state().sources.map(({ id }) => id);
  const id = await workspace.live.listen(address);
  const source = workspace.source(id);
  await source.opened;
  const { state, problem } = source.info();
  if (state !== 'failed') return { id };
  if (!known.includes(id)) await workspace.close(id);
  throw new EngineError('source.listen', problem ?? 'It cannot listen there, and gave no reason.');
}

/**
 * Answers the requests of the shell. Every request is checked first; one that is wrong, or whose work fails, is answered with a code and
 * a text, never left without an answer.
 */
export class EngineServer {
  readonly #handlers: Handlers;
  readonly #post: (message: FromEngine) => void;
  readonly #stop: () => void;
  readonly #grants: Grants;
  readonly #questions: Questions;
  readonly #newPage: () => void;

  constructor(workspace: Workspace, questions: Questions, post: (message: FromEngine) => void, stop: () => void) {
    this.#handlers = handlersOf(workspace);
    this.#grants = workspace.grants;
    this.#questions = questions;
    this.#newPage = () => {
      workspace.views.closeAll();
      workspace.queries.cancel();
    };
    this.#post = post;
    this.#stop = stop;
  }

  async receive(message: ToEngine): Promise<void> {
    if (message.kind === 'stop') {
      this.#stop();
      return;
    }
    if (message.kind === 'grant') {
      this.#grants.add(message.use, message.path);
      return;
    }
    if (message.kind === 'page') {
      this.#newPage();
      return;
    }
    if (message.kind === 'answer') {
      this.#questions.answer(message.id, message.allowed);
      return;
    }
    const { id, name, input } = message;
    try {
      this.#post({ kind: 'reply', id, ok: true, value: await this.#answer(name, input) });
    } catch (error) {
      this.#post({ kind: 'reply', id, ok: false, error: describe(error) });
    }
  }

  async #answer(name: RequestName, input: unknown): Promise<unknown> {
    if (!Object.hasOwn(this.#handlers, name)) throw new EngineError('request.unknown', `The engine knows no request ${String(name)}.`);
    const checked = requests[name].input.safeParse(input);
    if (!checked.success) {
      const { path = [], message = '' } = checked.error.issues[0] ?? {};
      throw new EngineError('request.invalid', `${name}: ${path.join('.')} ${message}`);
    }
    const handler = this.#handlers[name] as (input: unknown) => unknown;
    return handler(checked.data);
  }
}

function describe(error: unknown): Refusal {
  const code = error instanceof Error && 'code' in error && isErrorCode(error.code) ? error.code : 'engine.error';
  const place = error instanceof EngineError ? error.place : undefined;
  return { code, text: messageOf(error), place };
}
