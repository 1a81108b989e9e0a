import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NotificationRate } from '../../../electron/main/notification-rate.ts';
import { Notifier } from '../../../electron/main/notify.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

describe('notifications of the desktop', () => {
  const seen: unknown[] = [];
  let clicks: (() => void)[];
  let shown: WeakRef<object>[];
  let hasFocus: boolean;
  let answers: boolean;
  const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  let notifier: Notifier;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    seen.length = 0;
    [clicks, shown, hasFocus, answers] = [[], [], false, true];
    const window = {
      get hasFocus() {
        return hasFocus;
      },
      focus: () => void seen.push('focus'),
      send: (name: string, data: unknown) => void seen.push([name, data]),
    };
    const desktop = {
      answers: () => Promise.resolve(answers),
      show: (title: string, body: string, onClick: () => void) => {
        seen.push([title, body]);
        clicks.push(onClick);
        const notification = {};
        shown.push(new WeakRef(notification));
        return notification;
      },
    };
    notifier = new Notifier(window, desktop, new NotificationRate(() => Date.now()));
  });
  afterEach(() => void vi.useRealTimers());

  it('lead to their alert by a click', async () => {
    notifier.show('Warning', 'no requests since 12:40', 7);
    await settled();
    clicks[0]?.();
    expect(seen).toEqual([['Warning', 'no requests since 12:40'], 'focus', ['alert', { id: 7 }]]);
  });

  it('stay away while the window is in front; those that come too soon are one, a little later', async () => {
    hasFocus = true;
    notifier.show('Warning', 'one', 1);
    hasFocus = false;
    notifier.show('Warning', 'two', 2);
    await settled();
    notifier.show('Warning', 'three', 3);
    notifier.show('Problem', 'four', 4);
    await vi.advanceTimersByTimeAsync(3999);
    expect(seen).toEqual([['Warning', 'two']]);
    await vi.advanceTimersByTimeAsync(1);
    clicks[1]?.();
    expect(seen.slice(1)).toEqual([['Problem', 'four\n(and 1 more before)'], 'focus', ['alert', { id: 4 }]]);
  });

  it('that wait are dropped when someone looks at the window meanwhile', async () => {
    notifier.show('Warning', 'one', 1);
    await settled();
    notifier.show('Warning', 'two', 2);
    hasFocus = true;
    await vi.advanceTimersByTimeAsync(60_000);
    hasFocus = false;
    notifier.show('Warning', 'three', 3);
    await settled();
    expect(seen).toEqual([
      ['Warning', 'one'],
      ['Warning', 'three'],
    ]);
  });

  it('are not collected as garbage, as long as someone may click on them', async () => {
    notifier.show('Warning', 'one', 1);
    await vi.advanceTimersByTimeAsync(0);
    // A weak reference holds what it gave until the next turn.
    await new Promise((done) => setImmediate(done));
    collect();
    expect(shown[0]?.deref()).toBeDefined();
  });

  it('are not asked of a desktop that does not answer; the window is told once, until one is shown again', async () => {
    answers = false;
    notifier.show('Warning', 'one', 1);
    notifier.show('Warning', 'two', 2);
    await settled();
    notifier.show('Warning', 'three', 3);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toEqual([['desktopSilent', {}]]);
    answers = true;
    notifier.show('Warning', 'four', 4);
    await settled();
    answers = false;
    notifier.show('Warning', 'five', 5);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen.slice(1)).toEqual([
      ['Warning', 'four'],
      ['desktopSilent', {}],
    ]);
  });

  it('show what takes no room or turns the direction of writing', async () => {
    notifier.show('Warning', 'a\u0000b\u202Ec\nd', 1);
    await settled();
    expect(seen).toEqual([['Warning', String.raw`a\u0000b\u202ec` + '\nd']]);
  });
});
