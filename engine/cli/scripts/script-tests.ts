import { readTextSync } from '../../base/files/regular-file.ts';
import { printableLines } from '../../api/printable.ts';
import { Exit, UsageError, type CommandContext } from '../command.ts';
import { differing, isRecord, MADE_AT, matches, shown } from '../expected.ts';
import { EngineError, messageOf } from '../../base/errors.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { BatchBuilder } from '../../message/batch/builder.ts';
import { messageOf as messageFrom, timerOf } from '../../message/json/json-parse.ts';
import type { Message } from '../../message/types.ts';
import { encodeWithScript } from '../../outputs/script-encoder.ts';
import { sandboxSpec, type SandboxStarter, type SpecOptions } from '../../plugins/sandboxes.ts';
import type { Config } from '../../plugins/parameters.ts';
import type { PluginScript } from '../../plugins/types.ts';
import type { InputSandbox, Sandbox, SandboxKind, SandboxResult } from '../../sandbox/contract/types.ts';
import { givenTexts } from '../given-input.ts';

/**
 * One case of a script's tests: its parameters, what goes in, and either what comes out or why the last input is refused. A text that goes in is
 * the payload of a message, or a piece of what an input reads; `{"timer": time}` calls timer_event. When nothing came of the messages, a filter's timer is called at the time of the last.
 */
interface ScriptTest {
  readonly title: string;
  readonly config: Config;
  readonly in: readonly unknown[];
  readonly out: readonly unknown[];
  readonly fails: string | null;
}

/** Bytes of a table of tests. */
const MOST_BYTES = 64 << 20;
/** Characters shown of each text in a difference. */
const LONGEST = 200;

/** The result of a case: its output, or the reason why it failed. */
interface Brought {
  readonly out: unknown[];
  readonly fails: string | null;
}

/**
 * The path of a script's tests: what the command line names, or beside the script.
 * @throws {UsageError}
 */
export function testTableOf(script: string, given: readonly string[]): string {
  if (given.length > 1) throw new UsageError('--test takes one table.');
  return given[0] ?? script.replace(/\.\w+$/, '.test.json');
}

interface TestRun {
  readonly kind: SandboxKind;
  readonly plugin: PluginScript;
  /** Path of the table. */
  readonly table: string;
  readonly options: SpecOptions;
  readonly starter: SandboxStarter;
  readonly context: CommandContext;
}

/**
 * Runs the cases of a table, each in a sandbox of its own, and prints the results in the Test Anything Protocol.
 * @throws {EngineError} `tests.unreadable`
 * @returns the exit code
 */
export async function runScriptTests(run: TestRun): Promise<number> {
  const { context, table } = run;
  const cases = readTable(table);
  let failed = 0;
  context.out.add(`1..${cases.length}\n`);
  for (const [i, test] of cases.entries()) {
    if (context.signal.aborted) return context.out.closed ? Exit.ok : Exit.interrupted;
    const brought = await bring(test, run);
    const passed = isAsExpected(test, brought, run.kind);
    if (!passed) failed++;
    context.out.addLine(`${passed ? 'ok' : 'not ok'} ${i + 1} - ${test.title}`);
    if (!passed) context.out.add(printableLines(difference(test, brought)));
    await context.out.flush();
  }
  return failed === 0 ? Exit.ok : Exit.failed;
}

