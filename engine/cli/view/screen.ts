import { atTerminal, ownText } from '../../base/process/terminal.ts';
import type { CommandContext } from '../command.ts';
import { Output } from '../output.ts';
import { wantsColours } from './colours.ts';
import { startPager, type Pager } from './pager.ts';

/** The place where lines are shown: a terminal, its pager, or a file. */
export interface Screen extends AsyncDisposable {
  readonly out: Output;
  readonly hasColours: boolean;
  /** Aborted when nobody reads any more, too. */
  readonly signal: AbortSignal;
  /** The reader has gone. */
  readonly closed: boolean;
}

/**
 * @param pager the one that the user has set
 * @param isPaged a pager is started when standard output is a terminal
 */
export async function openScreen(
  context: CommandContext,
  { color, pager: named, isPaged }: { readonly color: string; readonly pager: string | null; readonly isPaged: boolean },
): Promise<Screen> {
  const isTerminal = atTerminal();
  const hasColours = wantsColours(color, isTerminal, process.env);
  const pager = isTerminal && isPaged ? await startPager(process.env, named) : null;
  const gone = new AbortController();
  // Escapes of strangers are shown as text by the lines themselves: their own colours must come through.
  const out = pager !== null ? new Output(pager.stream) : isTerminal ? new Output(ownText()) : context.out;
  if (out !== context.out) out.onClosed(() => gone.abort());
  return {
    out,
    hasColours,
    signal: AbortSignal.any([context.signal, gone.signal]),
    get closed() {
      return out.closed;
    },
    async [Symbol.asyncDispose]() {
      await leave(pager, context);
    },
  };
}

/** The terminal is the pager's until that has ended, also when an interrupt came: it is for the pager then. */
async function leave(pager: Pager | null, { onAskedAgain }: CommandContext): Promise<void> {
  if (pager === null) return;
  onAskedAgain?.(() => undefined);
  pager.stream.end();
  await pager.ended;
}
