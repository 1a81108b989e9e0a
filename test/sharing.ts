import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Folders whose tests mostly call functions: to start a process for a file takes longer than most of these files take. */
const FOLDERS =
  /^test\/(?:renderer|electron|scripts|engine\/(?:api|ask|config|inputs|lake|matcher|message|nats|outputs|parquet|pipeline|queue|store|workspace)|plugins\/(?:base|encoders|filters|modules))\//;

/**
 * Words of tests that need a process of their own: they change or measure it, start others, or run decoders, as V8 compiles regular expressions in another way in
 * a process that has compiled many.
 */
const OWN =
  /\b(?:vi\.|process\.|globalThis\.|child_process|worker_threads|growth|workMs|performance|sandbox|decoders?\/|detect|run-cli|start-command|engine-fixture|ports\.ts|duckdb|jetstream)/i;

/** Folders whose tests call bundled scripts: few files share a process, so that it compiles about as many regular expressions as one long file did. */
const SCRIPTS = /^test\/plugins\/(?:decoders|filters|lib)\//;

/** Words of tests in these folders that need a process of their own. */
const OWN_SCRIPTS = /\b(?:vi\.|process\.|globalThis\.|child_process|worker_threads|growth|workMs|performance|sandbox\/|run-cli|naive)/i;

/** Files that run one after the other in a process, and how many of them at most. */
export interface ProcessGroup {
  readonly folders: RegExp;
  readonly own: RegExp;
  readonly most: number;
}

const GROUPS: readonly ProcessGroup[] = [
  { folders: FOLDERS, own: OWN, most: 40 },
  { folders: SCRIPTS, own: OWN_SCRIPTS, most: 8 },
];

const groups = new Map<string, ProcessGroup | undefined>();

/** The group of a test file whose processes it shares; undefined when it has a process of its own. @param path absolute */
export function processGroup(path: string): ProcessGroup | undefined {
  if (!groups.has(path)) groups.set(path, findGroup(relative(`${import.meta.dirname}/..`, path), readFileSync(path, 'utf8')));
  return groups.get(path);
}

function findGroup(file: string, text: string): ProcessGroup | undefined {
  return GROUPS.find(({ folders, own }) => folders.test(file) && !own.test(text));
}
