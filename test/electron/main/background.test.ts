import { beforeEach, describe, expect, it } from 'vitest';
import { Background } from '../../../electron/main/background.ts';

describe('closing the window', () => {
  let wanted: boolean;
  let icons: number;
  let fails: boolean;
  let background: Background;

  beforeEach(() => {
    [wanted, icons, fails] = [true, 0, false];
    background = new Background({
      wanted: () => wanted,
      showTray: () => {
        if (fails) throw new Error('no notification area');
        icons++;
        return {};
      },
      show: () => undefined,
      quit: () => undefined,
    });
  });

  it('ends Sluicebox unless someone wants it to watch', () => {
    wanted = false;
    expect([background.closing(), icons]).toEqual([false, 0]);
  });

  it('hides it behind one icon, however often', () => {
    expect([background.closing(), background.closing(), icons]).toEqual([true, true, 1]);
  });

  it('ends it when it quits, and where no icon would bring it back', () => {
    fails = true;
    expect(background.closing()).toBe(false);
    fails = false;
    expect(background.closing()).toBe(true);
    background.quitting();
    expect(background.closing()).toBe(false);
  });
});
