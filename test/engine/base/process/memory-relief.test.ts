import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryRelief, ownProcess } from '../../../../engine/base/process/memory-relief.ts';

const MiB = 1 << 20;

let cpu: number;
let held: number;
let collected: number;
let relief: MemoryRelief;

beforeEach(() => {
  [cpu, held, collected] = [0, 20 * MiB, 0];
  relief = new MemoryRelief({
    growth: 24 * MiB,
    cpu: () => cpu,
    held: () => held,
    collect: () => {
      collected++;
      // The collection works, too.
      cpu += 400_000;
      held = 10 * MiB;
    },
  });
});

/** Makes so many looks, with so much processor time before each of them. */
function look(times: number, worked: number): void {
  for (let i = 0; i < times; i++) {
    cpu += worked;
    relief.look();
  }
}

describe('memory is given back', () => {
  it('once, when the engine rests after work', () => {
    held = 300 * MiB;
    look(10, 900_000);
    expect(collected).toBe(0);
    look(1, 1000);
    expect(collected).toBe(0);
    look(1, 1000);
    expect(collected).toBe(1);
    look(20, 1000);
    expect(collected).toBe(1);
  });

  it('again after further work that has left much', () => {
    held = 300 * MiB;
    look(3, 0);
    held = 30 * MiB;
    look(5, 0);
    expect(collected).toBe(1);
    held = 40 * MiB;
    look(2, 500_000);
    look(3, 0);
    expect(collected).toBe(2);
  });

  it('not twice within a moment', () => {
    held = 300 * MiB;
    look(2, 0);
    held = 200 * MiB;
    look(9, 0);
    expect(collected).toBe(1);
    look(1, 0);
    expect(collected).toBe(2);
  });

  it('again when what was collected is free only later', () => {
    const late = new MemoryRelief({ growth: 24 * MiB, cpu: () => 0, held: () => held, collect: () => collected++ });
    const lookLate = (): void => {
      for (let i = 0; i < 20; i++) late.look();
    };
    held = 300 * MiB;
    lookLate();
    held = 100 * MiB;
    lookLate();
    held = 130 * MiB;
    lookLate();
    expect(collected).toBe(2);
  });

  it('not where there is little', () => {
    look(20, 0);
    expect(collected).toBe(0);
  });
});

/** Leaves garbage. @returns the bytes of all buffers, with it */
function fill(): number {
  const buffers = Array.from({ length: 64 }, () => new ArrayBuffer(MiB));
  return process.memoryUsage().arrayBuffers + 0 * buffers.length;
}

it('V8 collects what is garbage', () => {
  const own = new MemoryRelief(ownProcess(24 * MiB));
  const full = fill();
  // Each look is quiet: hardly any time goes by.
  for (let i = 0; i < 4; i++) own.look();
  expect(process.memoryUsage().arrayBuffers).toBeLessThan(full - 32 * MiB);
});
