import { adoptable } from './adopt.ts';
import { encodeSnapshot, LOG, logEntry, OLDER_PATH, OWN_PATH, snapshotPath, type LakeFile, type Snapshot } from './commit.ts';
import { merge, runsToMerge } from './compact.ts';
import { ConflictError, ORPHAN_MS, type Lake } from './lake.ts';

/** Bounds of the files that are kept; null: all. */
export interface Retention {
  /** Milliseconds since the last message of a file. */
  readonly ageMs: number | null;
  readonly bytes: number | null;
}

/** Commits after which a snapshot is written. */
const SNAPSHOT_EVERY = 20;
const NS_PER_MS = 1_000_000n;

const byTime = (one: LakeFile, other: LakeFile): number => (one.most < other.most ? -1 : one.most > other.most ? 1 : 0);

/** The files that are too old, and the oldest ones that are too many. */
export function expired({ files }: Snapshot, { ageMs, bytes: most }: Retention, nowMs: number): string[] {
  const before = ageMs === null ? null : BigInt(Math.round(nowMs - ageMs)) * NS_PER_MS;
  const sorted = [...files.values()].sort(byTime);
  let left = sorted.reduce((sum, { bytes }) => sum + bytes, 0);
  const removed: string[] = [];
  for (const file of sorted) {
    if (!((before !== null && file.most < before) || (most !== null && left > most))) continue;
    removed.push(file.path);
    left -= file.bytes;
  }
  return removed;
}

/** Enters the files that programs of earlier versions have put beside the log since there is one. They are whole when they are seen. */
export async function enterOlder(lake: Lake): Promise<void> {
  const { files, removed } = await lake.snapshot();
  const found = await adoptable(lake.files, (path) => OLDER_PATH.test(path) && !files.has(path) && !removed.has(path));
  if (found.length > 0) await lake.append({ files: found, writtenMs: Date.now() });
}

/** Takes files out of the lake that are not kept. @returns their number */
export async function expire(lake: Lake, retention: Retention): Promise<number> {
  for (;;) {
    const paths = expired(await lake.snapshot(), retention, Date.now());
    if (paths.length === 0) return 0;
    try {
      await lake.replace('expire', paths);
      return paths.length;
    } catch (error) {
      // They were merged meanwhile.
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}

const HOUR = /\/Hour=(\d{4}-\d{2}-\d{2})-(\d{2})$/;
const CLOSED_MS = 2 * 3_600_000;

/** Whether the hour of a folder is over for as long that hardly more comes. */
const isOver = (folder: string, nowMs: number): boolean => {
  const hour = HOUR.exec(folder);
  return hour !== null && Date.parse(`${hour[1] as string}T${hour[2] as string}:00:00Z`) + CLOSED_MS < nowMs;
};

/** Makes large files of small ones. @param all whether all that fit are put together @returns the number of files that were replaced */
export async function compact(lake: Lake, all: boolean, signal?: AbortSignal): Promise<number> {
  const nowMs = Date.now();
  let merged = 0;
  for (const run of runsToMerge(await lake.snapshot(), (folder) => all || isOver(folder, nowMs))) {
    if (signal?.aborted === true) break;
    if (await merge(lake, run)) merged += run.length;
  }
  return merged;
}

/**
 * Removes what nobody needs any more: files that left the lake before the grace time, those of writers that were killed before they entered them, and
 * old files of the log. It may be killed anywhere, and any number of programs may do it at the same time.
 */
export async function clean(lake: Lake, orphanMs = ORPHAN_MS): Promise<void> {
  const { files, graceMs } = lake;
  await files.tidy(orphanMs);
  const there = await files.list('');
  // Files that are entered after this list was made are not in it.
  const snapshot = await lake.snapshot();
  const nowMs = Date.now();
  const removed = new Map<string, number>();
  for (const [path, ms] of snapshot.removed) {
    if (nowMs - ms < graceMs) removed.set(path, ms);
    else await files.remove(path);
  }
  const orphans: string[] = [];
  for (const path of there) {
    if (!OWN_PATH.test(path) || snapshot.files.has(path) || snapshot.removed.has(path)) continue;
    if (await isOlder(lake, path, orphanMs)) orphans.push(path);
  }
  await lake.abandon(orphans).catch((error: unknown) => {
    if (!(error instanceof ConflictError)) throw error;
  });
  await shortenLog(lake, { ...snapshot, removed }, there, removed.size < snapshot.removed.size);
}

/** Writes a snapshot when there are many commits since the last one, and removes what an older one has. */
async function shortenLog(lake: Lake, snapshot: Snapshot, there: readonly string[], isCleaned: boolean): Promise<void> {
  const { files, graceMs } = lake;
  const entries = there.flatMap((path) => {
    const entry = logEntry(path);
    return entry === null ? [] : [{ path, ...entry }];
  });
  const snapshots = entries.filter(({ isSnapshot }) => isSnapshot).sort((one, other) => other.number - one.number);
  const behind = snapshot.number - (snapshots[0]?.number ?? 0);
  if (behind >= SNAPSHOT_EVERY || (isCleaned && behind > 0))
    await files.create(snapshotPath(snapshot.number), encodeSnapshot(snapshot, Date.now()));
  for (const { path, number } of snapshots) {
    if (!(await isOlder(lake, path, graceMs))) continue;
    for (const entry of entries) if (entry.isSnapshot ? entry.number < number : entry.number <= number) await files.remove(entry.path);
    return;
  }
}

const isOlder = (lake: Lake, path: string, ms: number): Promise<boolean> =>
  lake.files.ageMs(path).then(
    (age) => age >= ms,
    () => false,
  );

/** Path of the file by which one program at a time looks after a lake. Two of them would do no harm but work. */
const LEASE = `${LOG}/lease.json`;
const LEASE_MS = 120_000;

/** Does all of it once, unless another program does. */
export async function maintain(
  lake: Lake,
  options: { readonly retention: Retention; readonly compacts: boolean },
  signal?: AbortSignal,
): Promise<void> {
  const { files } = lake;
  if (!(await files.create(LEASE, Buffer.from(`${process.pid}\n`)))) {
    // Of a program that was killed.
    if (await isOlder(lake, LEASE, LEASE_MS)) await files.remove(LEASE);
    return;
  }
  try {
    await enterOlder(lake);
    await expire(lake, options.retention);
    if (options.compacts) await compact(lake, false, signal);
    await clean(lake);
  } finally {
    await files.remove(LEASE);
  }
}
