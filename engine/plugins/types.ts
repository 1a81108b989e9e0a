import type { ConfigValue, SandboxKind } from '../sandbox/types.ts';

export const KINDS = ['input', 'decoder', 'filter', 'encoder', 'output'] as const satisfies readonly SandboxKind[];
export const PARAMETER_TYPES = ['string', 'bool', 'int', 'uint', 'number'] as const;

/** A parameter as a script's meta declares it. */
export interface ParameterMeta {
  readonly type: (typeof PARAMETER_TYPES)[number];
  readonly summary: string;
  readonly default?: ConfigValue;
  readonly required?: boolean;
}

/** What a script says about itself in `export const meta`. */
export interface PluginMeta {
  readonly name: string;
  readonly kind: SandboxKind;
  readonly summary: string;
  /** Of a decoder: no record depends on those before it. */
  readonly stateless: boolean;
  readonly parameters: Readonly<Record<string, ParameterMeta>>;
}

/** A script that can be run. */
export interface PluginScript {
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** null: the script says nothing about itself, so its parameters are not checked. */
  readonly meta: PluginMeta | null;
}
