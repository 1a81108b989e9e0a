import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isTable, type Table } from '../../config/document.ts';
import { SECTION_TYPES } from '../../config/schema/sections.ts';
import type { ServiceConfig } from '../../config/schema/service.ts';
import type { ListedSection } from '../../config/sections.ts';
import { wrongTls } from '../../base/net/tls.ts';
import type { SectionFinding } from './findings.ts';

/** Checks of the files and folders that a configuration names. Nothing is written and nothing made. */

/** Finds folders of the service that cannot be used. @param section the name of its section */
export function wrongServicePaths(service: ServiceConfig, section: string): SectionFinding[] {
  const { share_dir: shared, base_dir: base } = service;
  const checks = [
    ['share_dir', shared === undefined ? null : whyNoFolder(shared)],
    ['base_dir', base === undefined ? null : whyNoNewFolder(base)],
    ...(['pid_file', 'cpuprof', 'memprof'] as const).map(
      (name) => [name, service[name] === undefined ? null : whyNoNewFile(service[name])] as const,
    ),
  ] as const;
  return checks.flatMap(([parameter, text]) => (text === null ? [] : [wrongPath(section, [parameter], text)]));
}

const wrongPath = (section: string, path: readonly string[], text: string): SectionFinding => ({
  section,
  path,
  code: 'config.path',
  text,
  hint: '',
});

/** Finds files of a section that cannot be used: those that it writes, and those of its `tls` tables. */
export async function wrongSectionPaths(section: ListedSection): Promise<SectionFinding[]> {
  const { name, type, table } = section;
  const findings: SectionFinding[] = [];
  for (const [path, port] of [
    [[], { ...table, type }],
    [['source'], table['source']],
    [['target'], table['target']],
  ] as const) {
    if (!isTable(port)) continue;
    const file = whyNoTarget(port);
    if (file !== null) findings.push(wrongPath(name, [...path, 'path'], file));
    if (!isTable(port['tls']) || !isEncrypted(port)) continue;
    for (const { parameter, text } of await wrongTls(port['tls'])) {
      findings.push({ section: name, path: [...path, 'tls', parameter], code: 'tls.file', text, hint: '' });
    }
  }
  return findings;
}

/** Tells whether the `tls` table of an input or output is used: those with `use_tls` need that. */
function isEncrypted(port: Table): boolean {
  if (port['use_tls'] === true) return true;
  const schema = SECTION_TYPES[String(port['type'])]?.schema;
  return schema !== undefined && 'shape' in schema && !Object.hasOwn(schema.shape as object, 'use_tls');
}

/** Says why an output cannot write its files; null: it can, or writes none. */
function whyNoTarget(port: Table): string | null {
  const { type, path } = port;
  if (type === 'FileOutput') return whyNoOutput(port);
  return type === 'ParquetOutput' && typeof path === 'string' && path !== '' ? whyNoNewFolder(path) : null;
}

/** Says why a FileOutput cannot write; null: it can. It makes the folders that are missing. */
function whyNoOutput({ path, rotation_interval: rotation }: Table): string | null {
  if (typeof path !== 'string' || path === '') return null;
  const pattern = typeof rotation === 'number' && rotation > 0 && path.includes('%');
  if (pattern) return whyNoNewFolder(dirname(`${path.slice(0, path.indexOf('%'))}x`));
  const found = statOf(path);
  if (found === undefined) return whyNoNewFolder(dirname(resolve(path)));
  if (found.isDirectory()) return `${path} is a folder: name a file in it`;
  return isWritable(path) ? null : `${path} cannot be written to: its permissions do not allow it`;
}

function whyNoFolder(path: string): string | null {
  const found = statOf(path);
  if (found === undefined) return `there is no folder ${path}: make it, or correct the path`;
  return found.isDirectory() ? null : `${path} is not a folder`;
}

/** Says why a folder can neither be used nor made. */
function whyNoNewFolder(path: string): string | null {
  for (let at = resolve(path); ; at = dirname(at)) {
    const found = statOf(at);
    if (found === undefined && at !== dirname(at)) continue;
    if (found?.isDirectory() !== true) return `${at} is a file, not a folder`;
    if (isWritable(at)) return null;
    return at === resolve(path) ? `the folder ${at} cannot be written to` : `it cannot be made: the folder ${at} cannot be written to`;
  }
}

/** Says why a file in a folder that is there can neither be written nor made. */
function whyNoNewFile(path: string): string | null {
  const found = statOf(path);
  if (found?.isDirectory() === true) return `${path} is a folder: name a file in it`;
  const folder = dirname(resolve(path));
  if (found === undefined) return whyNoFolder(folder) ?? (isWritable(folder) ? null : `the folder ${folder} cannot be written to`);
  return isWritable(path) ? null : `${path} cannot be written to`;
}

const statOf = (path: string): ReturnType<typeof statSync> => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A file where the path has a folder: the folders above say so.
    return undefined;
  }
};

/** File systems of the kernel, in which nobody makes files: /proc and /sys. */
const OF_KERNEL: ReadonlySet<number> = new Set([0x9fa0, 0x62656572]);

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return !OF_KERNEL.has(statfsSync(path).type);
  } catch {
    return false;
  }
}
