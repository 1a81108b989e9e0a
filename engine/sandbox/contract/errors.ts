import type { End, EndCode } from '../../api/ends.ts';
import { messageOf } from '../../base/errors.ts';
import type { SandboxSpec } from './types.ts';

/** A sandbox that does not start: its script is missing, has a mistake or breaks a limit. The message says where. */
export class SandboxLoadError extends Error {
  override readonly name = 'SandboxLoadError';
  readonly plugin: string;
  /** Absolute path of the script. */
  readonly script: string;
  readonly end: End;

  constructor({ name, script }: Pick<SandboxSpec, 'name' | 'script'>, end: End, options?: ErrorOptions) {
    super(end.reason, options);
    this.plugin = name;
    this.script = script;
    this.end = end;
  }
}

/** A call of a sandbox that has ended or was stopped. */
export class SandboxEndedError extends Error {
  override readonly name = 'SandboxEndedError';
  /** The end of the sandbox; null: it was stopped. */
  readonly end: End | null;

  constructor(message: string, end: End | null = null) {
    super(message);
    this.end = end;
  }

  /** The words for that. */
  get reason(): string | null {
    return this.end?.reason ?? null;
  }
}

/** A host that does not start, or too many that crash one after the other. */
export class SandboxHostError extends Error {
  override readonly name = 'SandboxHostError';
}

/** Thrown when a result is not one that a sandbox can send. */
export class ForgedResultError extends Error {
  override readonly name = 'ForgedResultError';
}

/** The end that the failure of a start or of a call stands for: that of the sandbox, if it has ended. The error, or what caused it, knows. */
export function endOf(error: unknown): End {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof SandboxLoadError) return cause.end;
    if (cause instanceof SandboxEndedError && cause.end !== null) return cause.end;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { code: codeOf(error), reason, said: reason };
}

/** Text of an error that a script has thrown, without the error's name. */
export const wordsOf = ({ said, reason }: End): string => (said ?? reason).replace(/^[A-Z]\w*: /, '');

function codeOf(error: unknown): End['code'] {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof SandboxHostError) return 'host.start';
    if (cause instanceof SandboxEndedError) return 'sandbox.stopped';
    if (cause instanceof ForgedResultError) return 'sandbox.protocol';
  }
  return 'failed';
}

export const endBy = (code: EndCode, reason: string): End => ({ code, reason, said: reason });

/** The end of an input whose messages were not taken. */
export const untaken = (error: unknown): End =>
  endBy(error instanceof ForgedResultError ? 'sandbox.protocol' : 'input.delivery', messageOf(error));
