import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A small JSON object on disk, written atomically. A file that cannot be read counts as absent, since it holds no data of the user. */
export class StateFile<T extends object> {
  readonly #path: string;
  #value: T;

  constructor(path: string, fallback: T) {
    this.#path = path;
    this.#value = { ...fallback, ...read<T>(path) };
  }

  get value(): T {
    return this.#value;
  }

  save(value: T): void {
    this.#value = value;
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(`${this.#path}.new`, `${JSON.stringify(value, null, 2)}\n`);
    renameSync(`${this.#path}.new`, this.#path);
  }
}

function read<T>(path: string): Partial<T> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
