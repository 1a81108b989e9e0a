import { Exit } from '../command.ts';

/** Exit codes of a search, as grep has them. */
export const SearchExit = { found: Exit.ok, none: Exit.failed, failed: Exit.usage } as const;
