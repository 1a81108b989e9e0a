import { spawn } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testMs } from '../../../patience.ts';
import { cliMain, fileOf, sluicebox } from '../run-cli.ts';

const LINES = ['one', 'two ERROR', 'three', 'four', 'five error', 'six'];
const text = `${LINES.join('\n')}\n`;
const plain = (): string => fileOf('plain.log', text);

describe('sluicebox search', { timeout: 5 * testMs() }, () => {
  it('prints the lines that match, and says with its exit code whether there are any', async () => {
    const some = await sluicebox(['search', 'err', plain()]);
    expect([some.code, some.out, some.err]).toEqual([0, 'five error\n', '']);
    const both = await sluicebox(['search', '-i', '-n', 'err', plain()]);
    expect([both.code, both.out]).toEqual([0, '2:two ERROR\n5:five error\n']);
    const none = await sluicebox(['search', 'nothing', plain()]);
    expect([none.code, none.out]).toEqual([1, '']);
    const fixed = await sluicebox(['search', '-F', '-C', '1', 'x', plain()]);
    expect(fixed.out).toBe('five error\nsix\n');
  });

  it('searches what is packed, in UTF-16 or piped in like a plain file, and names files when there are several', async () => {
    const gzip = fileOf('app.log.2.gz', Buffer.concat([gzipSync(text.slice(0, 9)), gzipSync(text.slice(9))]));
    const zstd = fileOf('app.log.3.zst', zstdCompressSync(text));
    const utf16 = fileOf('utf16.log', Buffer.from(`\ufeff${text}`, 'utf16le'));
    const marked = fileOf('marked.log', `\ufeff${text}`);
    for (const file of [gzip, zstd, utf16, marked]) {
      const { code, out } = await sluicebox(['search', '-C1', '^(one|six)$', file]);
      expect([file, code, out]).toEqual([file, 0, 'one\ntwo ERROR\n--\nfive error\nsix\n']);
    }
    const all = await sluicebox(['search', '-n', '-C', '1', 'four', plain(), gzip, '-'], text);
    const named = (name: string): string => [`${name}-3-three`, `${name}:4:four`, `${name}-5-five error`, ''].join('\n');
    expect(all.out).toBe([plain(), gzip, 'standard input'].map(named).join(''));
    const bare = await sluicebox(['search', 'four', gzip, plain()]);
    expect(bare.out).toBe(`${gzip}:four\n${plain()}:four\n`);
  });

  it('puts a line feed behind a last line without its end', async () => {
    const open = fileOf('open.log', 'x one\nx two');
    expect((await sluicebox(['search', 'x', open])).out).toBe('x one\nx two\n');
    expect((await sluicebox(['search', '-n', '-C1', 'two$', open])).out).toBe('1-x one\n2:x two\n');
    expect((await sluicebox(['search', 'two', '-'], 'one\ntwo')).out).toBe('two\n');
    expect((await sluicebox(['search', 'two', fileOf('open.gz', gzipSync('one\r\ntwo\r'))])).out).toBe('two\r\n');
    expect((await sluicebox(['search', '', fileOf('nothing.log', '')])).out).toBe('');
    const long = `x${'y'.repeat(1 << 20)}`;
    expect((await sluicebox(['search', '-n', '^x', fileOf('long.log', `a\n${long}`)])).out.trimEnd()).toBe(`2:${long}`);
  });

  it('takes a folder and a pattern for their files', async () => {
    const folder = join(fileOf('marker', ''), '..', 'searched');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.log'), 'x\n');
    writeFileSync(join(folder, 'b.log'), 'y\n');
    for (const path of [folder, join(folder, '*.log')]) {
      const { code, out } = await sluicebox(['search', 'y', path]);
      expect([code, out]).toEqual([0, `${join(folder, 'b.log')}:y\n`]);
    }
  });

  it('says what it cannot read or search, searches the rest, and ends with 2', async () => {
    const damaged = fileOf('damaged.gz', gzipSync(text.repeat(100)).subarray(0, 60));
    const binary = fileOf('program', '\x7fELF\0\0\0');
    const { code, out, err } = await sluicebox(['search', 'six', damaged, binary, '/nowhere/a.log', plain()]);
    expect([code, out.endsWith(`${plain()}:six\n`)]).toEqual([2, true]);
    expect(err).toMatch(/damaged\.gz .*damaged|damaged\.gz/);
    expect(err).toContain('program is a program');
    expect(err).toContain('/nowhere/a.log does not exist');
    const pattern = await sluicebox(['search', 'a(', plain()]);
    expect([pattern.code, pattern.out]).toEqual([2, '']);
    expect(pattern.err).toMatch(/regex parse error:\n {4}a\(\n.*error: unclosed group/s);
    expect(pattern.err).not.toContain('(?:');
    expect((await sluicebox(['search', '--decode', 'a(', plain()])).err).toContain('unclosed group');
    expect((await sluicebox(['search'])).code).toBe(2);
  });

  it.runIf(process.platform === 'linux')('fails when standard output is full', async () => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cliMain, 'search', 'six', plain()], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    let err = '';
    child.stderr?.setEncoding('utf8').on('data', (more: string) => (err += more));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(err).toContain('no space left');
    expect(code).toBe(2);
  });

  it.runIf(process.platform === 'linux')(
    'says by its exit code what it finds when its output is thrown away, and fails when it is closed',
    async () => {
      const codeOf = (text: string, flags: 'r' | 'w', ...files: readonly string[]): Promise<number | null> => {
        const args = ['--disable-warning=ExperimentalWarning', cliMain, 'search', text, ...files];
        const child = spawn(process.execPath, args, { stdio: ['ignore', openSync('/dev/null', flags), 'ignore'] });
        return new Promise((resolve) => child.on('close', resolve));
      };
      expect(await codeOf('six', 'w', plain())).toBe(0);
      expect(await codeOf('six', 'w', plain(), plain())).toBe(0);
      expect(await codeOf('seven', 'w', plain())).toBe(1);
      expect(await codeOf('a(', 'w', plain())).toBe(2);
      // The shell opens it so in place of an output that is closed.
      expect(await codeOf('six', 'r', plain())).toBe(2);
    },
  );

  it('passes bytes on as they are', async () => {
    const bytes = Buffer.from(`a\xff\x00\x1b[2Jz\r\n${'a line\n'.repeat(50)}`, 'latin1');
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cliMain, 'search', 'z$', fileOf('bytes.log', bytes)]);
    child.stdin.end();
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString('latin1')).toBe('a\xff\x00\x1b[2Jz\r\n');
  });
});

