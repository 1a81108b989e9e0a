import type { z } from 'zod';

/** A request: the schema of its input, which whoever receives it checks first, and the type of its answer. */
export interface Request<In, Out> {
  readonly input: z.ZodType<In>;
  /** Has a type alone, never a value. */
  readonly answer?: Out;
}

/** Begins the entry of a request: `asks(schema).gives<Answer>()`. */
export const asks = <In>(input: z.ZodType<In>): { gives: <Out>() => Request<In, Out> } => ({ gives: () => ({ input }) });

/** The types of the inputs and answers of requests, by their names. */
export type TypesOf<Requests> = {
  [N in keyof Requests]: Requests[N] extends Request<infer In, infer Out> ? { in: In; out: Out } : never;
};
