import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { testMs } from '../patience.ts';
import { freePort } from '../ports.ts';

export const root = resolve(import.meta.dirname, '../..');

interface Block {
  readonly language: string;
  /** Word behind the language: the name of a file, `install`, `root` or `service`. */
  readonly word: string;
  readonly text: string;
}

/** The code blocks of a page, in order. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w+)(.*)\n([^]*?)^```$/gm)].map(([, language = '', word = '', code = '']) => ({
    language,
    word: word.trim(),
    text: code,
  }));
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Whether `output` has these lines, in this order and perhaps others between them; `…` stands for any text in a line. */
function hasLines(output: string, lines: string): boolean {
  const expected = lines
    .trim()
    .split('\n')
    .map((line) => new RegExp(`^${line.trim().split('…').map(escaped).join('.*')}$`));
  let next = 0;
  for (const line of output.split('\n')) if (expected[next]?.test(line.trim()) === true) next++;
  return next === expected.length;
}

interface Ran {
  readonly status: number | null;
  /** Of both streams, one behind the other. */
  readonly output: string;
}

/** Runs a program to its end, for as long as a test may last; meanwhile the tests' own process goes on. */
function ran(program: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Ran> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: testMs() });
  const texts = [child.stdout, child.stderr].map((stream) => text(stream));
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (status) => void Promise.all(texts).then((all) => done({ status, output: all.join('') }), fail));
  });
}

/** The folder that a reader of a page works in, with the command on the PATH, and the service that the reader has started. */
class Reader {
  readonly #base = mkdtempSync(join(tmpdir(), 'sluicebox-walk-'));
  readonly #env: NodeJS.ProcessEnv;
  readonly folder = join(this.#base, 'work');
  /** Folder with the `/etc`, `/opt` and `/var` of the pages. */
  readonly #machine = join(this.#base, 'machine');
  readonly #port: number;
  #service: ChildProcess | null = null;
  #ended: Promise<number | null> = Promise.resolve(0);
  #output = '';

  /** @param port in place of 5565, which another test may have */
  constructor(port: number) {
    this.#port = port;
    const bin = join(this.#base, '.local/bin');
    mkdirSync(join(this.#base, 'stubs'), { recursive: true });
    mkdirSync(this.folder);
    const env = { ...process.env, HOME: this.#base, SLUICEBOX_DATA: join(this.#base, 'data') };
    this.#env = { ...env, PATH: [bin, join(this.#base, 'stubs'), process.env['PATH'] ?? ''].join(delimiter) };
    this.#command('stubs/npm', '#!/bin/sh\n[ "$1" = ci ]\n');
    this.#command('stubs/git', '#!/bin/sh\n[ "$1" = clone ] && ln -s "$2" "$3"\n');
    this.#command('stubs/useradd', '#!/bin/sh\n');
    for (const folder of ['etc/systemd/system', 'opt', 'var/log']) mkdirSync(join(this.#machine, folder), { recursive: true });
    const systemctl = `'${process.execPath}' '${join(import.meta.dirname, 'systemctl-child.ts')}' '${this.#machine}'`;
    for (const program of ['systemctl', 'journalctl']) this.#command(`stubs/${program}`, `#!/bin/sh\nexec ${systemctl} ${program} "$@"\n`);
  }

  /** Text of a page with its paths and port replaced by those of this walk. */
  mapped(text: string): string {
    return text.replaceAll(/\/(etc|opt|var)\//g, `${this.#machine}/$1/`).replaceAll('5565', String(this.#port));
  }

  /** Puts the command on the PATH, for pages that take for granted that it is there. */
  install(): void {
    mkdirSync(join(this.#base, '.local/bin'), { recursive: true });
    const main = join(root, 'engine/cli/main.ts');
    this.#command('.local/bin/sluicebox', `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${main}' "$@"\n`);
  }

  write(name: string, text: string): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Runs commands, which succeed or fail; returns what they print on both streams. */
  async run(text: string, cwd = this.folder, fails = false): Promise<string> {
    const { status, output } = await ran('sh', ['-e', '-c', text], { cwd, env: this.#env });
    expect({ failed: status !== 0, output }).toMatchObject({ failed: fails });
    return output;
  }

  /** Starts a service, as in a terminal of its own, when the one before has ended. */
  async start(text: string): Promise<void> {
    await this.ended();
    this.#output = '';
    const service = spawn('sh', ['-c', `exec ${text}`], { cwd: this.folder, env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [service.stdout, service.stderr]) stream.on('data', (data: Buffer) => (this.#output += data.toString()));
    this.#service = service;
    this.#ended = new Promise((done) => service.on('close', done));
  }

  async prints(lines: string): Promise<void> {
    await expect.poll(() => hasLines(this.#output, lines) || this.#output).toBe(true);
  }

  /** Waits for the end of the service, which the page has asked for. */
  async ended(): Promise<void> {
    expect(await this.#ended, this.#output).toBe(0);
  }

  async remove(): Promise<void> {
    this.#service?.kill('SIGKILL');
    await ran('systemctl', ['stop'], { env: this.#env });
    rmSync(this.#base, { recursive: true, force: true, maxRetries: 5 });
  }

  #command(name: string, text: string): void {
    writeFileSync(join(this.#base, name), text);
    chmodSync(join(this.#base, name), 0o755);
  }
}

interface WalkOptions {
  /** Put the command on the PATH, for pages that take for granted that it is there. */
  readonly installed?: boolean;
  /** Also run `sh root`, on a stand-in for the machine. */
  readonly root?: boolean;
}

/**
 * Tests pages: does what they say, one after the other, block by block, in a folder of their own. Blocks with the name of a file are written. `sh` is run
 * and must succeed, or fail in `sh fails`; `sh install` runs in the root of the project, `sh service` starts what runs until a later block ends it. `text` is what the block before it
 * prints, or the service, when it is `text service`: some of its lines.
 */
export async function walk(pages: readonly string[], { installed = false, root: asRoot = false }: WalkOptions = {}): Promise<Reader> {
  const reader = new Reader(await freePort());
  afterAll(() => reader.remove());
  if (installed) reader.install();
  describe.each(pages)('%s', (page) => {
    let output = '';
    for (const [i, block] of blocksOf(page).entries()) {
      const { language, word } = block;
      const text = asRoot ? reader.mapped(block.text) : block.text;
      it(`${i + 1}: ${language} ${word || (block.text.split('\n')[0] ?? '')}`, async () => {
        if (language === 'sh' && word === 'root' && !asRoot) return;
        if (language === 'sh' && word === 'service') await reader.start(text);
        else if (language === 'sh') output = await reader.run(text, word === 'install' ? root : undefined, word === 'fails');
        else if (language === 'text' && word === 'service') await reader.prints(text);
        else if (language === 'text' && word === '') expect(hasLines(output, text) || output).toBe(true);
        else if (language !== 'text' && word !== '') reader.write(word, text);
      });
    }
    it('leaves no service that does not end in order', () => reader.ended());
  });
  return reader;
}

/** Tests that the scripts in the folder of a page agree with the types that `sluicebox new` has written there. */
export function checkTypes(folder: string): void {
  it('shows scripts that agree with the types that `sluicebox new` writes', async () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    expect(await ran(process.execPath, [tsc, '-p', folder])).toEqual({ status: 0, output: '' });
  });
}