describe('sluicebox search --decode', { timeout: 5 * testMs() }, () => {
  const payloads = (lines: Record<string, unknown>[]): unknown[] => lines.map((line) => line.Payload);

  it('prints records of several lines when one of them matches, with records around them', async () => {
    const script = fileOf(
      'blocks.js',
      `export const meta = { name: 'blocks', kind: 'decoder', summary: 'x', stateless: true, split: { before: '\\\\[' } };
export function process_message() { inject_message({ Payload: read_message('Payload') }); return 0; }`,
    );
    const file = fileOf('blocks.log', '[1] a\n at x\n[2] b\n[3] c\n at y\n at x\n[4] d\n');
    const found = await sluicebox(['search', '--decode', '--decoder', script, '^ at x$', file]);
    expect(found.err).toBe('');
    expect(payloads(found.lines())).toEqual(['[1] a\n at x', '[3] c\n at y\n at x']);
    const around = await sluicebox(['search', '--decode', '--decoder', script, '-C', '1', '^ at y$', file]);
    expect(payloads(around.lines())).toEqual(['[2] b', '[3] c\n at y\n at x', '[4] d\n']);
    const none = await sluicebox(['search', '--decode', '--decoder', script, 'nothing', file]);
    expect([none.code, none.out]).toEqual([1, '']);
  });

  it('gives a decoder that remembers all records, and prints those that were found', async () => {
    const script = fileOf(
      'counted.js',
      `let n = 0;
function process_message() { n++; if (n === 4) return [-1, 'no']; inject_message({ Payload: n + ' ' + read_message('Payload') }); return 0; }`,
    );
    const { code, err, lines } = await sluicebox(['search', '--decode', '--decoder', script, '-i', 'error|four', '-'], text);
    expect(payloads(lines())).toEqual(['2 two ERROR', 'four', '5 five error']);
    expect(err).toContain('standard input:4: no');
    expect(code).toBe(0);
  });
});

