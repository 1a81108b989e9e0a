import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const main = resolve(import.meta.dirname, '../../../engine/cli/main.ts');

export interface CliResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Standard output as lines of JSON. */
  readonly lines: () => Record<string, unknown>[];
}

/** Runs the headless command on the runtime of the tests. `input` goes to its standard input. */
export async function sluicebox(
  args: readonly string[],
  input: string | Uint8Array = '',
  env: Record<string, string> = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], { env: { ...process.env, ...env } });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((done) => child.on('close', done));
  const lines = (): Record<string, unknown>[] =>
    out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { code, out, err, lines };
}

export { main as cliMain };

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-cli-'));

/** Writes a file for a test; returns its path. */
export function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
