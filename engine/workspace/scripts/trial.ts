import { basename, join } from 'node:path';
import type { End } from '../../api/ends.ts';
import { compileExpression } from '../../matcher/expression.ts';
import { compileMatcher } from '../../matcher/matcher.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { batchOf } from '../../message/batch/builder.ts';
import { takeRows } from '../../message/batch/gather.ts';
import { nowNs } from '../../message/timestamp.ts';
import { LatestPayloads } from '../../outputs/latest-payloads.ts';
import { sandboxSpec, type SandboxStarter } from '../../plugins/sandboxes.ts';
import { readMeta } from '../../plugins/meta.ts';
import type { MetaFiles } from '../../plugins/script-constants.ts';
import { isReallyBelow } from '../../base/files/real-place.ts';
import { endOf } from '../../sandbox/contract/errors.ts';
import type { LineCount, Sandbox, SandboxReport, SandboxResult, SandboxSpec } from '../../sandbox/contract/types.ts';
import type { RecordStore } from '../../store/record-store.ts';
import { lastRecords } from '../../store/source-records.ts';
import { asRecord } from '../../detect/detect.ts';
import { withoutRow } from '../../pipeline/call-outcome.ts';
import { previewOf } from '../sources/preview.ts';
import { parametersOf } from '../common/script-about.ts';
import type { ScriptProblem, TrialMessage, TrialReply, TrialRequest } from '../../api/types.ts';

/** Messages that are shown, and different reasons for which records were refused. */
const SHOWN = 50;
const REASONS = 5;
const SHOWN_GRAPHS = 5;
/** Records that go into the sandbox together. */
const PIECE = 100;
/** A trial is over when the script has worked for so long, however many records are left. */
const MOST_WORK_MS = 4_000;
/** Upper limit of its time on the clock, for machines so busy that the script hardly gets to work. */
const MOST_MS = 40_000;
const CALL_MS = 1_000;

export interface TrialSurroundings {
  readonly starter: SandboxStarter;
  readonly store: RecordStore;
  /** Folder for a script that has no file yet. */
  readonly folder: string;
}

/**
 * Runs a script over the last records of a source in a sandbox of its own, with its limits, and says what it would do.
 * @throws {EngineError} when the matcher is wrong
 */
export async function tryScript(request: TrialRequest, { starter, store, folder }: TrialSurroundings): Promise<TrialReply> {
  const path = request.path ?? join(folder, request.typed ? 'draft.ts' : 'draft.js');
  const input = await inputOf(request, store);
  const trial = new Trial(request, path, input, isReallyBelow(path, folder) ? 'folder' : 'none');
  let sandbox: Sandbox;
  try {
    sandbox = await starter.start(trial.spec());
  } catch (error) {
    const end = endOf(error);
    if (end.code === 'failed') trial.refused(end.reason);
    else trial.ended(end);
    return trial.reply(null);
  }
  try {
    await trial.run(sandbox);
    return trial.reply(await sandbox.report());
  } finally {
    await sandbox.stop();
  }
}

const DECODED = compileMatcher('Fields[decode_failure] == NIL');

interface TrialInput {
  /** Records that there were, before the matcher. */
  readonly records: number;
  readonly batch: MessageBatch | null;
}

async function inputOf({ kind, source, records: wanted, matcher }: TrialRequest, store: RecordStore): Promise<TrialInput> {
  const last = await lastRecords(store, source, wanted);
  if (last === null) return { records: 0, batch: null };
  const records = last.raw.length;
  if (kind === 'decoder') return { records, batch: batchOf(last.raw.map((text) => asRecord(text))) };
  const rows = DECODED.select(last.batch, compileExpression(matcher).select(last.batch));
  return { records, batch: rows === null ? last.batch : takeRows(last.batch, rows) };
}

const CIRCULAR = 'its matcher selects what it injects itself, so the pipeline would end it: add && Type !~ /^svc\\./ to the matcher';
const CIRCLE: ScriptProblem = { line: 0, column: 0, text: CIRCULAR, fatal: true, end: { code: 'filter.circular', reason: CIRCULAR } };

/** The problem of a script that refuses records by a bare number. */
const NO_REASON =
  "process_message refused records without saying why: return [-1, 'the reason'] instead of -1, and the reason is shown here";

/** The state of a running trial. */
class Trial {
  readonly #request: TrialRequest;
  readonly #path: string;
  readonly #input: TrialInput;
  readonly #label: string;
  readonly #metaFiles: MetaFiles;
  readonly #messages: TrialMessage[] = [];
  readonly #payloads = new LatestPayloads();
  readonly #problems: ScriptProblem[] = [];
  readonly #reasons = new Set<string>();
  #emitted = 0;
  #processed = 0;
  #failed = 0;
  #end: End | null = null;

  /** @param metaFiles those of the window's own folder: it may read them anyway, but not those beside a script that was chosen elsewhere */
  constructor(request: TrialRequest, path: string, input: TrialInput, metaFiles: MetaFiles) {
    this.#request = request;
    this.#metaFiles = metaFiles;
    this.#path = path;
    this.#input = input;
    this.#label = labelOf(path);
  }

