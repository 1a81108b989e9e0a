import { describe, expect, it } from 'vitest';
import { IdleCores } from '../../../engine/pipeline/idle-cores.ts';

/** A machine with four cores whose time passes by hand. */
function machine(): { readonly cores: IdleCores; pass(ms: number, idle: number): void; looks(): number } {
  let now = 1000;
  let idleMs = 0;
  let looks = 0;
  const look = () => {
    looks++;
    return { cores: 4, idle: idleMs, all: 4 * now };
  };
  return {
    cores: new IdleCores(look, () => now),
    pass: (ms, idle) => {
      now += ms;
      idleMs += ms * idle;
    },
    looks: () => looks,
  };
}

describe('an idle core', () => {
  it.each([
    { idle: 0, has: false },
    { idle: 0.4, has: false },
    { idle: 0.6, has: true },
    { idle: 4, has: true },
  ])('is there when $idle cores are idle: $has', ({ idle, has }) => {
    const { cores, pass } = machine();
    expect(cores.hasOne()).toBe(false);
    pass(500, idle);
    expect(cores.hasOne()).toBe(has);
  });

  it('is not looked for again at once', () => {
    const { cores, pass, looks } = machine();
    cores.hasOne();
    pass(499, 4);
    expect(cores.hasOne()).toBe(false);
    expect(looks()).toBe(1);
    pass(1, 4);
    expect(cores.hasOne()).toBe(true);
  });

  it('is found by a decoder that takes long for each batch, and so asks seldom', () => {
    const { cores, pass } = machine();
    cores.hasOne();
    pass(900, 2);
    expect(cores.hasOne()).toBe(true);
  });

  it('does not count for having been idle long ago', () => {
    const { cores, pass } = machine();
    cores.hasOne();
    pass(10_000, 4);
    expect(cores.hasOne()).toBe(false);
    pass(500, 0);
    expect(cores.hasOne()).toBe(false);
    pass(500, 1);
    expect(cores.hasOne()).toBe(true);
  });

  it('is found on this machine or not', () => {
    expect(new IdleCores().hasOne()).toBe(false);
  });
});
