/** Prints the list of seats for docs/architecture-scripts.md; `npm run docs` puts it there. */
import { SEATING } from './seating.ts';

/** The seats in Markdown, the one to try first in front. */
export const seatingList = (): string => SEATING.map(({ place, scripts }) => `1. **In ${place}**: ${scripts}.\n`).join('');

if (import.meta.main) process.stdout.write(seatingList());
