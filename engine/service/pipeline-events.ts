import type { InputNotice } from '../inputs/types.ts';

/** News of a pipeline for whoever runs it. */
export type PipelineEvent =
  | { readonly kind: 'notice'; readonly notice: InputNotice }
  /** A plugin ended that must not: the service is to stop. */
  | { readonly kind: 'fatal'; readonly text: string }
  /** An input came to its end and must not: the service is to stop, and that is no failure. */
  | { readonly kind: 'over'; readonly text: string }
  /** A script has ended by itself, or an input has failed: not all is read, decoded, processed and written. */
  | { readonly kind: 'undone' }
  /** Messages that nothing repeats were not delivered before the service stopped. */
  | { readonly kind: 'lost' }
  /** An input has dropped records that its decoder refused. */
  | { readonly kind: 'refused'; readonly input: string; readonly count: number };

/** Takes the events of a pipeline. */
export type PipelineSink = (event: PipelineEvent) => void;
