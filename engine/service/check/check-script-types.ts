import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ScriptTypes, type TypeScript, type TypeSources } from '../../api/script-types.ts';
import { readTextSync } from '../../base/files/regular-file.ts';
import { once } from '../../base/once.ts';
import { BUNDLED_PLUGINS, isBundled } from '../../base/product/bundled.ts';
import type { ConfigProblem } from '../../config/problems.ts';
import { MAX_SCRIPT_BYTES } from '../../sandbox/code/script-files.ts';
import type { ReadScript } from './check-script-text.ts';

/** Finds the mistakes that TypeScript sees in the scripts of users; none where the package is not installed, as in packages of the engine. */
export function typeFindings(scripts: readonly ReadScript[]): ConfigProblem[] {
  const texts = new Map(scripts.flatMap(({ plugin: { path }, text }) => (isBundled(path) ? [] : [[path, text] as const])));
  if (texts.size === 0) return [];
  const typescript = installed();
  return typescript === null ? [] : [...texts].flatMap(([path, text]) => mistakes(path, text, typescript));
}

/** The package, and the texts with which it reads scripts. */
interface Installed {
  readonly ts: TypeScript;
  readonly sources: TypeSources;
  /** One for each language. */
  readonly types: Map<boolean, ScriptTypes>;
}

/** Only the package of this installation: one beside a script would be code of strangers. */
const installed = once((): Installed | null => {
  const load = createRequire(import.meta.url);
  try {
    const folder = dirname(load.resolve('typescript'));
    return { ts: load('typescript') as TypeScript, sources: sourcesOf(folder), types: new Map() };
  } catch {
    return null;
  }
});

/** Declarations of the language up to the target of scripts. */
const LIBS = /^lib\.(?:es5|es20(?:1[5-9]|2[0-4])|decorators)(?!.*\.full)[\w.]*\.d\.ts$/;

function sourcesOf(folder: string): TypeSources {
  const textsIn = (place: string, name: RegExp, prefix = ''): Record<string, string> =>
    Object.fromEntries(
      readdirSync(place)
        .filter((file) => name.test(file))
        .map((file) => [prefix + file, readTextSync(join(place, file), MAX_SCRIPT_BYTES)]),
    );
  const scripts = (room: string): Record<string, string> => textsIn(join(BUNDLED_PLUGINS, room), /\.ts$/, `${room}/`);
  return {
    libs: textsIn(folder, LIBS),
    api: readTextSync(join(BUNDLED_PLUGINS, 'api.d.ts'), MAX_SCRIPT_BYTES),
    modules: { ...scripts('modules'), ...scripts('base') },
  };
}

/** Code that may be right in JavaScript, though its types are not, is left to the author. */
function mistakes(path: string, text: string, { ts, sources, types }: Installed): ConfigProblem[] {
  const typed = /\.m?ts$/.test(path);
  const service = types.get(typed) ?? new ScriptTypes(ts, sources, typed);
  types.set(typed, service);
  service.update(text);
  return service.problems().flatMap(({ from, text: said, severity }) => {
    const line = text.slice(0, from).split('\n').length;
    const one = said.replaceAll(/\s*\n\s*/g, ' ');
    return severity === 'error' ? [{ code: 'config.parameter' as const, file: path, line, section: '', key: '', text: one, hint: '' }] : [];
  });
}
