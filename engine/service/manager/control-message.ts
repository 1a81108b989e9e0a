import { ValueType, type Message } from '../../message/types.ts';

/** Control messages whose time is this far from now, or farther, are ignored, since they may be replayed. */
const MAX_SKEW_NS = 5_000_000_000n;

/** Action that a control message asks for. */
export type Control =
  | { readonly action: 'load'; readonly config: string; readonly script: string }
  | { readonly action: 'unload'; readonly name: string }
  /** The message is ignored. */
  | { readonly action: 'none'; readonly why: string };

/** Reads a control message. @param now nanoseconds since 1970 when it arrived */
export function controlOf(message: Message, now: bigint): Control {
  const skew = now - message.timestamp;
  if (skew >= MAX_SKEW_NS || skew <= -MAX_SKEW_NS) {
    return { action: 'none', why: `a control message is skewed by ${skew / 1_000_000_000n} seconds and was discarded` };
  }
  const action = textOf(message, 'action');
  switch (action) {
    case 'load': {
      const config = textOf(message, 'config');
      return config === null
        ? { action: 'none', why: 'a control message to load a filter has no Fields[config]' }
        : { action, config, script: message.payload ?? '' };
    }
    case 'unload': {
      const name = textOf(message, 'name');
      return name === null ? { action: 'none', why: 'a control message to unload a filter has no Fields[name]' } : { action, name };
    }
    default:
      return { action: 'none', why: `a control message has no Fields[action] that is known: ${action ?? 'none'}` };
  }
}

/** The first value of a field, when that is a text. */
function textOf({ fields }: Message, name: string): string | null {
  const field = fields.find((other) => other.name === name);
  return field?.valueType === ValueType.STRING ? (field.values[0] ?? null) : null;
}
