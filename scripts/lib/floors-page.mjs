import { FLOORS } from './floors.mjs';

const BEGIN = '<!-- floors: made by npm run docs -->';
const END = '<!-- floors end -->';

/**
 * A page whose list of floors, between two marks, is that of the code, from the top down.
 * @param {string} page
 */
export function withFloors(page) {
  const [before, rest = ''] = page.split(BEGIN);
  const lines = FLOORS.toReversed().map(({ wings }) => Object.entries(wings).map(([wing, summary]) => `\`${wing}\` (${summary})`));
  const list = lines.map((wings) => `1. ${wings.join(', ')}\n`).join('');
  return `${before}${BEGIN}\n\n${list}\n${END}${rest.split(END)[1] ?? ''}`;
}