  /** @throws {EngineError} when the parameters are wrong */
  spec(): SandboxSpec {
    const { kind, text, config, limits } = this.#request;
    const plugin = { name: 'draft', path: this.#path, meta: readMeta(text, this.#path, this.#metaFiles) };
    return sandboxSpec(kind, plugin, { config, text, profile: true, limits: { ...limits, callMs: CALL_MS } });
  }

  async run(sandbox: Sandbox): Promise<void> {
    const { batch } = this.#input;
    const started = performance.now();
    for (let from = 0; batch !== null && from < batch.length && this.#end === null; from += PIECE) {
      if (isOver(performance.now() - started, sandbox.workMs)) break;
      const rows = Uint32Array.from({ length: Math.min(PIECE, batch.length - from) }, (_, i) => from + i);
      const result = await sandbox.process(batch, rows);
      this.#take(result, rows);
      this.#processed = result.terminated === null ? from + rows.length : result.terminated.row + 1;
    }
    const last = batch === null || batch.length === 0 ? nowNs() : (batch.timestamps[batch.length - 1] as bigint);
    if (this.#request.kind === 'filter' && this.#end === null) this.#take(await sandbox.timer(last), null);
  }

  #take({ injected, origins, failures, terminated }: SandboxResult, rows: Uint32Array | null): void {
    const length = injected?.length ?? 0;
    this.#emitted += length;
    if (injected !== null) this.#payloads.accept(this.#request.source, injected);
    if (injected !== null && this.#comesBack(injected)) this.#problems.push(CIRCLE);
    for (let i = 0; i < length && this.#messages.length < SHOWN; i++) {
      const row = rows === null ? null : origins === null ? (rows[i] ?? null) : (origins[i] ?? null);
      this.#messages.push({ row, message: previewOf((injected as MessageBatch).message(i)) });
    }
    this.#failed += failures.length;
    for (const { reason } of failures) if (this.#reasons.size < REASONS) this.#reasons.add(reason);
    if (terminated === null) return;
    this.ended(withoutRow(terminated));
  }

  /** The pipeline ends a filter that would get what it injects. */
  #comesBack(injected: MessageBatch): boolean {
    const { kind, matcher } = this.#request;
    if (kind === 'decoder' || this.#problems.includes(CIRCLE)) return false;
    return compileExpression(matcher).select(injected)?.length !== 0;
  }

  /** It cannot be started as it is asked for; the name of the plugin and the place of a draft are none of the user's. */
  refused(said: string): void {
    const text = said.replaceAll(this.#path, this.#label).replace(/^draft: /, '');
    this.#problems.push({ line: 0, column: 0, text, fatal: true });
  }

  /** The script did not load, or has ended. */
  ended(end: End): void {
    this.#end = end;
    const { place, reason } = end;
    if (place?.file !== this.#label) {
      this.#problems.push({ line: 0, column: 0, text: reason, fatal: true, end });
      return;
    }
    const { file, line, column } = place;
    // The editor shows the place at the line.
    this.#problems.push({ line, column, text: reason.replace(`${file}:${line}:${column}: `, ''), fatal: true, end });
  }

  reply(report: SandboxReport | null): TrialReply {
    const { records, batch } = this.#input;
    const { limits, text } = this.#request;
    const none = (limit: number) => ({ current: 0, maximum: 0, limit });
    const profile = report?.profile ?? [];
    const own = profile.filter(({ file, line }) => file === this.#label && line > 0);
    return {
      records,
      selected: batch?.length ?? 0,
      processed: this.#processed,
      failed: this.#failed,
      emitted: this.#emitted,
      messages: this.#messages,
      graphs: this.#payloads.graphs().slice(0, SHOWN_GRAPHS),
      problems: [...this.#problems.map((problem) => located(problem, own)), ...this.#refusals(), ...hintsOf(report)],
      lines: own.map(({ line, steps }) => ({ line, steps })),
      elsewhere: stepsOf(profile) - stepsOf(own),
      memory: report?.memory ?? none(limits.memory),
      instructions: report?.instructions ?? none(limits.instructions),
      output: report?.output ?? none(limits.output),
      averageNs: report?.averageNs ?? 0,
      parameters: this.#parameters(text),
    };
  }

  #refusals(): ScriptProblem[] {
    return [...this.#reasons].map((reason) => ({ line: 0, column: 0, text: reason === '' ? NO_REASON : reason, fatal: false }));
  }

  #parameters(text: string): TrialReply['parameters'] {
    try {
      return parametersOf({ meta: readMeta(text, this.#path, this.#metaFiles) });
    } catch {
      return null;
    }
  }
}

const isOver = (ms: number, workMs = ms): boolean => workMs > MOST_WORK_MS || ms > MOST_MS;

/** Lists calls of the script that the contract ignores without an error. */
function hintsOf(report: SandboxReport | null): ScriptProblem[] {
  return (report?.hints ?? []).map((text) => ({ line: 0, column: 0, text, fatal: false }));
}

/** The name of a script in errors and profiles. */
const labelOf = (path: string): string => basename(path).replaceAll(/[\s():]/g, '_');

const stepsOf = (lines: readonly LineCount[]): number => lines.reduce((sum, { steps }) => sum + steps, 0);

/** A script that used up its steps or its time did so where it took the most. */
function located(problem: ScriptProblem, lines: readonly LineCount[]): ScriptProblem {
  const [most] = lines;
  const code = problem.end?.code;
  const isOver = code === 'limit.instructions' || code === 'limit.time';
  return problem.line === 0 && most !== undefined && isOver ? { ...problem, line: most.line } : problem;
}
