import type { ClockKind } from '../message/types.ts';
import { formatProblem } from './problems.ts';
import type { InputConfig } from './schema/sections.ts';
import type { PipelineConfig } from './sections.ts';

/** The clock of an input; a script that chooses none has that of its source. Inputs that cannot choose are on the wall clock. */
export function clockOfInput(input: InputConfig): ClockKind {
  const own = 'clock' in input ? input.clock : undefined;
  const chosen = own ?? (input.type === 'SandboxInput' ? input.source?.clock : undefined);
  return chosen === 'message' ? 'message' : 'wall';
}

/** The clock of all these inputs; `mixed`: some are on the one, some on the other. */
export function clockOfInputs(inputs: readonly InputConfig[]): ClockKind | 'mixed' {
  const [first = 'wall', ...others] = new Set(inputs.map(clockOfInput));
  return others.length === 0 ? first : 'mixed';
}

/** Warns of inputs on different clocks, one line each, when there are filters or outputs to which the time matters. */
export function clockWarnings({ inputs, filters, outputs, managers }: PipelineConfig): string[] {
  if (clockOfInputs(inputs) !== 'mixed') return [];
  const ticking = [...filters, ...outputs].filter((section) => 'ticker_interval' in section && section.ticker_interval > 0);
  if (ticking.length === 0 && managers.length === 0) return [];
  const named = (clock: ClockKind): string =>
    inputs
      .filter((input) => clockOfInput(input) === clock)
      .map(({ name }) => `[${name}]`)
      .join(', ');
  const on = `${named('message')} on the clock of the messages, ${named('wall')} on the wall clock`;
  const whose = ticking.map(({ name }) => `[${name}]`).join(', ');
  return inputs
    .filter((input) => clockOfInput(input) === 'wall')
    .slice(0, 1)
    .map(({ name, origin }) => {
      const text =
        `the inputs have different clocks: ${on}. A filter or output with a ticker${whose === '' ? '' : ` (${whose})`} runs on that of the messages ` +
        'that it is sent; one that is sent messages of both runs on the highest time of all of them, so let its matcher select one kind';
      return formatProblem({ code: 'config.parameter', ...origin, section: name, key: 'clock', text, hint: '' });
    });
}