describe('searches of the same text', { timeout: 5 * testMs() }, () => {
  it('find the same lines in files, streams and records', async () => {
    const line = fc.stringMatching(/^[ab é\t]{0,6}$/);
    const cases = fc.sample(
      fc.tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('a', 'b +a', '^$', 'é.', '\\bab', '^a|b$'), fc.nat(2)),
      {
        numRuns: 6,
        seed: 7,
      },
    );
    const everything = fileOf(
      'every.js',
      `export const meta = { name: 'every', kind: 'decoder', summary: 'x', stateless: true };
export function process_message() { inject_message({ Payload: read_message('Payload') }); return 0; }`,
    );
    for (const [lines, re, around] of cases) {
      const content = lines.map((each) => `${each}\n`).join('');
      const file = fileOf('random.log', content);
      const options = ['-C', String(around), '--', re];
      const [path, stream, records] = await Promise.all([
        sluicebox(['search', ...options, file]),
        sluicebox(['search', ...options, '-'], content),
        sluicebox(['search', '-q', '--decode', '--decoder', everything, ...options, file]),
      ]);
      expect([stream.code, stream.out]).toEqual([path.code, path.out]);
      const shown = path.out
        .split('\n')
        .slice(0, -1)
        .filter((each) => each !== '--');
      expect([records.code, payloads(records.lines())]).toEqual([path.code, shown]);
    }
  });

  const payloads = (lines: Record<string, unknown>[]): unknown[] => lines.map((each) => each.Payload ?? '');
});

describe('sluicebox search in other forms', () => {
  const one = fileOf('forms.log', 'a 12\nb\na 34 a 56\n');
  const packed = fileOf('forms.log.gz', gzipSync('b\na 78\n'));
  const none = fileOf('none.log', 'c\n');

  it.each<[string[], number, string]>([
    [['-c', 'a', one], 0, '2\n'],
    [['-c', 'z', one], 1, '0\n'],
    [['-c', 'a', one, packed, none], 0, `${one}:2\n${packed}:1\n${none}:0\n`],
    [['-vc', 'a', one, packed], 0, `${one}:1\n${packed}:1\n`],
    [['-v', 'a', one], 0, 'b\n'],
    [['-v', 'c', none], 1, ''],
    [['-o', 'a \\d+', one], 0, 'a 12\na 34\na 56\n'],
    [['-on', '\\d+', one, packed], 0, `${one}:1:12\n${one}:3:34\n${one}:3:56\n${packed}:2:78\n`],
    [['-l', 'a', one, none, packed], 0, `${one}\n${packed}\n`],
    [['-l', 'a', none], 1, ''],
    [['--files', one, none], 0, `${one}\n${none}\n`],
  ])('%j', async (args, code, out) => {
    expect(await sluicebox(['search', ...args])).toMatchObject({ code, out, err: '' });
  });

  it.each<[string[], string]>([
    [[], '2 matched lines\n1 files contained matches\n2 files searched\n'],
    [['-o'], '3 matches\n1 files contained matches\n2 files searched\n'],
    [['-c'], '2 matched lines\n1 files contained matches\n2 files searched\n'],
  ])('%j --stats says the sums', async (args, err) => {
    expect(await sluicebox(['search', ...args, '--stats', 'a', one, none])).toMatchObject({ code: 0, err });
  });

  it.each([[['-co']], [['-C1', '-c']], [['-ov']], [['--decode', '-c']], [['--where', 'TRUE']]])('%j is refused', async (args) => {
    expect((await sluicebox(['search', ...args, 'a', one])).code).toBe(2);
  });
});
