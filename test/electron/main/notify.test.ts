import { beforeEach, describe, expect, it } from 'vitest';
import { NotificationRate } from '../../../electron/main/notification-rate.ts';
import { Notifier } from '../../../electron/main/notify.ts';

describe('notifications of the desktop', () => {
  const seen: unknown[] = [];
  let clicks: (() => void)[];
  let hasFocus: boolean;
  let now: number;
  let notifier: Notifier;

  beforeEach(() => {
    seen.length = 0;
    [clicks, hasFocus, now] = [[], false, 0];
    const window = {
      get hasFocus() {
        return hasFocus;
      },
      focus: () => void seen.push('focus'),
      send: (name: string, data: unknown) => void seen.push([name, data]),
    };
    const desktop = {
      isSupported: () => true,
      show: (title: string, body: string, onClick: () => void) => {
        seen.push([title, body]);
        clicks.push(onClick);
      },
    };
    notifier = new Notifier(window, desktop, new NotificationRate(() => now));
  });

  it('lead to their alert by a click', () => {
    notifier.show('Warning', 'no requests since 12:40', 7);
    clicks[0]?.();
    expect(seen).toEqual([['Warning', 'no requests since 12:40'], 'focus', ['alert', { id: 7 }]]);
  });

  it('stay away while the window is in front, and count those that came too soon', () => {
    hasFocus = true;
    notifier.show('Warning', 'one', 1);
    hasFocus = false;
    notifier.show('Warning', 'two', 2);
    notifier.show('Warning', 'three', 3);
    now = 10_000;
    notifier.show('Warning', 'four', 4);
    expect(seen).toEqual([
      ['Warning', 'two'],
      ['Warning', 'four\n(and 1 more before)'],
    ]);
  });
});
