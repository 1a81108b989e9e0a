import type { TypeProblem } from '../../../../../../engine/api/script-types.ts';
import type { CallHelp, TypeAbout, TypeCompletion } from './service.ts';

/** Questions of the window to the worker, with the text of the script as it is then. */
export interface TypeQuestions {
  readonly problems: { readonly in: Record<string, never>; readonly out: readonly TypeProblem[] };
  readonly completions: { readonly in: { readonly at: number }; readonly out: readonly TypeCompletion[] };
  readonly details: {
    readonly in: { readonly at: number; readonly name: string };
    readonly out: Pick<TypeAbout, 'signature' | 'doc'> | null;
  };
  readonly about: { readonly in: { readonly at: number }; readonly out: TypeAbout | null };
  readonly call: { readonly in: { readonly at: number }; readonly out: CallHelp | null };
}

export interface TypeQuestion {
  readonly id: number;
  readonly typed: boolean;
  readonly text: string;
  readonly name: keyof TypeQuestions;
  readonly input: TypeQuestions[keyof TypeQuestions]['in'];
}

export interface TypeAnswer {
  readonly id: number;
  readonly value: unknown;
}
