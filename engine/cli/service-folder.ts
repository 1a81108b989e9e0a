import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lockHolder } from '../base/process/lock-holder.ts';
import { loadConfig } from '../config/load.ts';
import { formatProblem } from '../config/problems.ts';
import { fileName } from '../service/kept-names.ts';
import { UsageError } from './command.ts';
import { dataFolder } from './data-folder.ts';
import { LOCK } from './folder-lock.ts';

/** The folder in which a service keeps its state. */
export interface ServiceFolder {
  readonly path: string;
  /** Only one service works there, which locks it. */
  readonly isOwn: boolean;
  /** Names of sections by those of their files, as far as they are known. */
  readonly names: ReadonlyMap<string, string>;
}

/** Finds the folder by a configuration, or takes a folder that is one. @throws {UsageError} when there is none */
export async function serviceFolder(given: string): Promise<ServiceFolder> {
  if (await isState(given)) return { path: given, isOwn: true, names: new Map() };
  const { config, problems, sections } = await loadConfig(given);
  const unread = problems.find(({ code }) => code === 'config.unreadable' || code === 'config.syntax');
  if (unread !== undefined) throw new UsageError(formatProblem(unread));
  const { base_dir: base } = config.service;
  const names = new Map(sections.map(({ name }) => [fileName(name), name]));
  return { path: base ?? dataFolder(), isOwn: base !== undefined, names };
}

/** The process of the service that works in a folder; null: none does, or the system does not tell. */
export const serviceIn = ({ path }: ServiceFolder): string | null => lockHolder(join(path, LOCK));

async function isState(path: string): Promise<boolean> {
  const inside = [LOCK, 'output_queue'].map((name) =>
    stat(join(path, name)).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(inside)).includes(true);
}
