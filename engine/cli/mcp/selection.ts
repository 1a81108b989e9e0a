import { z } from 'zod';
import { readExpression } from '../../api/filter/reading.ts';
import type { RecordQuery } from '../../api/record-types.ts';
import { lookupFolder } from '../../lookup/folder.ts';
import { MatcherError } from '../../matcher/errors.ts';
import { compileExpression } from '../../matcher/expression.ts';
import { compileMatcher } from '../../matcher/matcher.ts';
import { UsageError } from '../command.ts';
import { UNIVERSAL } from '../view/clock.ts';
import { timeOf } from '../view/times.ts';
import { Refusal } from './granted-logs.ts';

const time = (what: string): z.ZodOptional<z.ZodString> =>
  z.string().max(100).optional().describe(`${what}; UTC, such as 2026-11-22T12:40:00Z, 2026-11-22 12:40, or 1h for an hour ago`);

export const fileId = z.string().max(20).describe('Id of a file, from list_files, such as f1');

/** Arguments that select records. */
export const selected = {
  files: z.array(fileId).min(1).max(100).optional().describe('Ids of files from list_files; absent: all'),
  text: z.string().min(1).max(2000).optional().describe('Text that is in the record as it was read, or a regular expression'),
  regex: z.boolean().optional().describe('text is a regular expression (linear time: no back references, no look-around)'),
  caseSensitive: z.boolean().optional(),
  where: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .describe(
      "Expression over fields, such as 'status:5xx -uri:/health', 'level:error', 'took > 500', 'user in (anna, bob)', 'a:x || b:y'",
    ),
  from: time('Earliest time'),
  to: time('Time before which records are'),
};

type Selected = z.output<z.ZodObject<typeof selected>>;

/** The query of these arguments, over these sources. @throws {Refusal} for a mistake in them */
export function queryOf(given: Partial<Selected>, sources: readonly number[]): RecordQuery {
  const { text, regex, caseSensitive, where, from, to } = given;
  return {
    sources,
    ...(text === undefined ? {} : { filters: [{ text, regex, caseSensitive }] }),
    ...(where === undefined ? {} : { matcher: matcherOf(where) }),
    ...(from === undefined ? {} : { from: momentOf('from', from) }),
    ...(to === undefined ? {} : { to: momentOf('to', to) }),
  };
}

/** Milliseconds of a time. @throws {Refusal} */
export function momentOf(argument: string, text: string): number {
  try {
    return Number(timeOf(argument, text, UNIVERSAL) / 1_000_000n);
  } catch (error) {
    throw error instanceof UsageError ? new Refusal(error.message, { cause: error }) : error;
  }
}

function matcherOf(where: string): string {
  try {
    compileExpression(where);
  } catch (error) {
    throw error instanceof MatcherError ? new Refusal(`where: ${error.message}\n${error.caret()}`, { cause: error }) : error;
  }
  try {
    compileMatcher(where);
    return where;
  } catch {
    const reading = readExpression(where, lookupFolder() !== null);
    return reading.kind === 'matcher' ? reading.expression : where;
  }
}
