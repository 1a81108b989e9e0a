import type { Frame, OutgoingFrame } from '../wire/frames.ts';
import { NO_COLUMNS, ToEngine, ToHost, type GoOnHead, type InputHead, type RequestHead, type SourceAnswer } from '../contract/protocol.ts';

const STOP: GoOnHead = { stop: true };
const ENDED: SourceAnswer = { error: 'the sandbox has ended' };
const NO_INPUT: InputHead = { kind: 'stop', count: 0, name: '', ended: false, texts: [] };

/**
 * Answers what the host asks for a sandbox that the engine has ended. The host waits for each answer, and with it all of its other sandboxes.
 * Returns null for a frame that wants no answer.
 */
export function replyAfterEnd({ kind, box, call, head }: Frame): OutgoingFrame | null {
  const answer = kind === ToEngine.PARTIAL ? STOP : kind === ToEngine.REQUEST ? answerTo(wantOf(head)) : null;
  return answer === null ? null : { kind: ToHost.ANSWER, box, call, head: JSON.stringify(answer) };
}

function answerTo(want: RequestHead['want']): object {
  switch (want) {
    case 'variable':
      return NO_COLUMNS;
    case 'go on':
      return STOP;
    case 'input':
      return NO_INPUT;
    default:
      return ENDED;
  }
}

/** A host that asks for nothing that exists is answered like one that asks for a source. */
function wantOf(head: string): RequestHead['want'] {
  try {
    return (JSON.parse(head) as RequestHead).want;
  } catch {
    return 'script';
  }
}
