import type { FramedOptions } from '../framed.ts';
import type { SplitOptions } from '../splitters/index.ts';

/** How a listener cuts what it receives, unless as it does by itself. */
export function cutUnless(own: 'none' | 'line', split: SplitOptions): { readonly framed?: FramedOptions; readonly split?: SplitOptions } {
  if (split.kind === own) return {};
  return split.kind === 'framing' ? { framed: split } : { split };
}
