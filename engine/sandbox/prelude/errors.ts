import { toText } from './intrinsics.ts';

/** What a script threw: its text, and its stack for finding the place. Code of the script may run here; what it throws is ignored. */
export function describeThrown(thrown: unknown): [text: string, stack: string] {
  try {
    if (typeof thrown === 'object' && thrown !== null) {
      const { stack } = thrown as { stack?: unknown };
      return [toText(thrown), typeof stack === 'string' ? stack.slice(0, 8192) : ''];
    }
    return [toText(thrown), ''];
  } catch {
    return ['an error without a text', ''];
  }
}
