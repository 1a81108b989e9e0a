import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stageApp } from '../../../scripts/lib/app-package.mjs';

const ELECTRON = process.env['SLUICEBOX_ELECTRON'] as string;

/** The packaged application, in a folder that goes with it. */
export interface Packaged extends Disposable {
  readonly folder: string;
  /** The command, as it is installed. */
  readonly binary: string;
  readonly resources: string;
}

/** Packs the application with the Electron that the other tests use: nothing is downloaded. */
export async function pack(): Promise<Packaged> {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-package-'));
  const version = readFileSync(join(dirname(ELECTRON), 'version'), 'utf8').trim();
  const staged = join(folder, 'root');
  await stageApp(staged, { path: ELECTRON, version: version.replace(/^v/, '') });
  const unpacked = join(staged, 'usr/lib/sluicebox-desktop');
  return {
    folder,
    binary: join(staged, 'usr/bin/sluicebox-desktop'),
    resources: join(unpacked, 'resources'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The switches of Electron's fuse wire, in the order in which they stand in the binary. */
const FUSES = [
  'runAsNode',
  'cookieEncryption',
  'nodeOptions',
  'nodeCliInspect',
  'embeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
] as const;
/** Marker before the fuse wire; its version, its length and a digit for each fuse follow. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** Reads the fuses of an Electron binary. */
export function readFuses(binary: string): Record<string, boolean> {
  const bytes = readFileSync(binary);
  const start = bytes.indexOf(SENTINEL) + SENTINEL.length;
  const version = bytes[start];
  if (version !== 1) throw new Error(`The fuses have version ${version}.`);
  const wire = bytes.toString('latin1', start + 2, start + 2 + FUSES.length);
  return Object.fromEntries(FUSES.map((name, i) => [name, wire[i] === '1']));
}
