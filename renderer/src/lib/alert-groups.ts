import type { Notice } from '../../../engine/api/types.ts';
import { noticeTime } from './notice-words.ts';
import { shapeOf } from './time/silence.ts';

/** Alerts that say the same, so that the list shows the latest of them. */
export interface AlertGroup {
  /** The same as long as its first alert is there. */
  readonly key: number;
  readonly latest: Notice;
  /** The others, newest first. */
  readonly earlier: readonly Notice[];
}

/** Groups alerts, newest first by their own times. Alerts of filters say the same when only times and numbers differ, other notices when nothing does. */
export function alertGroups(notices: readonly Notice[]): AlertGroup[] {
  const newest = [...notices].sort((a, b) => noticeTime(b) - noticeTime(a) || b.at - a.at || b.id - a.id);
  const alike = new Map<string, [Notice, ...Notice[]]>();
  for (const notice of newest) {
    const key = sayingOf(notice);
    const group = alike.get(key);
    if (group === undefined) alike.set(key, [notice]);
    else group.push(notice);
  }
  return [...alike.values()].map(([latest, ...earlier]) => ({ key: Math.min(latest.id, ...earlier.map(({ id }) => id)), latest, earlier }));
}

function sayingOf({ level, code, text, details, about }: Notice): string {
  const said = code === 'alert' ? shapeOf(text) : [text, details];
  return JSON.stringify([level, code, about?.plugin ?? null, about?.source ?? null, said]);
}
