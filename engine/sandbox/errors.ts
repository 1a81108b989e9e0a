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
}

/** A host that does not start, or too many that crash one after the other. */
export class SandboxHostError extends Error {
  override readonly name = 'SandboxHostError';
}

/** What came back from a sandbox is not what a sandbox sends. */
export class ForgedResultError extends Error {
  override readonly name = 'ForgedResultError';
}
