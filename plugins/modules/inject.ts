/**
 * Injecting what a record became. A message that the sandbox does not take, such as one beyond its output_limit, is a record that is refused
 * with that reason; the decoder goes on.
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
