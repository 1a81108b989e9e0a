import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MemoryPace } from '../../../../engine/sandbox/host/memory-pace.ts';
import type { End } from '../../../../engine/api/ends.ts';
import { MemoryWatch } from '../../../../engine/sandbox/host/memory-watch.ts';
import type { IsolatedVM } from '../../../../engine/sandbox/host/isolate.ts';

const MIB = 1 << 20;

afterEach(() => vi.restoreAllMocks());

/** An isolate that holds what it is told, and whose collections take as long as they are told. */
class FakeIsolate {
  kept = 0;
  garbage = 0;
  collections = 0;
  collectMs = 0;
  #now = 0;
  readonly isDisposed = false;

  getHeapStatisticsSync() {
    return { used_heap_size: this.kept + this.garbage, externally_allocated_size: 0 };
  }

  watch(limit: number): MemoryWatch {
    vi.spyOn(performance, 'now').mockImplementation(() => this.#now);
    const collect = () => {
      this.garbage = 0;
      this.collections++;
      this.#now += this.collectMs;
    };
    return new MemoryWatch(this as unknown as IsolatedVM.Isolate, collect, `fake ${limit}`, limit);
  }
}

describe('the watch on memory', () => {
  test.each([
    ['quick', 0],
    ['slow', 100],
    ['as slow as can be', 1e9],
  ])('sees within two leaps what is kept when collections are %s', (_what, collectMs) => {
    const isolate = new FakeIsolate();
    const watch = isolate.watch(8 * MIB);
    isolate.collectMs = collectMs;
    let end: End | null = null;
    while (end === null && isolate.kept < 48 * MIB) {
      isolate.kept += MIB / 2;
      isolate.garbage += MIB / 2;
      end = watch.excess();
    }
    expect(end).toEqual({ code: 'limit.memory', reason: 'exceeded memory_limit of 8388608', limit: 8 * MIB });
    expect(isolate.kept).toBeLessThan(32 * MIB);
  });

  test('does not take garbage for what is kept, and does not collect it at each look', () => {
    const isolate = new FakeIsolate();
    const watch = isolate.watch(8 * MIB);
    isolate.collectMs = 5;
    isolate.kept = 7 * MIB;
    const before = isolate.collections;
    for (let i = 0; i < 1000; i++) {
      isolate.garbage += MIB / 8;
      expect(watch.excess()).toBeNull();
    }
    expect(isolate.collections - before).toBeLessThan(20);
  });

  test('looks by rows, not by time', () => {
    const isolate = new FakeIsolate();
    const watch = isolate.watch(8 * MIB);
    isolate.collectMs = 1e9;
    let rows = 0;
    for (let end: End | null = null; end === null && rows < 1000;) {
      const { due } = watch;
      rows += due;
      isolate.kept += due * 0.7 * MIB;
      end = watch.passed(due, 8 * MIB);
    }
    expect(rows * 0.7).toBeLessThan(40);
  });

  test('without a limit sees none', () => {
    const isolate = new FakeIsolate();
    const watch = isolate.watch(0);
    isolate.kept = 1000 * MIB;
    expect([watch.excess(), watch.passed(1000, 0)]).toEqual([null, null]);
  });
});

describe('the pace of looks', () => {
  /** Rows at which there was a look, when each row keeps so many bytes. */
  const looks = (bytes: (row: number) => number, rows: number): number[] => {
    const pace = new MemoryPace();
    const at: number[] = [];
    let held = 0;
    let row = 0;
    while (row < rows) {
      const { due } = pace;
      for (const end = row + due; row < end; row++) held += bytes(row);
      expect(pace.passed(due)).toBe(true);
      pace.looked(held);
      at.push(row);
    }
    return at;
  };

  test('widens while nothing is kept', () => {
    expect(looks(() => 0, 20_000)).toEqual([1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 8191, 12287, 16383, 20479]);
  });

  test.each([
    ['much', MIB, 4],
    ['more than a step', 10 * MIB, 1],
    ['little', 1024, 4096],
  ])('is that of the rows that keep %s', (_what, bytes, gap) => {
    const at = looks(() => bytes, 20_000);
    const gaps = at.slice(13).map((row, i) => row - (at[i + 12] as number));
    expect(new Set(gaps)).toEqual(new Set([gap]));
  });

  test('never lets more than two steps go by at a steady pace', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 * MIB }), (bytes) => {
        const at = [0, ...looks(() => bytes, 5000)];
        for (let i = 1; i < at.length; i++) {
          const rows = (at[i] as number) - (at[i - 1] as number);
          expect(rows === 1 || rows * bytes <= 8 * MIB).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});
