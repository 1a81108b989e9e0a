import type { Setup } from '../prelude/state/state.ts';
import { sentConfig } from '../contract/sent-config.ts';
import type { SandboxSpec } from '../contract/types.ts';

/** Settings of the prelude of a script that runs in a context of this process, as JSON. */
export function setupOf({ name, kind, config, limits, ticks = false, clock = 'wall' }: SandboxSpec): string {
  const { instructions, output, memory, processInject, timerInject } = limits;
  const ports = { ticks, writes: false, reads: '' } as const;
  const setup: Setup = {
    name,
    isolated: false,
    kind,
    config: sentConfig(config),
    instructions,
    output,
    memory,
    processInject,
    timerInject,
    clock,
    ...ports,
    stateless: false,
    hints: false,
  };
  return JSON.stringify(setup);
}
