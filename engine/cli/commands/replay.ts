import { endEntry } from '../../api/ends.ts';
import { Store } from '../../lake/store.ts';
import { storedMessages } from '../../lake/stored-messages.ts';
import { compileMatcher } from '../../matcher/matcher.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { takeRows } from '../../message/batch/gather.ts';
import { parseTimestamp } from '../../message/timestamp.ts';
import { LatestPayloads } from '../../outputs/latest-payloads.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import { parseParameters, type Config } from '../../plugins/parameters.ts';
import { sandboxSpec } from '../../plugins/sandboxes.ts';
import type { Sandboxes } from '../../plugins/starter.ts';
import type { PluginScript } from '../../plugins/types.ts';
import { tellProgress } from '../../base/process/terminal.ts';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { commandSandboxes } from '../command-sandboxes.ts';
import { parseExpression } from '../expression.ts';
import { endedText } from '../failures.ts';
import { keepHeapSmall } from '../heap.ts';
import { mapInOrder } from '../in-order.ts';
import { MessagePrinter } from '../message-printer.ts';
import { JsonAnswers, TextAnswers, type AnswerPrinter } from '../replay/print-answers.ts';
import { ReplayedFilter } from '../replay/replayed-filter.ts';
import { parseArguments, parseChoice, parseCount, parseSettings, SANDBOX_HELP, SANDBOX_OPTIONS, takeSandboxOptions } from '../settings.ts';
import { tellBroken } from '../store/complaints.ts';

const help = `Usage: sluicebox replay --store DIR [OPTIONS] FILTER…

Runs filters over the messages of a store, on the clock of the messages, and prints the graphs, lists and alerts that they would have
made then. The messages of a log come in the order of its text, those of several logs by their times. No filter gets what another one injects.

  sluicebox replay --store ~/logs -s rows=1440 http_status
  sluicebox replay --store ~/logs --from 2026-11-01T00:00:00Z --to 2026-11-02T00:00:00Z --where 'Fields[status] >= 500' my-filter.ts

FILTER is the name of a bundled filter or the path of a script (.js, .ts).

      --store DIR           the folder of the store, which sluicebox import fills
      --from TIME, --to TIME
                            messages from one time on and before the other: dates as 2026-11-01T00:00:00Z, or nanoseconds since 1970
      --where MATCHER       the messages that the filters get, as message_matcher does it in a configuration; the others move the clock, too
      --table NAME          only the messages of this table; may be given several times
  -s KEY=VALUE              sets a parameter of the filters that have it; may be given several times
      --ticker SECONDS      time between two ticks (60); there is a last one at the end
${SANDBOX_HELP}      --format text|json|messages
                            what is printed: tables for people, an object a line, or all that the filters inject, as sluicebox filter prints it
`;

/** Batches that filters work on while others are read. */
const IN_FLIGHT = 3;

export const replay: Command = {
  help,
  async run(args, context) {
    keepHeapSmall();
    const { values, positionals } = parseArguments(args, {
      store: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      where: { type: 'string' },
      table: { type: 'string', multiple: true, default: [] },
      set: { type: 'string', short: 's', multiple: true, default: [] },
      ticker: { type: 'string', default: '60' },
      ...SANDBOX_OPTIONS,
      format: { type: 'string', default: 'text' },
    });
    if (values.store === undefined || positionals.length === 0)
      throw new UsageError('replay needs a store and a filter: --store DIR FILTER…');
    const format = parseChoice('--format', values.format, ['text', 'json', 'messages']);
    const ticker = parseCount('--ticker', values.ticker);
    if (ticker === 0) throw new UsageError('--ticker must be a whole number from 1 on');
    const wanted = {
      from: parseTime('--from', values.from),
      to: parseTime('--to', values.to),
      tables: values.table.length === 0 ? null : new Set(values.table.map((name) => name.toLowerCase())),
    };
    const modules = takeSandboxOptions(values);
    const where = values.where === undefined ? null : parseExpression('--where', values.where);
    const plugins = positionals.map((name) => findPlugin('filter', name));
    const configs = configsOf(plugins, parseSettings(values.set));
    using store = Store.toRead(values.store);
    const isBroken = tellBroken(store, context.complain, { areSetAside: false });
    for (const name of wanted.tables ?? [])
      if (!store.tables().some((table) => table.name.toLowerCase() === name)) throw new UsageError(`the store has no table ${name}`);
    const sandboxes = commandSandboxes(Math.min(2, plugins.length));
    try {
      const run = new Replay(context, format);
      for (const [i, plugin] of plugins.entries()) {
        const name = plugins.indexOf(plugin) === i ? plugin.name : `${plugin.name} ${i + 1}`;
        const spec = sandboxSpec('filter', plugin, { config: configs[i] ?? {}, modules, clock: 'message', name });
        await run.add(sandboxes, spec, { ticker, where });
      }
      const code = await run.over(storedMessages(store, wanted));
      return code === Exit.ok && isBroken ? Exit.failed : code;
    } finally {
      await sandboxes.close();
    }
  },
};

