import type { SchemaLogger } from '../api/types.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { ValueType, type Field, type Message } from '../message/types.ts';
import type { CountedField, CountedLogger } from './schema-counts.ts';

/** Messages of a batch that are looked at for samples. */
const SAMPLED_ROWS = 4;
const MAX_SAMPLES = 5;
const MAX_SAMPLE_LENGTH = 120;
/** Field names of which samples are kept; a stream that invents names must not take all memory. */
const MAX_FIELDS = 5000;

interface FieldSamples {
  representation: string | null;
  readonly samples: Set<string>;
}

/** Collects representations and sample values of fields, from some messages of each batch. */
export class SchemaSamples {
  readonly #fields = new Map<string, FieldSamples>();

  observe(batch: MessageBatch): void {
    const step = Math.max(1, Math.floor(batch.length / SAMPLED_ROWS));
    for (let row = 0; row < batch.length; row += step) this.#observeMessage(batch.message(row));
  }

  /** The facts about fields, by keys as `fieldKey` makes them. */
  get fields(): ReadonlyMap<string, FieldSamples> {
    return this.#fields;
  }

  #observeMessage(message: Message): void {
    const { logger = '', type = '', envVersion = '' } = message;
    for (const field of message.fields) {
      const key = fieldKey(logger, type, envVersion, field.name);
      let known = this.#fields.get(key);
      if (known === undefined) {
        if (this.#fields.size >= MAX_FIELDS) continue;
        this.#fields.set(key, (known = { representation: null, samples: new Set() }));
      }
      known.representation ??= field.representation || null;
      const value = field.values[0];
      if (value !== undefined && known.samples.size < MAX_SAMPLES) known.samples.add(sampleText(field));
    }
  }
}

/** The key of a field among the samples. */
const fieldKey = (...parts: readonly [logger: string, type: string, version: string, field: string]): string => parts.join('\u0000');

function sampleText(field: Field): string {
  const text = field.valueType === ValueType.BYTES ? Buffer.from(field.values[0] ?? []).toString('hex') : String(field.values[0]);
  return text.length > MAX_SAMPLE_LENGTH ? `${text.slice(0, MAX_SAMPLE_LENGTH)}…` : text;
}

/** The counts of several sources as one tree, with samples. Counts of the same logger, type, version and field add up. */
export function schemaTree(counted: readonly (readonly CountedLogger[])[], samples: readonly SchemaSamples[]): SchemaLogger[] {
  const known = samplesByField(samples);
  return merged(counted.flat(), (logger, types) => ({
    types: merged(types, (type, versions) => ({
      versions: merged(versions, (version, fields, count) => ({
        fields: mergedFields(fields, count).map((field) => ({
          ...field,
          ...sampleOf(known.get(fieldKey(logger, type, version, field.name))),
        })),
      })),
    })),
  }));
}

/** Joins nodes of the same name; the most frequent come first. */
function merged<Child, Extra>(
  nodes: readonly { readonly name: string; readonly count: number; readonly children: readonly Child[] }[],
  extra: (name: string, children: readonly Child[], count: number) => Extra,
): ({ name: string; count: number } & Extra)[] {
  const byName = new Map<string, { count: number; children: Child[] }>();
  for (const { name, count, children } of nodes) {
    const known = byName.get(name);
    if (known === undefined) byName.set(name, { count, children: [...children] });
    else {
      known.count += count;
      known.children.push(...children);
    }
  }
  const list = [...byName].map(([name, { count, children }]) => ({ name, count, ...extra(name, children, count) }));
  return list.sort((a, b) => b.count - a.count);
}

function mergedFields(fields: readonly CountedField[], messages: number): (CountedField & { readonly optional: boolean })[] {
  const byName = new Map<string, CountedField>();
  for (const { name, type, count } of fields) {
    const known = byName.get(name);
    if (known === undefined) byName.set(name, { name, type, count });
    else byName.set(name, { name, type: known.type === type ? type : 'mismatch', count: known.count + count });
  }
  return [...byName.values()].map((field) => ({ ...field, optional: field.count !== messages }));
}

/** Of hundreds of sources, each field is known to a few. */
function samplesByField(samples: readonly SchemaSamples[]): ReadonlyMap<string, readonly FieldSamples[]> {
  const byField = new Map<string, FieldSamples[]>();
  for (const { fields } of samples) {
    for (const [key, found] of fields) {
      const known = byField.get(key);
      if (known === undefined) byField.set(key, [found]);
      else known.push(found);
    }
  }
  return byField;
}

function sampleOf(known: readonly FieldSamples[] = []): { representation: string | null; samples: string[] } {
  const values = new Set<string>();
  let representation: string | null = null;
  for (const found of known) {
    representation ??= found.representation;
    for (const value of found.samples) if (values.size < MAX_SAMPLES) values.add(value);
  }
  return { representation, samples: [...values] };
}