function readTable(path: string): ScriptTest[] {
  let json: unknown;
  try {
    json = JSON.parse(readTextSync(path, MOST_BYTES));
  } catch (error) {
    throw new EngineError('tests.unreadable', `the tests ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  if (!Array.isArray(json)) throw new EngineError('tests.unreadable', `${path}: a list of tests is expected`);
  return json.map((entry: unknown, i) => testOf(entry, `${path}: test ${i + 1}`));
}

function testOf(entry: unknown, where: string): ScriptTest {
  const wrong = (what: string): EngineError => new EngineError('tests.unreadable', `${where}: ${what}`);
  if (!isRecord(entry)) throw wrong('an object is expected');
  const { title = where, config = {}, in: input, out, fails = null, ...rest } = entry;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw wrong(`${unknown} is not known; a test has title, config, in, and out or fails`);
  if (typeof title !== 'string') throw wrong('title must be a text');
  if (!isRecord(config)) throw wrong('config must be an object');
  if (input === undefined) throw wrong('in is missing');
  if ((out === undefined) === (fails === null)) throw wrong('either out or fails is needed');
  if (fails !== null && typeof fails !== 'string') throw wrong('fails must be the reason, a text');
  return { title, config: config as Config, in: listOf(input), out: out === undefined ? [] : listOf(out), fails };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** Runs one case. A script that does not start, or ends, fails with that as its reason. */
async function bring(test: ScriptTest, { kind, plugin, options, starter }: TestRun): Promise<Brought> {
  let sandbox: Sandbox;
  try {
    const ports = { writes: kind === 'output', reads: 'chunks' as const };
    sandbox = await starter.start(sandboxSpec(kind, plugin, { ...options, ...ports, config: test.config }));
  } catch (error) {
    return { out: [], fails: messageOf(error) };
  }
  try {
    if (kind === 'input') return await bringRead(sandbox as Sandbox & InputSandbox, test.in);
    return kind === 'encoder' ? await bringEncoded(sandbox, test.in) : await bringMessages(sandbox, test.in);
  } catch (error) {
    return { out: [], fails: messageOf(error) };
  } finally {
    await sandbox.stop();
  }
}

async function bringMessages(sandbox: Sandbox, inputs: readonly unknown[]): Promise<Brought> {
  const out: (Message | string)[] = [];
  let last = BigInt(MADE_AT);
  let timed = !['filter', 'output'].includes(sandbox.spec.kind);
  for (const input of inputs) {
    const tick = isRecord(input) && 'timer' in input ? timerOf(input.timer) : null;
    timed ||= tick !== null;
    const batch = tick === null ? batchOf(input) : null;
    if (batch !== null) last = batch.timestamps[0] as bigint;
    const result = batch === null ? await sandbox.timer(tick as bigint) : await sandbox.process(batch, null);
    const failed = addResult(result, out);
    if (failed !== null) return { out, fails: failed };
  }
  if (!timed && out.length === 0) {
    const result = await sandbox.timer(last);
    const failed = addResult(result, out);
    if (failed !== null && result.terminated?.code !== 'script.timer-missing') return { out, fails: failed };
  }
  return { out, fails: null };
}

/** Returns why the script refused a message or ended, or null. */
function addResult({ injected, written = [], failures, terminated }: SandboxResult, out: (Message | string)[]): string | null {
  out.push(...written.map((record) => Buffer.from(record).toString()));
  for (let row = 0; row < (injected?.length ?? 0); row++) out.push((injected as MessageBatch).message(row));
  return terminated?.reason ?? failures[0]?.reason ?? null;
}

/** An input reads the texts, as pieces of one stream. */
async function bringRead(sandbox: InputSandbox, inputs: readonly unknown[]): Promise<Brought> {
  const out: Message[] = [];
  const source = await givenTexts(inputs.map(String), async (batch) => {
    for (let row = 0; row < batch.length; row++) out.push(batch.message(row));
  });
  const end = await sandbox.run((batch) => source.take(batch), source);
  await source.abandon();
  if ('reason' in end) return { out, fails: end.reason };
  return { out, fails: end.code === 0 ? null : end.text };
}

async function bringEncoded(sandbox: Sandbox, inputs: readonly unknown[]): Promise<Brought> {
  const out: string[] = [];
  for (const input of inputs) {
    const { pieces, failures, terminated } = await encodeWithScript(sandbox, batchOf(input), null);
    for (const piece of pieces) out.push(Buffer.from(piece).toString());
    const failed = terminated?.reason ?? failures[0]?.reason ?? null;
    if (failed !== null) return { out, fails: failed };
  }
  return { out, fails: null };
}

function batchOf(input: unknown): MessageBatch {
  const builder = new BatchBuilder();
  const headers: unknown = typeof input === 'string' ? { Payload: input } : input;
  builder.append(messageFrom(isRecord(headers) ? { Timestamp: MADE_AT, ...headers } : headers));
  return builder.build();
}

function isAsExpected(test: ScriptTest, { out, fails }: Brought, kind: SandboxKind): boolean {
  if (test.fails !== null || fails !== null) return test.fails === fails;
  if (out.length !== test.out.length) return false;
  const isText = kind === 'encoder' || kind === 'output';
  return test.out.every((expected, i) => (isText ? expected === out[i] : matches(expected, out[i] as Message)));
}

/** Formats the expected and the actual result as comments of the protocol. */
function difference(test: ScriptTest, brought: Brought): string {
  const what = ({ out, fails }: { readonly out: readonly unknown[]; readonly fails: string | null }): string =>
    fails === null ? shown(out, LONGEST) : `fails: ${JSON.stringify(fails)}`;
  const lines = [`expected ${what(test)}`, `but got  ${what(brought)}`, ...differencesIn(test, brought)];
  return lines.map((line) => `#   ${line}\n`).join('');
}

/** Names the headers and fields in which the messages differ from what the test expects of them. */
function differencesIn(test: ScriptTest, { out, fails }: Brought): string[] {
  if (test.fails !== null || fails !== null || out.length !== test.out.length) return [];
  return test.out.flatMap((expected, i) => {
    const names = isRecord(out[i]) ? differing(expected, out[i] as unknown as Message) : [];
    return names.length === 0 ? [] : [`message ${i + 1} differs in ${names.join(', ')}`];
  });
}
