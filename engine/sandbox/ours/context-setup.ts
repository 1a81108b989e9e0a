import type { Setup } from '../prelude/state/state.ts';
import { sentConfig } from '../contract/sent-config.ts';
import { keepsNothing, type SandboxSpec } from '../contract/types.ts';

/** Settings of the prelude of a script that runs in a context of this process, as JSON. */
export function setupOf(spec: SandboxSpec): string {
  const { name, kind, config, limits, ticks = false, clock = 'wall' } = spec;
  const { instructions, output, memory, processInject, timerInject } = limits;
  const ports = { ticks, writes: false, reads: '' } as const;
  const setup: Setup = {
    // Those that keep nothing are shared, whatever their names are.
    name: keepsNothing(spec) ? '' : name,
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

/** Variables whose columns go along with the first batches. */
export const startVariables = ({ kind }: SandboxSpec): Set<string> => new Set(kind === 'decoder' ? ['Payload'] : []);
