import { FLOORS } from './floors.mjs';
import { withSection } from './page-section.mjs';

/**
 * A page whose list of floors, between two marks, is that of the code, from the top down.
 * @param {string} page
 */
export function withFloors(page) {
  const lines = FLOORS.toReversed().map(({ wings }) => Object.entries(wings).map(([wing, summary]) => `\`${wing}\` (${summary})`));
  return withSection(page, 'floors', lines.map((wings) => `1. ${wings.join(', ')}\n`).join(''));
}
