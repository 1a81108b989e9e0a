import type { SourceConfig } from '../config/schema/script-ports.ts';
import type { ScriptInputConfig } from '../config/schema/sections.ts';
import { inputTypeOf } from '../inputs/built-in.ts';
import { parseSplit } from '../inputs/splitters/index.ts';
import type { Input } from '../inputs/types.ts';
import type { SourceForm } from '../sandbox/contract/types.ts';
import type { InputSurroundings } from './inputs.ts';
import { isEnding, RestartedInput, type RestartHooks } from '../pipeline/restarted-input.ts';
import { isListener, RetriedListener } from '../pipeline/retried-listener.ts';
import type { SectionEvents } from './section-events.ts';
import { SourceFeed } from '../pipeline/scripts/source-feed.ts';

/** Returns the form in which a script reads a source: records if it names a splitter, else the form of its input type. */
export function sourceForm(config: SourceConfig): SourceForm {
  if (config.splitter !== undefined) return 'records';
  return inputTypeOf(config.type).source?.form({ ...config, name: '' }) ?? 'records';
}

/** Makes the source of a script input. */
export function makeSource(
  { name, preserve_data: keepsState }: ScriptInputConfig,
  config: SourceConfig,
  surroundings: InputSurroundings,
  events: SectionEvents,
): SourceFeed {
  const type = inputTypeOf(config.type);
  const form = sourceForm(config);
  const split = form === 'records' ? parseSplit(config.splitter ?? 'none') : ({ kind: 'raw', whole: form === 'whole' } as const);
  const section = { ...config, name };
  const made = type.make(section, { ...surroundings, split });
  const onEnd = (reason: string | null): void => {
    if (reason !== null) events.log('error', 'input.failed', `its source has ended: ${reason}`);
    feed.end();
  };
  const input = withRestarts(made, config, { onRestart: events.inputRestarts, onEnd });
  const { remembers = false } = type.source ?? {};
  const feed = new SourceFeed({ input, form, keepsState, remembers, endsWhenIdle: type.source?.endsWhenIdle?.(section) ?? false });
  return feed;
}

function withRestarts(input: Input, { retries }: SourceConfig, hooks: RestartHooks): Input {
  if (isListener(input)) return new RetriedListener(input, retries, (reason) => hooks.onEnd(reason));
  return isEnding(input) ? new RestartedInput(input, retries, hooks) : input;
}
