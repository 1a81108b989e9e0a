/** A sandbox that does not start: its script is missing, has a mistake or breaks a limit. The message says where. */
export class SandboxLoadError extends Error {
  override readonly name = 'SandboxLoadError';
  readonly plugin: string;

  constructor(plugin: string, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.plugin = plugin;
  }
}

/** A call of a sandbox that has ended or was stopped. */
export class SandboxEndedError extends Error {
  override readonly name = 'SandboxEndedError';
  /** Why the sandbox has ended; null: it was stopped. */
  readonly reason: string | null;

  constructor(message: string, reason: string | null = null) {
    super(message);
    this.reason = reason;
  }
}

/** A host that does not start, or too many that crash one after the other. */
export class SandboxHostError extends Error {
  override readonly name = 'SandboxHostError';
}

/** What came back from a sandbox is not what a sandbox sends. */
export class ForgedResultError extends Error {
  override readonly name = 'ForgedResultError';
}

/** Why a call of a sandbox was rejected: the reason why it ended, if it has. */
export function endReasonOf(error: unknown): string {
  if (error instanceof SandboxEndedError && error.reason !== null) return error.reason;
  return error instanceof Error ? error.message : String(error);
}
