/** Headers of messages that attributes of OTLP hold. */
import type { LogMessage } from '../../modules/table_writer.ts';

type HeldHeader = 'Uuid' | 'EnvVersion' | 'Severity' | 'Hostname' | 'Pid';

/** Sets a header unless an attribute before has set it. @param value null: it is none for this header. Returns whether it is set to this value */
export function takeHeader<H extends HeldHeader>(head: LogMessage, header: H, value: LogMessage[H] | null): boolean {
  if (value === null || head[header] !== undefined) return false;
  head[header] = value;
  return true;
}
