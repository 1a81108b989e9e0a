import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engineScript } from '../../../../engine/base/product/engine-script.ts';

let root = '';

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function record(sources: readonly string[]): void {
  const noted = sources.map((path) => {
    const { size, mtimeMs } = statSync(join(root, path));
    return [path, size, mtimeMs];
  });
  write('out/engine/current.json', JSON.stringify({ folder: 'b-1', sources: noted }));
}

const bundle = (): string => join(root, 'out/engine/b-1/main.mjs');
const source = (): string => join(root, 'engine/index.ts');

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluicebox-engine-script-'));
  write('engine/index.ts', 'one');
  write('engine/part.ts', 'two');
  write('out/engine/b-1/main.mjs', 'both');
  record(['engine/index.ts', 'engine/part.ts']);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the script of the engine', () => {
  it('is the bundle of the sources as they are', () => {
    expect(engineScript(root)).toBe(bundle());
  });

  it('is the source when one of them was changed', () => {
    write('engine/part.ts', 'longer');
    expect(engineScript(root)).toBe(source());
  });

  it('is the source when one of them is gone', () => {
    rmSync(join(root, 'engine/part.ts'));
    expect(engineScript(root)).toBe(source());
  });

  it('is the bundle of a package, which notes no sources', () => {
    record([]);
    write('engine/part.ts', 'longer');
    expect(engineScript(root)).toBe(bundle());
  });

  it.each(['out/engine/current.json', 'out/engine/b-1/main.mjs', 'out'])('is the source without %s', (path) => {
    rmSync(join(root, path), { recursive: true });
    expect(engineScript(root)).toBe(source());
  });

  it('is the source when the record is broken', () => {
    write('out/engine/current.json', '{');
    expect(engineScript(root)).toBe(source());
  });
});
