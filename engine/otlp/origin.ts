import { OPTIONAL_HEADERS } from '../api/headers.ts';
import { ValueType, type Field, type OptionalHeaders } from '../message/types.ts';
import { fieldOf, has } from './any-value.ts';
import { attributeField, partName, type Group } from './field-names.ts';
import { bigintOf, type KeyValue, type Origin } from './types.ts';

/** Headers and fields that all messages of one resource and scope share. */
export interface OriginHead extends OptionalHeaders {
  readonly fields: readonly Field[];
}

/** Makes it once for the many records of a resource and scope. */
export function originHead({ resource, resourceSchemaUrl, scope, scopeSchemaUrl }: Origin): OriginHead {
  const attributes = new Attributes(resource.attributes);
  const headers = attributes.takeHeaders('resource');
  const fields = [
    ...textPart('scope', 'version', scope.version),
    ...new Attributes(scope.attributes).fields('scope', false),
    ...countPart('scope', 'dropped_attributes_count', scope.droppedAttributesCount),
    ...textPart('scope', 'schema_url', scopeSchemaUrl),
    ...attributes.fields('resource', false),
    ...countPart('resource', 'dropped_attributes_count', resource.droppedAttributesCount),
    ...textPart('resource', 'schema_url', resourceSchemaUrl),
  ];
  const logger = scope.name ?? '';
  return {
    ...headers,
    logger: logger === '' ? undefined : logger,
    fields,
  };
}

/** Attributes, of which some become headers. */
export class Attributes {
  readonly #left: KeyValue[];

  constructor(attributes: readonly KeyValue[] | undefined) {
    this.#left = [...(attributes ?? [])];
  }

  /** Takes the text of that key out; null: there is none. */
  takeText(key: string, isFitting: (text: string) => boolean = () => true): string | null {
    const at = this.#left.findIndex((each) => each.key === key);
    const value = this.#left[at]?.value ?? {};
    if (!has(value, 'stringValue') || !isFitting(value.stringValue ?? '')) return null;
    this.#left.splice(at, 1);
    return value.stringValue ?? '';
  }

  /** Takes the integer of 32 bits of that key out; null: there is none. */
  takeInt32(key: string): number | null {
    const at = this.#left.findIndex((each) => each.key === key);
    const value = this.#left[at]?.value ?? {};
    if (!has(value, 'intValue') || value.intValue === undefined) return null;
    const number = bigintOf(value.intValue);
    if (BigInt.asIntN(32, number) !== number) return null;
    this.#left.splice(at, 1);
    return Number(number);
  }

  /** Takes out what holds headers. */
  takeHeaders(of: 'resource' | 'record'): OptionalHeaders {
    const taken = OPTIONAL_HEADERS.filter(({ attribute }) => attribute?.of === of).map(({ kind, member, attribute }) => {
      const key = attribute?.key ?? '';
      return [member, (kind === 'text' ? this.takeText(key) : this.takeInt32(key)) ?? undefined];
    });
    return Object.fromEntries(taken) as OptionalHeaders;
  }

  /** The others as fields. */
  fields(group: Group, hasPayload: boolean): Field[] {
    return this.#left.map(({ key = '', value }) => attributeField(group, fieldOf(key, value ?? {}), hasPayload));
  }
}

/** The field of a text that is set; absent otherwise. */
export function textPart(group: Group, key: string, text: string | undefined): Field[] {
  if (text === undefined || text === '') return [];
  return [{ name: partName(group, key), valueType: ValueType.STRING, values: [text] }];
}

/** The field of a number that is not 0; absent otherwise. */
export function countPart(group: Group, key: string, count: number | undefined, representation?: string): Field[] {
  return count === undefined || count === 0 ? [] : [integerField(partName(group, key), BigInt(count), representation)];
}

export const integerField = (name: string, value: bigint, representation?: string): Field => ({
  name,
  valueType: ValueType.INTEGER,
  representation,
  values: [value],
});
