import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CompiledCode } from '../../../../engine/base/product/compiled-code.ts';

const TEXT = '(function () { function twice(x) { return 2 * x; } return twice(21); })()';

describe('CompiledCode', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluicebox-code-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const path = (): string => join(folder, 'script.js');
  const made = (text = TEXT): CompiledCode => new CompiledCode({ text, path: path() }, 'script.ts');
  const keptOnce = (): string => {
    const code = made();
    expect(code.script.runInThisContext()).toBe(42);
    code.keep();
    return `${path()}.${cachedDataVersionTag().toString(16)}.compiled`;
  };

  it('is kept for the next start', () => {
    expect(made().isKept).toBe(false);
    const file = keptOnce();
    const next = made();
    expect(next.isKept).toBe(true);
    expect(next.script.cachedDataRejected).toBe(false);
    expect(next.script.runInThisContext()).toBe(42);
    next.keep();
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([file]);
  });

  it.each([
    ['damaged', (bytes: Buffer) => bytes.fill(0, 100, 140)],
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.alloc(0)],
  ])('compiles anew what is %s, and keeps it', (_how, change) => {
    const file = keptOnce();
    const whole = readFileSync(file);
    writeFileSync(file, change(Buffer.from(whole)));
    const code = made();
    expect(code.isKept).toBe(false);
    expect(code.script.runInThisContext()).toBe(42);
    code.keep();
    expect(made().isKept).toBe(true);
  });

  it('is kept for each set of flags of V8', () => {
    keptOnce();
    setFlagsFromString('--no-lazy');
    try {
      expect(made().isKept).toBe(false);
      keptOnce();
      expect(made().isKept).toBe(true);
    } finally {
      setFlagsFromString('--lazy');
    }
    expect(made().isKept).toBe(true);
  });

  it('compiles anew what is of another text', () => {
    keptOnce();
    const other = made(TEXT.replace('21', '21 + 1'));
    expect(other.script.cachedDataRejected).toBe(true);
    expect(other.script.runInThisContext()).toBe(44);
  });

  it('keeps nothing of a text that is not kept', () => {
    const code = new CompiledCode({ text: TEXT, path: null }, 'script.ts');
    expect(code.isKept).toBe(true);
    expect(code.script.runInThisContext()).toBe(42);
    code.keep();
    expect(readdirSync(folder)).toEqual([]);
  });
});
