/**
 * Injecting what a message became. What the sandbox does not take, such as a message beyond its output_limit, is refused with that reason; the
 * plugin goes on.
 */

/** Injects what the writer holds. Returns the status of `process_message`. */
export function injectWritten(writer: MessageWriter): ProcessStatus {
  try {
    writer.inject();
    return 0;
  } catch (error) {
    writer.discard();
    return [-1, reasonOf(error)];
  }
}

/** Injects the output of an encoder. Returns the status of `process_message`. */
export function injectOutput(type: string, name: string, output: string): ProcessStatus {
  try {
    inject_payload(type, name, output);
    return 0;
  } catch (error) {
    return [-1, reasonOf(error)];
  }
}

/** Injects a table. Returns the status of `process_message`. */
export function injectTable(message: InjectMessage): ProcessStatus {
  try {
    inject_message(message);
    return 0;
  } catch (error) {
    return [-1, reasonOf(error)];
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
