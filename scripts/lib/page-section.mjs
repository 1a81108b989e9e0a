/**
 * A page whose part between two marks, which name it, is this text.
 * @param {string} page
 * @param {string} name
 * @param {string} text
 */
export function withSection(page, name, text) {
  const [begin, end] = [`<!-- ${name}: made by npm run docs -->`, `<!-- ${name} end -->`];
  const [before, rest = ''] = page.split(begin);
  return `${before}${begin}\n\n${text}\n${end}${rest.split(end)[1] ?? ''}`;
}
