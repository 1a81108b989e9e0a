import type { SectionOf } from '../config/schema/sections.ts';
import type { SourceConfig } from '../config/schema/sources.ts';
import type { Input, InputNotice } from '../inputs/types.ts';
import type { SourceForm } from '../sandbox/types.ts';
import { makeInput, type InputSurroundings, type PlainInputConfig } from './inputs.ts';
import { isEnding, RestartedInput, restartNotice, type RestartHooks } from '../pipeline/restarted-input.ts';
import { isListener, RetriedListener } from '../pipeline/retried-listener.ts';
import { SourceFeed } from '../pipeline/scripts/source-feed.ts';

/** What a script reads from a source: records where it names a splitter, and of web servers, whose answers are messages. */
export function sourceForm(source: SourceConfig): SourceForm {
  if (source.type === 'HttpInput' || source.splitter !== undefined) return 'records';
  const isStream =
    source.type === 'FileInput' || source.type === 'TcpInput' || (source.type === 'ProcessInput' && source.ticker_interval === 0);
  return isStream ? 'chunks' : 'whole';
}

/** What the script of an input reads from. */
export function makeSource(
  { name, origin, preserve_data: keepsState }: SectionOf<'SandboxInput'>,
  source: SourceConfig,
  surroundings: InputSurroundings,
  notice: (notice: InputNotice) => void,
): SourceFeed {
  const form = sourceForm(source);
  const forced = form === 'records' ? {} : { forced: { kind: 'raw', whole: form === 'whole' } as const };
  const section = { splitter: 'none', ...source, ...NO_DECODING, name, origin } as PlainInputConfig;
  const made = makeInput(section, { ...surroundings, ...forced });
  const onEnd = (reason: string | null): void => {
    if (reason !== null) notice({ level: 'error', code: 'input.failed', text: `[${name}] its source has ended: ${reason}` });
    feed.end();
  };
  const onRestart = (reason: string, wait: number): void => notice(restartNotice(name, reason, wait));
  const input = withRestarts(made, source, { onRestart, onEnd });
  const isFile = source.type === 'FileInput';
  const feed = new SourceFeed({ input, form, keepsState, remembers: isFile, endsWhenIdle: isFile && !source.follow });
  return feed;
}

const NO_DECODING = {
  synchronous_decode: false,
  send_decode_failures: false,
  log_decode_failures: false,
  signers: {},
  skip_authentication: false,
};

function withRestarts(input: Input, { retries }: SourceConfig, hooks: RestartHooks): Input {
  if (isListener(input)) return new RetriedListener(input, retries, (reason) => hooks.onEnd(reason));
  return isEnding(input) ? new RestartedInput(input, retries, hooks) : input;
}
