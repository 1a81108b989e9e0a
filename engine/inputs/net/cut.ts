import type { FramedOptions } from '../framed.ts';
import type { SplitOptions } from '../splitters/index.ts';

/** The options by which a listener splits its data; none for the way that is its default. */
export function cutUnless(own: 'none' | 'line', split: SplitOptions): { readonly framed?: FramedOptions; readonly split?: SplitOptions } {
  if (split.kind === own) return {};
  return split.kind === 'framing' ? { framed: split } : { split };
}
