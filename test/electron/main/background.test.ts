import { beforeEach, describe, expect, it } from 'vitest';
import { Background } from '../../../electron/main/background.ts';

describe('closing the window', () => {
  let wanted: boolean;
  let icons: number;
  let fails: boolean;
  let background: Background;
  /** Names of the calls, in order. */
  let seen: string[];
  let [told, trayIsSeen, goesOn] = [false, false, true];
  const hide = (): Promise<void> => background.hide(() => seen.push('hide'));

  beforeEach(() => {
    [wanted, icons, fails, seen] = [true, 0, false, []];
    [told, trayIsSeen, goesOn] = [false, false, true];
    background = new Background({
      wanted: () => wanted,
      showTray: () => {
        if (fails) throw new Error('no notification area');
        icons++;
        return {};
      },
      show: () => undefined,
      quit: () => seen.push('quit'),
      wasTold: () => told,
      trayIsSeen: () => Promise.resolve(trayIsSeen),
      tell: () => {
        seen.push('tell');
        told = true;
        return Promise.resolve(goesOn);
      },
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

  it('tells once how the window comes back where no icon is seen', async () => {
    await Promise.all([hide(), hide()]);
    await hide();
    expect(seen).toEqual(['tell', 'hide', 'hide']);
  });

  it('tells nothing where an icon is seen, and ends where someone wants that then', async () => {
    trayIsSeen = true;
    await hide();
    [trayIsSeen, goesOn] = [false, false];
    await hide();
    expect(seen).toEqual(['hide', 'tell', 'quit']);
  });
});
