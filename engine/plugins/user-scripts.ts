import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../base/errors.ts';
import type { SandboxKind } from '../sandbox/contract/types.ts';
import { scriptIn } from './catalog.ts';
import type { PluginScript } from './types.ts';

/** A script in one version of its file. */
interface KnownScript {
  /** Version of the file, which differs after a change. */
  readonly version: string;
  /** null when it is of another kind, has no meta, or cannot be used. */
  readonly plugin: PluginScript | null;
}

/** The scripts of one kind in a folder, without subfolders. Only changed ones are read again. */
export class UserScripts {
  readonly #folder: string;
  readonly #kind: SandboxKind;
  readonly #onProblem: (text: string) => void;
  #known: ReadonlyMap<string, KnownScript> = new Map();

  /** @param onProblem called for a script that cannot be used, once until it is changed */
  constructor(folder: string, kind: SandboxKind, onProblem: (text: string) => void = () => undefined) {
    this.#folder = folder;
    this.#kind = kind;
    this.#onProblem = onProblem;
  }

  /** Returns the present scripts, in alphabetical order. Never throws. */
  read(): PluginScript[] {
    const known = new Map<string, KnownScript>();
    for (const name of this.#names()) {
      const version = versionOf(join(this.#folder, name));
      const before = this.#known.get(name);
      if (version !== null) known.set(name, before?.version === version ? before : { version, plugin: this.#find(name) });
    }
    this.#known = known;
    return [...known.values()].flatMap(({ plugin }) => plugin ?? []);
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => /\.(?:js|mjs|ts)$/.test(name) && !name.endsWith('.d.ts'))
        .sort();
    } catch {
      // The folder does not exist before the first script is written.
      return [];
    }
  }

  #find(name: string): PluginScript | null {
    try {
      const plugin = scriptIn(this.#folder, name);
      return plugin.meta?.kind === this.#kind ? plugin : null;
    } catch (error) {
      this.#onProblem(messageOf(error));
      return null;
    }
  }
}

/** Version of a file, also of one that cannot be read; null when it is gone or a folder. */
export function versionOf(path: string): string | null {
  try {
    const stat = statSync(path);
    return stat.isDirectory() ? null : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
  } catch {
    return null;
  }
}
