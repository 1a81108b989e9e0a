import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { BigIntStats } from 'node:fs';
import { readAt } from '../../base/files/read-at.ts';
import { copies, fileChunks, type Chunks } from '../chunks.ts';
import { decompressed, isDamaged } from '../decompress.ts';
import { InputError, fileProblem } from '../notices.ts';
import { probe, PROBE_BYTES, type Compression } from '../probe.ts';
import { memberName } from './member-check.ts';
import { listPackedTar, listTar } from './tar-listing.ts';
import { isHead } from './tar.ts';
import { ARCHIVE_BOUNDS, type ArchiveBounds, type LeftOut, type Listing, type Member } from './types.ts';
import { openFile } from '../shared/open-file.ts';
import { listZip } from './zip.ts';

/** Archives that stay listed. */
const MOST_OPEN = 16;
const TAR_BLOCK = 512;

/** A file that stands for the logs in it. The path of a log is that of the archive with its name behind: `/var/backup/logs.tar.gz/app/app.log`. */
export class Archive {
  readonly path: string;
  readonly info: BigIntStats;
  readonly #listing: Listing;
  readonly #members: ReadonlyMap<string, Member>;
  #readers = 0;
  #isDropped = false;

  constructor(path: string, info: BigIntStats, listing: Listing) {
    this.path = path;
    this.info = info;
    this.#listing = listing;
    this.#members = new Map(listing.members.map((member) => [member.name, member]));
  }

  get members(): readonly Member[] {
    return this.#listing.members;
  }

  get leftOut(): readonly LeftOut[] {
    return this.#listing.leftOut;
  }

  member(name: string): Member | null {
    return this.#members.get(name) ?? null;
  }

  /** The bytes of a member. @throws DamagedError behind what can be read */
  async *read({ name }: Member): Chunks {
    this.#readers++;
    try {
      yield* this.#listing.read(name);
    } finally {
      this.#readers--;
      this.#closeIfLeft();
    }
  }

  /** Is forgotten, as soon as nobody reads from it. */
  drop(): void {
    this.#isDropped = true;
    this.#closeIfLeft();
  }

  #closeIfLeft(): void {
    if (this.#isDropped && this.#readers === 0) this.#listing.close();
  }
}

interface Known {
  readonly stamp: string;
  readonly archive: Promise<Archive>;
}

/** By whole path, the one that was used last at the end. */
const known = new Map<string, Known>();

/**
 * Lists the logs of an archive: tar, plain or packed, or zip. Null: the path is none.
 * @throws {InputError} when it cannot be read
 */
export async function openArchive(path: string, bounds: ArchiveBounds = ARCHIVE_BOUNDS): Promise<Archive | null> {
  const info = await stat(path, { bigint: true }).catch(() => null);
  if (info?.isFile() !== true || info.size === 0n) return null;
  const place = resolve(path);
  const stamp = `${info.dev}:${info.ino}:${info.size}:${info.mtimeNs}`;
  const before = known.get(place);
  if (before?.stamp === stamp && bounds === ARCHIVE_BOUNDS) {
    known.delete(place);
    known.set(place, before);
    return before.archive;
  }
  const form = await formOf(path);
  if (form === null) return null;
  const archive = listed(path, form, info, bounds);
  if (bounds === ARCHIVE_BOUNDS) keep(place, { stamp, archive });
  return archive;
}

function keep(place: string, one: Known): void {
  const drop = (path: string, { archive }: Known): void => {
    known.delete(path);
    void archive.then((it) => it.drop()).catch(() => undefined);
  };
  const before = known.get(place);
  if (before !== undefined) drop(place, before);
  known.set(place, one);
  one.archive.catch(() => known.get(place) === one && known.delete(place));
  for (const [path, oldest] of known) {
    if (known.size <= MOST_OPEN) break;
    drop(path, oldest);
  }
}

type Form = { readonly kind: 'zip' | 'tar' } | { readonly kind: 'packed'; readonly format: Compression };

async function listed(path: string, form: Form, info: BigIntStats, bounds: ArchiveBounds): Promise<Archive> {
  const size = Number(info.size);
  try {
    if (form.kind === 'packed') return new Archive(path, info, await listPackedTar(path, form.format, bounds));
    return new Archive(path, info, await (form.kind === 'zip' ? listZip : listTar)(path, size, bounds));
  } catch (error) {
    if (!isDamaged(error)) throw fileProblem(path, error);
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError('file.damaged', `${path} is damaged (${reason}). Nothing of it could be read.`, { cause: error });
  }
}

/** The form of an archive by its first bytes; null: it is none, or cannot be read. */
async function formOf(path: string): Promise<Form | null> {
  const handle = await openFile(path).catch(() => null);
  if (handle === null) return null;
  try {
    const head = await readAt(handle, 0, PROBE_BYTES);
    const found = probe(head);
    if (found.kind === 'archive') return { kind: found.format };
    if (found.kind !== 'compressed') return isTar(head) ? { kind: 'tar' } : null;
    let inner = Buffer.alloc(0);
    for await (const chunk of decompressed(copies(fileChunks(handle)), found.format)) {
      inner = Buffer.concat([inner, chunk]);
      if (inner.length >= TAR_BLOCK) break;
    }
    return isTar(inner) ? { kind: 'packed', format: found.format } : null;
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

const isTar = (head: Buffer): boolean => {
  if (head.length < TAR_BLOCK || head[0] === 0) return false;
  const found = probe(head);
  return (found.kind === 'archive' && found.format === 'tar') || isHead(head.subarray(0, TAR_BLOCK));
};

/** A log in an archive, by its path. */
export interface FoundMember {
  readonly archive: Archive;
  readonly member: Member;
}

/** The log that a path leads to, if a part of the path is an archive; null: it leads to none. @throws {InputError} as `openArchive` */
export async function memberAt(path: string): Promise<FoundMember | null> {
  const place = await archiveOn(path);
  const member = place?.archive.member(place.name) ?? null;
  return place === null || member === null ? null : { archive: place.archive, member };
}

/** The archive that a path leads into, its path, and the name in it; null: it leads into none. */
export async function archiveOn(path: string): Promise<{ readonly archive: Archive; readonly path: string; readonly name: string } | null> {
  if ((await stat(path).catch(() => null)) !== null) return null;
  for (let part = dirname(path); part !== dirname(part); part = dirname(part)) {
    const info = await stat(part).catch(() => null);
    if (info === null) continue;
    const archive = info.isFile() ? await openArchive(part) : null;
    return archive === null ? null : { archive, path: part, name: memberName(path.slice(part.length).replace(/^[\\/]+/, '')) };
  }
  return null;
}

/** The path of a member of the archive at a path. */
export const memberPath = (archive: string, { name }: Member): string => `${archive}/${name}`;
