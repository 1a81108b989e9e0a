import type { PluginInfo } from '../../../../engine/api/types.ts';
import { formatBytes, formatCount, formatSpan } from '../../lib/format.ts';

/** What is said of a state beside its mark. */
export const STATE_WORDS: Readonly<Record<PluginInfo['state'], string>> = {
  waiting: 'Waiting',
  starting: 'Starting',
  running: 'Running',
  terminated: 'Terminated',
  stopped: 'Stopped',
};

/** Why a script ended or refused something, for someone who did not write the sandbox. */
export interface PlainReason {
  /** What happened. */
  readonly text: string;
  /** What can be done about it; empty: nothing is known. */
  readonly advice: string;
  /** Where in the script; null: unknown. */
  readonly place: { readonly file: string; readonly line: number } | null;
}

interface Rule {
  readonly pattern: RegExp;
  readonly text: (found: RegExpExecArray) => string;
  readonly advice: string;
}

const RULES: readonly Rule[] = [
  {
    pattern: /exceeded instruction_limit of (\d+)/,
    text: ([, limit]) => `One call took more than ${formatCount(Number(limit))} steps.`,
    advice: 'A loop may not end. If the work is meant to take so long, raise its instruction limit.',
  },
  {
    pattern: /exceeded memory_limit of (\d+)/,
    text: ([, limit]) => `It held more than ${formatBytes(Number(limit))} of memory.`,
    advice: 'It may keep something for every message. Let it forget, or raise its memory limit.',
  },
  {
    pattern: /exceeded output_limit of (\d+)/,
    text: ([, limit]) => `It wrote a payload of more than ${formatBytes(Number(limit))}.`,
    advice: 'Inject smaller payloads, or raise its output limit.',
  },
  {
    pattern: /exceeded the time limit of (\d+) ms/,
    text: ([, limit]) => `One call took longer than ${formatSpan(Number(limit))}.`,
    advice: 'A regular expression that tries very many ways is the usual cause.',
  },
  {
    pattern: /exceeded max_message_loops of (\d+)/,
    text: ([, limit]) => `A message that it injected went around more than ${limit} times.`,
    advice: 'Two filters feed each other: narrow the matcher of one of them.',
  },
  {
    pattern: /circular reference|matches the own message_matcher/,
    text: () => 'Its matcher selects the messages that it injects itself.',
    advice: 'Add && Type !~ /^svc\\./ to the matcher.',
  },
  {
    pattern: /exceeded max_(process|timer)_inject of (\d+)/,
    text: ([, kind, limit]) => `It injected more than ${limit} in one call of ${kind === 'timer' ? 'timer_event' : 'process_message'}.`,
    advice: 'Collect them, and inject them in timer_event.',
  },
  {
    pattern: /^the sandbox host ended/,
    text: () => 'The process that it ran in ended again and again.',
    advice: 'The alert about it has what that process said last.',
  },
  {
    pattern: /brought its host down/,
    text: () => 'It brought down the process that it ran in.',
    advice: 'Most likely it used too much memory at once.',
  },
];

const PLACE = /([\w.~-]+\.(?:js|mjs|ts)):(\d+)(?::\d+)?\s*/;

/** A reason in plain words. One that is not known is given as it is. */
export function plainReason(reason: string): PlainReason {
  const found = PLACE.exec(reason);
  const place = found === null ? null : { file: found[1] ?? '', line: Number(found[2]) };
  for (const { pattern, text, advice } of RULES) {
    const match = pattern.exec(reason);
    if (match !== null) return { text: text(match), advice, place };
  }
  const status = /^process_message\(\) returned (\d+)/.exec(reason);
  if (status !== null) return { text: `It asked to be ended (status ${status[1]}).`, advice: '', place };
  if (found === null || place === null) return { text: sentence(reason), advice: '', place };
  const words = reason
    .replace(/^(?:process_message|timer_event)\(\)\s*/, '')
    .replace(PLACE, '')
    .trim();
  return { text: `Line ${place.line} of ${place.file}: ${sentence(words)}`, advice: '', place };
}

function sentence(text: string): string {
  const [trimmed = ''] = text.trim().split('\n', 1);
  if (trimmed === '') return 'It gave no reason.';
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
