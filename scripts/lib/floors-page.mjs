import { FLOORS } from './floors.mjs';

const BEGIN = '<!-- floors: made by npm run docs -->';
const END = '<!-- floors end -->';

/**
 * A page whose list of floors, between two marks, is that of the code, from the top down.
 * @param {string} page
 */
export function withFloors(page) {
  const [before, rest = ''] = page.split(BEGIN);
  const lines = FLOORS.toReversed().map((rooms) => Object.entries(rooms).map(([room, summary]) => `\`${room}\` (${summary})`));
  const list = lines.map((rooms) => `1. ${rooms.join(', ')}\n`).join('');
  return `${before}${BEGIN}\n\n${list}\n${END}${rest.split(END)[1] ?? ''}`;
}
