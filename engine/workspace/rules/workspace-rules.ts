import { existsSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RULE_LEVELS } from '../../api/rule-fields.ts';
import type { RuleFolder, RulesLook, RulesProgress, RulesState } from '../../api/rule-types.ts';
import { EngineError, messageOf } from '../../base/errors.ts';
import { Serial } from '../../base/time/serial.ts';
import { Throttle } from '../../base/time/throttle.ts';
import { firstIndex } from '../../message/binary-search.ts';
import type { RecordStore } from '../../store/record-store.ts';
import type { Segment } from '../../store/segment.ts';
import type { Grants } from '../common/grants.ts';
import type { Notices } from '../common/notices.ts';
import { KeptFile } from '../marks/kept-file.ts';
import { HitBook } from './hit-book.ts';
import { NOTICE_LEVELS, RuleAlerts } from './rule-alerts.ts';
import type { Found, Loaded, RuleFacts } from './rule-protocol.ts';
import { RuleSearch } from './rule-search.ts';
import { RuleWorker } from './rule-worker.ts';
import { formatChoices, NO_CHOICES, parseChoices, type RuleChoices } from './rules-file.ts';

/** The rules that come with Sluicebox. */
const BUNDLED_RULES = fileURLToPath(new URL('../../../resources/rules/', import.meta.url));
/** Milliseconds between two events, and two times that views look at hits: while records are searched, and after. */
const [BUSY_MS, CALM_MS] = [1000, 250];
/** Rules that a summary names. */
const MOST_NAMED = 3;
const MOST_FOLDERS = 20;
const NOTHING: Loaded = { loaded: 0, refused: 0, faults: [], withoutDecoder: [], rules: [] };

interface RulesOptions {
  readonly store: RecordStore;
  /** Of the workspace. */
  readonly folder: string;
  readonly lookups: string;
  readonly grants: Grants;
  readonly notices: Notices;
  readonly changed: (progress: RulesProgress) => void;
}

/** The Sigma rules of a workspace: they are run on all records in a thread, again when rules or sources change. Their hits are fields of the records. */
export class WorkspaceRules {
  readonly #options: RulesOptions;
  readonly #own: string;
  readonly #file: KeptFile<RuleChoices>;
  #choices: RuleChoices;
  readonly #turns = new Serial();
  readonly #tell = new Throttle(
    () => this.#tellNow(),
    () => (this.#isBusy ? BUSY_MS : CALM_MS),
  );
  readonly #hints: FSWatcher | null;
  #worker: RuleWorker | null = null;
  #loaded = NOTHING;
  #book = new HitBook([]);
  #search: RuleSearch | null = null;
  #alerts: RuleAlerts | null = null;
  #loading = false;
  #closed = false;
  /** Whether the folder beside the workspace file was there when rules were loaded. */
  #runsOwn = false;
  #problem: string | null = null;
  #version = 0;
  /** Number of the first record that has other hits than views know; null: there is none. */
  #altered: number | null = null;
  /** Numbers of rules that are true of records that were there, and keys of those that were told. */
  readonly #untold = new Set<number>();
  readonly #told = new Set<string>();

