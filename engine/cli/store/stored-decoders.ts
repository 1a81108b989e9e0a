import { hash } from 'node:crypto';
import { scriptReference } from '../../plugins/catalog.ts';
import { isBundled } from '../../base/product/bundled.ts';
import type { Config } from '../../plugins/parameters.ts';
import type { PluginScript } from '../../plugins/types.ts';
import { bundledScript } from '../../sandbox/code/script-bundle.ts';
import { readScriptFile } from '../../sandbox/code/script-files.ts';
import type { KnownDecoder } from '../file-decoders.ts';

/** Decoders as they are stored, with the hashes of scripts as they were when they were first asked for: a log that is followed keeps the decoder that it began with. */
export class StoredDecoders {
  readonly #hashes = new Map<string, string | undefined>();

  of(plugin: PluginScript, config: Readonly<Config>): KnownDecoder {
    return {
      name: scriptReference(plugin),
      config: Object.fromEntries(Object.entries(config).map(([name, value]) => [name, String(value)])),
      ...(isBundled(plugin.path) ? {} : { script: this.hashOf(plugin.path) }),
    };
  }

  /** The hash of a script and of what it imports; undefined: it cannot be read. */
  hashOf(path: string): string | undefined {
    if (!this.#hashes.has(path)) this.#hashes.set(path, hashOf(path));
    return this.#hashes.get(path);
  }
}

function hashOf(path: string): string | undefined {
  for (const read of [bundledScript, (script: string) => readScriptFile(script, null).bytes]) {
    try {
      return hash('sha256', read(path), 'base64url');
    } catch {
      // It has an import that is found only where it runs, or is gone: then it says so when it is started.
    }
  }
  return undefined;
}
