import { z } from 'zod';

/** A condition on several parameters together. */
export interface Rule<Values> {
  holds(values: Values): boolean;
  /** Text of the error when it does not hold. */
  readonly error: string;
  /** The parameter that the error is about; absent: the section. */
  readonly path?: readonly string[];
}

/** Parameters by their names, in the order of the documentation. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** The checked values of such parameters, with all defaults filled in. */
export type ValuesOf<S extends Shape> = z.output<z.ZodObject<S>>;

/** The schema of a table with a `type` and the parameters of that type. */
export function sectionSchema<const Name extends string, S extends Shape, Values>(
  type: Name,
  shape: S,
  rules: readonly Rule<Values>[] = [],
): z.ZodObject<{ type: z.ZodLiteral<Name> } & S, z.core.$strict> {
  const schema = z.strictObject({ type: z.literal(type), ...shape });
  return rules.reduce(
    (ruled, rule) =>
      ruled.refine((values) => rule.holds(values as Values), { error: rule.error, ...(rule.path ? { path: [...rule.path] } : {}) }),
    schema,
  );
}

/** The parameters but for some. */
export function without(shape: Shape, names: readonly string[]): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([name]) => !names.includes(name)));
}

/**
 * The schema of a table in a section that is of one of several types.
 * @param schemas one for each of the types, by name
 */
export function anyOf<Values>(schemas: ReadonlyMap<string, z.ZodObject>): z.ZodType<Values> {
  const types = [...schemas.keys()];
  const error = `must be ${types.slice(0, -1).join(', ')} or ${types.at(-1) ?? ''}`;
  const [first, ...others] = schemas.values();
  if (first === undefined) throw new RangeError('there is no type to choose from');
  return z.discriminatedUnion('type', [first, ...others], { error: ({ code }) => (code === 'invalid_union' ? error : undefined) }) as never;
}
