import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Relief } from '../../../../engine/sandbox/host/relief.ts';
import { reliefFor } from '../../../../engine/sandbox/contract/memory-allowance.ts';

const MIB = 1 << 20;

let now = 0;
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000)));
afterEach(() => vi.restoreAllMocks());

/** A host that takes what it is told, with sandboxes that hold garbage. */
class FakeHost {
  readonly boxes = new Map<number, FakeBox>();
  kept = 100 * MIB;
  readonly relief = new Relief(this.boxes, () => this.bytes);

  get bytes(): number {
    return [...this.boxes.values()].reduce((sum, { garbage }) => sum + garbage, this.kept);
  }

  add(memoryLimit: number): FakeBox {
    const box = new FakeBox(memoryLimit);
    this.boxes.set(this.boxes.size + 1, box);
    return box;
  }
}

class FakeBox {
  readonly memoryLimit: number;
  garbage = 0;
  collections = 0;
  trims = 0;

  constructor(memoryLimit: number) {
    this.memoryLimit = memoryLimit;
  }

  collect(trims = false): void {
    this.garbage = 0;
    if (trims) this.trims++;
    else this.collections++;
  }
}

describe('the relief of a host', () => {
  test('collects the garbage of all that have run, once they take more than they may hold together', () => {
    const host = new FakeHost();
    const boxes = [host.add(8 * MIB), host.add(8 * MIB), host.add(8 * MIB)];
    const [first, second, third] = boxes as [FakeBox, FakeBox, FakeBox];
    for (const box of [first, second]) {
      box.garbage = reliefFor([8 * MIB, 8 * MIB, 8 * MIB]) / 2 - MIB;
      host.relief.ran(box);
    }
    expect(boxes.map(({ collections }) => collections)).toEqual([0, 0, 0]);
    second.garbage += 4 * MIB;
    host.relief.ran(second);
    expect(boxes.map(({ collections }) => collections)).toEqual([1, 1, 0]);
    expect([first.garbage, second.garbage, third.garbage]).toEqual([0, 0, 0]);
  });

  test('collects again only after some growth, when collecting does not help', () => {
    const host = new FakeHost();
    const box = host.add(8 * MIB);
    host.kept += 200 * MIB;
    for (let i = 0; i < 64; i++) {
      host.kept += MIB;
      host.relief.ran(box);
    }
    expect(box.collections).toBeGreaterThan(4);
    expect(box.collections).toBeLessThan(10);
  });

  test('collects all garbage of the host itself only when that of the scripts was not enough', () => {
    const collect = vi.fn();
    vi.stubGlobal('gc', collect);
    const host = new FakeHost();
    const box = host.add(8 * MIB);
    box.garbage = reliefFor([8 * MIB]);
    host.relief.ran(box);
    expect(collect.mock.calls).toEqual([[{ type: 'minor' }]]);
    host.kept += reliefFor([8 * MIB]);
    host.relief.ran(box);
    expect(collect.mock.calls).toEqual([[{ type: 'minor' }], [{ type: 'minor' }], []]);
    vi.unstubAllGlobals();
  });

  test('has nothing to do without a limit', () => {
    const host = new FakeHost();
    const box = host.add(0);
    box.garbage = 2 ** 31;
    host.relief.ran(box);
    expect(box.collections).toBe(0);
  });

  test('gives back what work has left after a rest, once', () => {
    const host = new FakeHost();
    const [worked, idle] = [host.add(8 * MIB), host.add(8 * MIB)];
    worked.garbage = 12 * MIB;
    host.relief.ran(worked);
    host.relief.look();
    expect(worked.trims).toBe(0);
    for (let i = 0; i < 3; i++) host.relief.look();
    expect([worked.trims, idle.trims]).toEqual([1, 0]);
    expect(worked.garbage).toBe(0);
  });

  test('leaves a little garbage where it is', () => {
    const host = new FakeHost();
    const box = host.add(8 * MIB);
    box.garbage = MIB;
    host.relief.ran(box);
    for (let i = 0; i < 3; i++) host.relief.look();
    expect(box.trims).toBe(0);
  });
});
