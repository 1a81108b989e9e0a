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

const isShared = new Map<string, boolean>();

/** Whether a test file shares its process with others that do. @param path absolute */
export function sharesProcess(path: string): boolean {
  const known = isShared.get(path) ?? (FOLDERS.test(relative(`${import.meta.dirname}/..`, path)) && !OWN.test(readFileSync(path, 'utf8')));
  isShared.set(path, known);
  return known;
}
