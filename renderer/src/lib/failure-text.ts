import { visibleText } from '../../../engine/api/printable.ts';
import type { RecordRow } from '../../../engine/api/types.ts';
import { formatBytes } from '../../../engine/api/quantities.ts';

/**
 * Says why a decoder refused a record. A stored record has nothing but the text of its field `decode_error`, so the one about a limit is known by its words.
 * @param reason the text of that field
 */
export function failureText(reason: string): string {
  const limit = /^inject\w*: exceeded output_limit of (\d+)$/.exec(reason)?.[1];
  if (limit === undefined) return visibleText(reason);
  return `the message would be larger than ${formatBytes(Number(limit))}, the output limit of the decoder`;
}

/** Says that a decoder refused a record or took it in part, and why; null: it took all of it. */
export function flawText({ failure, incomplete }: Pick<RecordRow, 'failure' | 'incomplete'>): string | null {
  if (failure !== null) return `Not decoded: ${failureText(failure)}`;
  return incomplete === undefined ? null : `Incomplete: ${failureText(incomplete)}`;
}

/** The value of a field, for the user: the reason of a refused record in words, any other as it is. */
export function fieldText(name: string, value: string): string {
  return name === 'decode_error' ? failureText(value) : visibleText(value);
}
