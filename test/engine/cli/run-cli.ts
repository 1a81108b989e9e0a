import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { runCommandLine } from '../../../engine/cli/command-line.ts';
import { Output } from '../../../engine/cli/output.ts';
import { Serial } from '../../../engine/base/time/serial.ts';
import { tellLine } from '../../../engine/base/process/terminal.ts';

const main = resolve(import.meta.dirname, '../../../engine/cli/main.ts');

export interface CliResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Standard output as lines of JSON. */
  readonly lines: () => Record<string, unknown>[];
}

/**
 * Runs the headless command within this process, in which its code is loaded already: one after the other, as it uses the process's standard streams and
 * its environment. `input` is its standard input. What concerns the process itself (signals, inherited descriptors, its end) is tested with `cliMain`.
 */
export const sluicebox = (args: readonly string[], input: string | Uint8Array = '', env: Record<string, string> = {}): Promise<CliResult> =>
  turns.run(() => runHere(args, input, env));

const turns = new Serial();

async function runHere(args: readonly string[], input: string | Uint8Array, env: Record<string, string>): Promise<CliResult> {
  const stdout = new Collected();
  const stderr = new Collected();
  const stop = new AbortController();
  using _streams = replaced(process, { stdin: Readable.from(input.length === 0 ? [] : [Buffer.from(input)]), stderr });
  // Settings of the user of this machine must not change the tests.
  using _environment = withVariables({ XDG_CONFIG_HOME: folder, ...env });
  const out = new Output(stdout);
  const complain = (line: string): void => tellLine(`sluicebox: ${line}`);
  const code = await runCommandLine(args, { out, complain, signal: stop.signal });
  return { code, out: stdout.text, err: stderr.text, lines: () => linesOf(stdout.text) };
}

/** Collects what is written. */
class Collected extends Writable {
  readonly #pieces: Buffer[] = [];

  override _write(piece: Buffer | string, _encoding: string, done: () => void): void {
    this.#pieces.push(Buffer.from(piece));
    done();
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString();
  }
}

/** Gives an object other values until the result is disposed of. */
function replaced(target: object, values: Readonly<Record<string, unknown>>): Disposable {
  const before = Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(target, name) as PropertyDescriptor] as const);
  for (const [name, value] of Object.entries(values)) Object.defineProperty(target, name, { value, configurable: true });
  return { [Symbol.dispose]: () => before.forEach(([name, descriptor]) => Object.defineProperty(target, name, descriptor)) };
}

/** Sets variables of the environment until the result is disposed of. */
function withVariables(variables: Readonly<Record<string, string>>): Disposable {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  const restore = ([name, value]: (typeof before)[number]): void => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  return { [Symbol.dispose]: () => before.forEach(restore) };
}

const linesOf = (out: string): Record<string, unknown>[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

export { main as cliMain };

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-cli-'));

/** Writes a file for a test; returns its path. */
export function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