function parseTime(option: string, text: string | undefined): bigint | null {
  if (text === undefined) return null;
  // A day, or a time without its zone, is meant in UTC.
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text.replace(/^(\S{10})[T ]([\d:.]+)$/, '$1T$2Z');
  const time = parseTimestamp(date);
  if (time === null) throw new UsageError(`${option} must be a time such as 2026-11-01T08:00:00Z, not '${text}'`);
  return time;
}

/** The parameters of each filter. A setting goes to those that declare it, and to scripts that declare nothing. */
function configsOf(plugins: readonly PluginScript[], settings: Readonly<Record<string, string>>): Config[] {
  const takes = ({ meta }: PluginScript, name: string): boolean => meta === null || Object.hasOwn(meta.parameters, name);
  const own = plugins.map((plugin) => Object.fromEntries(Object.entries(settings).filter(([name]) => takes(plugin, name))));
  const unknown = Object.keys(settings).filter((name) => !plugins.some((plugin) => takes(plugin, name)));
  // The error of a filter that is given all of them says which parameters there are.
  if (unknown.length > 0 && plugins[0] !== undefined) parseParameters(plugins[0], settings);
  return plugins.map((plugin, i) => parseParameters(plugin, own[i] ?? {}));
}

const DECODED = compileMatcher('Fields[decode_failure] == NIL');

/** The messages without the records that a decoder refused, which a run over the files gives to no filter. */
function decodedOf(batch: MessageBatch): MessageBatch {
  const rows = DECODED.select(batch);
  return rows === null ? batch : takeRows(batch, rows);
}

type Spec = ReturnType<typeof sandboxSpec>;
type FilterTerms = Pick<ConstructorParameters<typeof ReplayedFilter>[0], 'ticker' | 'where'>;

/** A replay under way. */
class Replay {
  readonly #context: CommandContext;
  readonly #filters: ReplayedFilter[] = [];
  readonly #payloads = new LatestPayloads();
  readonly #answers: AnswerPrinter | null;
  /** Batches of injected messages that are still to be printed. */
  #injected: MessageBatch[] = [];
  readonly #refused = new Map<string, { count: number; readonly first: string }>();
  #anyEnded = false;

  constructor(context: CommandContext, format: 'text' | 'json' | 'messages') {
    const { out } = context;
    this.#context = context;
    this.#answers = format === 'messages' ? null : format === 'json' ? new JsonAnswers(out) : new TextAnswers(out);
  }

  async add(sandboxes: Sandboxes, spec: Spec, terms: FilterTerms): Promise<void> {
    const { name } = spec;
    const { complain } = this.#context;
    const filter = new ReplayedFilter({
      ...terms,
      sandbox: await sandboxes.start(spec),
      onInjected: (batch) => this.#injected.push(batch),
      onFailures: (failures) => {
        const refused = this.#refused.get(name) ?? { count: 0, first: failures[0]?.reason ?? '' };
        refused.count += failures.length;
        this.#refused.set(name, refused);
      },
      onTerminated: (end) => {
        this.#anyEnded = true;
        complain(`${name}: ${endedText('filter', end)}`);
        const { advice } = endEntry(end.code);
        if (advice !== '') complain(advice);
      },
    });
    this.#filters.push(filter);
  }

  /** @returns the exit code */
  async over(batches: AsyncIterable<MessageBatch>): Promise<number> {
    const { signal, out, complain } = this.#context;
    let rows = 0;
    const progress = tellProgress(() => `${rows.toLocaleString('en')} messages`);
    try {
      const take = (batch: MessageBatch): Promise<number> => {
        const messages = decodedOf(batch);
        return Promise.all(this.#filters.map((filter) => filter.take(messages))).then(() => batch.length);
      };
      for await (const taken of mapInOrder(batches, take, IN_FLIGHT, signal)) {
        rows += taken;
        await this.#print();
        if (signal.aborted || this.#filters.every(({ ended }) => ended)) break;
      }
      if (signal.aborted) return out.closed ? Exit.ok : Exit.interrupted;
      for (const filter of this.#filters) await filter.end();
      await this.#print();
    } finally {
      progress.end();
    }
    await this.#answers?.end(this.#payloads);
    if (rows === 0) complain('the store has no messages there');
    for (const [name, { count, first }] of this.#refused)
      complain(`${name}: process_message failed for ${count === 1 ? 'a message' : `${count} messages`}${first === '' ? '' : `: ${first}`}`);
    return this.#anyEnded || this.#refused.size > 0 ? Exit.failed : Exit.ok;
  }

  async #print(): Promise<void> {
    const { out } = this.#context;
    const printer = new MessagePrinter(out);
    for (const batch of this.#injected.splice(0)) {
      if (this.#answers === null) {
        await printer.print(batch);
        continue;
      }
      const { alerts } = this.#payloads.accept(0, batch);
      for (const { plugin, text, row } of alerts) this.#answers.alert({ plugin, text, timeNs: batch.timestamps[row] as bigint });
    }
    await out.flush();
  }
}