  constructor(options: RulesOptions) {
    this.#options = options;
    this.#own = join(options.folder, 'rules');
    this.#file = new KeptFile({
      path: join(options.folder, 'rules.json'),
      parse: parseChoices,
      format: formatChoices,
      failed: (text) => options.notices.say('warning', 'marks.file', text),
    });
    this.#choices = this.#file.read() ?? NO_CHOICES;
    this.#hints = hintsOf(options.folder, () => void this.#lookForOwn());
    if (this.#folders().length > 0) void this.#load();
  }

  get progress(): RulesProgress {
    const search = this.#search;
    const isDone = search === null || search.complete;
    const state = this.#loading ? 'loading' : search === null ? 'none' : search.stopped ? 'stopped' : isDone ? 'ready' : 'searching';
    const { records } = this.#options.store;
    return {
      state,
      searched: Math.min(search?.searched ?? 0, records),
      of: records,
      hits: this.#book.hits,
      version: this.#version,
      problem: this.#problem,
    };
  }

  state(): RulesState {
    void this.#lookForOwn();
    const { rules: _, ...look } = this.#loaded;
    return {
      ...this.progress,
      ...look,
      own: this.#own,
      folders: this.#folders(),
      rules: this.#book.infos(new Set(this.#choices.off)),
    };
  }

  /**
   * Reads the rules of a folder without running them.
   * @param path null: those that come with Sluicebox
   * @throws {EngineError} `file.ungranted`, `rules.unreadable`
   */
  async look(path: string | null): Promise<RulesLook> {
    const folder = this.#allowed(path);
    const worker = new RuleWorker(() => undefined);
    try {
      const { rules: _, ...look } = await worker.load({ paths: [folder], off: [], lookups: this.#options.lookups });
      return look;
    } catch (cause) {
      throw new EngineError('rules.unreadable', messageOf(cause), { cause });
    } finally {
      await worker.close();
    }
  }

  /** Runs the rules of a folder, too. @param path null: those that come with Sluicebox @throws {EngineError} `file.ungranted`, `limit.reached` */
  async add(path: string | null): Promise<void> {
    const folder = this.#allowed(path);
    const { folders } = this.#choices;
    if (path === null) this.#choose({ bundled: true });
    else if (folders.length >= MOST_FOLDERS) throw new EngineError('limit.reached', `There are at most ${MOST_FOLDERS} folders of rules.`);
    else this.#choose({ folders: [...folders.filter((one) => one !== folder), folder] });
    await this.#load();
  }

  /** Runs the rules of a folder no more. @param path null: those that come with Sluicebox */
  async remove(path: string | null): Promise<void> {
    if (path === null) this.#choose({ bundled: false });
    else this.#choose({ folders: this.#choices.folders.filter((one) => one !== path) });
    await this.#load();
  }

  /** Switches a rule on or off. */
  async set(key: string, on: boolean): Promise<void> {
    const others = this.#choices.off.filter((one) => one !== key);
    this.#choose({ off: on ? others : [...others, key] });
    await this.#load();
  }

  /** Stops the search, or goes on with it. */
  run(on: boolean): void {
    if (on) this.#search?.resume();
    else this.#search?.stop();
    this.#tell.request(0);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#hints?.close();
    this.#tell.stop();
    this.#end();
    await this.#turns.idle();
    await this.#worker?.close();
    await this.#file.settled();
  }

  #folders(): RuleFolder[] {
    const { bundled, folders } = this.#choices;
    return [
      ...(existsSync(this.#own) ? [{ kind: 'own' as const, path: this.#own }] : []),
      ...(bundled ? [{ kind: 'bundled' as const, path: BUNDLED_RULES }] : []),
      ...folders.map((path) => ({ kind: 'chosen' as const, path })),
    ];
  }

  #allowed(path: string | null): string {
    if (path === null) return BUNDLED_RULES;
    if (!this.#options.grants.has('rules', path)) throw new EngineError('file.ungranted', `Nobody chose ${path} as a folder of rules.`);
    return path;
  }

  #choose(part: Partial<RuleChoices>): void {
    this.#choices = { ...this.#choices, ...part };
    this.#file.write(this.#choices);
  }

  /** The folder beside the workspace file may come and go. */
  async #lookForOwn(): Promise<void> {
    const isThere = existsSync(this.#own);
    if (isThere !== this.#runsOwn) await this.#load();
  }

  /** Loads the rules, and searches all records anew. */
  #load(): Promise<void> {
    this.#runsOwn = existsSync(this.#own);
    this.#loading = true;
    this.#tell.request();
    return this.#turns.run(async () => {
      const folders = this.#folders();
      this.#end();
      try {
        if (folders.length === 0) {
          await this.#worker?.close();
          this.#worker = null;
          this.#loaded = NOTHING;
        } else {
          this.#worker ??= new RuleWorker(() => void this.#load());
          const paths = folders.map(({ path }) => path);
          const before = this.#loaded;
          this.#loaded = await this.#worker.load({ paths, off: this.#choices.off, lookups: this.#options.lookups });
          this.#tellFaults(before);
        }
        this.#problem = null;
      } catch (error) {
        this.#problem = messageOf(error);
        this.#options.notices.say('warning', 'rules', `The rules are not run: ${this.#problem}`);
        await this.#worker?.close();
        this.#worker = null;
        this.#loaded = NOTHING;
      }
      this.#loading = false;
      this.#begin();
    });
  }

  /** Tells of the first rule that is broken now and was not before. */
  #tellFaults({ faults: before }: Loaded): void {
    const known = new Set(before.map(({ file, line, text }) => `${file}:${line}: ${text}`));
    const fault = this.#loaded.faults.find(({ file, line, text, kept }) => kept === true && !known.has(`${file}:${line}: ${text}`));
    if (fault === undefined) return;
    const { file, line, rule, text } = fault;
    const name = rule === '' ? '' : `${rule}: `;
    this.#options.notices.say('warning', 'rules', `${file}:${line}: ${name}${text}. The rule is run as it was before.`);
  }

  /** Ends what is searched, and forgets its hits. */
  #end(): void {
    this.#search?.close();
    this.#search = null;
    this.#alerts?.close();
  }

  #begin(): void {
    const { store } = this.#options;
    const worker = this.#worker;
    this.#end();
    this.#book = new HitBook(this.#loaded.rules);
    this.#altered = null;
    this.#untold.clear();
    store.setLater(worker === null ? null : this.#book);
    if (worker !== null) {
      worker.begin();
      this.#alerts = new RuleAlerts(this.#loaded.rules, (level, text, about) => this.#options.notices.say(level, 'alert', text, about));
      this.#search = new RuleSearch({
        store,
        search: (bytes, rows) => worker.search(bytes, rows),
        found: (segment, found, fresh) => this.#found(segment, found, fresh),
        removed: () => this.#again(),
        failed: (error) => this.#failed(error),
      });
    }
    this.#tell.request();
  }

  /** Searches anew, once whoever removes records is done. */
  #again(): void {
    this.#end();
    setImmediate(() => {
      if (this.#search === null && !this.#loading && !this.#closed) this.#begin();
    });
  }

  #failed(error: unknown): void {
    this.#problem = messageOf(error);
    this.#options.notices.say('warning', 'rules', `The rules are not run any more: ${this.#problem}`);
    this.#tell.request();
  }

  #found(segment: Segment, found: Found, fresh: boolean): void {
    const { rows } = found;
    if (rows.length > 0) {
      this.#book.add(segment.firstId, found);
      this.#altered = Math.min(this.#altered ?? Infinity, segment.firstId + (rows[0] as number));
      if (fresh) this.#alerts?.take(found);
      else for (const rule of found.rules) this.#untold.add(rule);
    }
    this.#tell.request();
  }

  get #isBusy(): boolean {
    return this.#search !== null && !this.#search.complete;
  }

  #tellNow(): void {
    const { store, changed } = this.#options;
    this.#version++;
    if (this.#altered !== null) {
      const { segments } = store;
      const id = this.#altered;
      this.#altered = null;
      store.altered(Math.max(0, firstIndex(segments.length, (i) => (segments[i] as Segment).firstId > id) - 1));
    }
    changed(this.progress);
    // The search ends after its last word.
    if (this.#isBusy) this.#tell.request();
    else this.#summarise();
  }

  /** Tells of rules that are true of records that were there, each once. */
  #summarise(): void {
    if (this.#search === null || this.#search.stopped) return;
    const { rules } = this.#loaded;
    const found = [...this.#untold].map((rule) => rules[rule] as RuleFacts).filter(({ key }) => !this.#told.has(key));
    this.#untold.clear();
    if (found.length === 0) return;
    for (const { key } of found) this.#told.add(key);
    found.sort((a, b) => RULE_LEVELS.indexOf(b.level) - RULE_LEVELS.indexOf(a.level));
    const [worst] = found as [RuleFacts];
    const named = found.slice(0, MOST_NAMED).map(({ title, level }) => `${title} (${level})`);
    const more = found.length > MOST_NAMED ? ` and ${found.length - MOST_NAMED} more` : '';
    const about = { rule: found.length === 1 ? worst.title : '' };
    const verb = found.length === 1 ? 'rule has' : 'rules have';
    const text = `${found.length} ${verb} hits: ${named.join(', ')}${more}`;
    this.#options.notices.say(NOTICE_LEVELS[worst.level], 'alert', text, about);
  }
}

/** Hears of changes in the folder of the workspace; null: it sends no events. */
function hintsOf(folder: string, changed: () => void): FSWatcher | null {
  try {
    const hints = watch(folder, { persistent: false }, (_event, name) => {
      if (name === 'rules') changed();
    });
    hints.on('error', () => hints.close());
    return hints;
  } catch {
    return null;
  }
}
