import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type Document } from 'yaml';
import { messageOf } from '../base/errors.ts';

/** A value of a YAML document, with the line that it begins in. */
export type Yaml =
  | { readonly kind: 'scalar'; readonly type: 'null' | 'bool' | 'number' | 'text'; readonly text: string; readonly line: number }
  | { readonly kind: 'list'; readonly items: readonly Yaml[]; readonly line: number }
  | { readonly kind: 'map'; readonly entries: readonly YamlEntry[]; readonly line: number };

interface YamlEntry {
  readonly key: string;
  readonly line: number;
  readonly value: Yaml;
}

export type YamlMap = Extract<Yaml, { kind: 'map' }>;

/** A text that is no YAML, or too much of it. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  readonly line: number;

  constructor(message: string, line: number, options?: ErrorOptions) {
    super(message, options);
    this.line = line;
  }
}

/** Characters of a file. */
const MAX_LENGTH = 2 << 20;
/** Values of a file, those that aliases stand for counted each time. */
const MAX_VALUES = 200_000;
const MAX_DEPTH = 40;

/**
 * Reads the documents of a text.
 * @throws {YamlError}
 */
export function readYaml(text: string): Yaml[] {
  if (text.length > MAX_LENGTH) throw new YamlError(`it has more than ${MAX_LENGTH >> 20} MiB`, 1);
  const deep = text.split('\n').findIndex((line) => (line.match(/[[{]/g)?.length ?? 0) > 1000 || /^[ ]*(?:- ){100}/.test(line));
  if (deep >= 0) throw new YamlError(TOO_DEEP, deep + 1);
  const lines = new LineCounter();
  let documents: readonly Document.Parsed[];
  try {
    documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' }) as readonly Document.Parsed[];
  } catch (cause) {
    throw new YamlError(cause instanceof RangeError ? TOO_DEEP : messageOf(cause), 1, { cause });
  }
  const reader = new Reader(lines);
  return documents.map((document) => reader.document(document));
}

const TOO_DEEP = `it is nested deeper than ${MAX_DEPTH} levels`;

class Reader {
  readonly #lines: LineCounter;
  #left = MAX_VALUES;

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  document(document: Document.Parsed): Yaml {
    const [error] = document.errors;
    if (error !== undefined) throw new YamlError(error.message, this.#lineAt(error.pos[0]), { cause: error });
    return this.#value(document.contents, document, 1, 0);
  }

  #lineAt(offset: number): number {
    return Math.max(1, this.#lines.linePos(offset).line);
  }

  #value(node: unknown, document: Document.Parsed, line: number, depth: number): Yaml {
    if (this.#left-- <= 0) throw new YamlError(`it has more than ${MAX_VALUES} values, with its aliases written out`, line);
    if (depth > MAX_DEPTH) throw new YamlError(TOO_DEEP, line);
    if (isAlias(node)) return this.#value(node.resolve(document) ?? null, document, line, depth + 1);
    const own = rangeOf(node);
    const at = own === null ? line : this.#lineAt(own);
    if (isMap(node)) {
      const entries = node.items.map(({ key, value }): YamlEntry => {
        const name = this.#value(key, document, at, depth + 1);
        if (name.kind !== 'scalar') throw new YamlError('a key is a list or a map', name.line);
        return { key: name.text, line: name.line, value: this.#value(value, document, name.line, depth + 1) };
      });
      return { kind: 'map', entries, line: at };
    }
    if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => this.#value(item, document, at, depth + 1)), line: at };
    if (!isScalar(node)) return { kind: 'scalar', type: 'null', text: '', line: at };
    const { value, source } = node;
    if (value === null || value === undefined) return { kind: 'scalar', type: 'null', text: '', line: at };
    if (typeof value === 'string') return { kind: 'scalar', type: 'text', text: value, line: at };
    return { kind: 'scalar', type: typeof value === 'boolean' ? 'bool' : 'number', text: source ?? '', line: at };
  }
}

function rangeOf(node: unknown): number | null {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return null;
  const [start] = node.range as readonly unknown[];
  return typeof start === 'number' ? start : null;
}

/** The value of a key; undefined: there is none. */
export const valueOf = (map: YamlMap, key: string): Yaml | undefined => map.entries.find((entry) => entry.key === key)?.value;

/** The text of a key whose value is one. */
export function textOf(map: YamlMap, key: string): string | null {
  const value = valueOf(map, key);
  return value?.kind === 'scalar' && value.type !== 'null' ? value.text : null;
}

/** The texts of a list, or of a value alone. */
export function textsOf(value: Yaml | undefined): string[] {
  if (value === undefined) return [];
  const items = value.kind === 'list' ? value.items : [value];
  return items.flatMap((item) => (item.kind === 'scalar' && item.type !== 'null' ? [item.text] : []));
}
