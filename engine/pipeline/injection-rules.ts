import type { End } from '../api/ends.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { takeRows } from '../message/batch/gather.ts';
import type { Selector } from './selection.ts';

/** The router's rules for what a filter injects. */
export interface InjectionRules {
  readonly matcher: Selector;
  /** Only messages that are signed by this name come to the filter. */
  readonly signer?: string | undefined;
  readonly maxMessageLoops: number;
}

/** The reason for which the router does not take what was injected, and the part that came before that. */
export interface Refusal {
  readonly end: End;
  readonly allowed: MessageBatch | null;
}

/** Whether any of these messages would come back to the filter that injects them. What is injected is signed by nobody. */
export const comesBack = (rules: Pick<InjectionRules, 'matcher' | 'signer'>, injected: MessageBatch): boolean =>
  firstOwnRow(rules, injected) !== undefined;

/** @param loop how often the message that is being processed went around */
export function refusalOf(rules: InjectionRules, loop: number, injected: MessageBatch): Refusal | null {
  const { maxMessageLoops } = rules;
  if (loop + 1 > maxMessageLoops) {
    const reason = `inject_message: exceeded max_message_loops of ${maxMessageLoops}`;
    return { end: { code: 'limit.loops', reason, limit: maxMessageLoops }, allowed: null };
  }
  const first = firstOwnRow(rules, injected);
  if (first === undefined) return null;
  const reason = 'inject_message: the message matches the own message_matcher of the filter (circular reference)';
  const before = Uint32Array.from({ length: first }, (_, row) => row);
  return { end: { code: 'filter.circular', reason }, allowed: first === 0 ? null : takeRows(injected, before) };
}

function firstOwnRow({ matcher, signer }: Pick<InjectionRules, 'matcher' | 'signer'>, injected: MessageBatch): number | undefined {
  if (signer !== undefined || injected.length === 0) return undefined;
  const own = matcher.select(injected);
  return own === null ? 0 : own[0];
}
