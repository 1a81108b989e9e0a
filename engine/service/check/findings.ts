import type { ProblemCode } from '../../config/problems.ts';
import { EngineError, messageOf } from '../../base/errors.ts';

/** A problem with a section of a configuration; see `Finding`. */
export interface SectionFinding {
  readonly section: string;
  readonly path: readonly PropertyKey[];
  readonly code: ProblemCode;
  readonly text: string;
  readonly hint: string;
}

/** The finding that an error stands for. @param usual its code when it has none */
export const findingOf = (
  error: unknown,
  section: string,
  path: readonly PropertyKey[],
  usual: ProblemCode = 'plugin.failed',
): SectionFinding => ({
  section,
  path,
  code: error instanceof EngineError ? error.code : usual,
  text: messageOf(error),
  hint: '',
});
