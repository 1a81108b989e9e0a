/**
 * Scores the match of typed letters with a title: all must occur in order. Beginnings of words and runs of letters count more.
 * @returns null when they do not occur; else higher is better
 */
export function fuzzyScore(typed: string, title: string): number | null {
  const wanted = typed.toLowerCase().replaceAll(' ', '');
  if (wanted === '') return 0;
  const text = title.toLowerCase();
  // Jumping to the beginnings of words may miss letters that the plain order finds.
  return scoreBy(bestNext, wanted, text) ?? scoreBy((all, letter, after) => all.indexOf(letter, after + 1), wanted, text);
}

type Next = (text: string, letter: string, after: number) => number;

function scoreBy(next: Next, wanted: string, text: string): number | null {
  let score = 0;
  let at = -1;
  for (const letter of wanted) {
    const found = next(text, letter, at);
    if (found === -1) return null;
    if (found === at + 1) score += 3;
    if (isWordStart(text, found)) score += 4;
    score += 1;
    at = found;
  }
  return score - text.length / 100;
}

/** The next letter of the run, else the next beginning of a word, else the next at all. */
function bestNext(text: string, letter: string, after: number): number {
  if (text[after + 1] === letter) return after + 1;
  const next = text.indexOf(letter, after + 1);
  for (let at = next; at !== -1; at = text.indexOf(letter, at + 1)) {
    if (isWordStart(text, at)) return at;
  }
  return next;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[\s:./-]/.test(text[at - 1] ?? '');
}

/** The entries of which one of the titles matches, best first; all in the given order when nothing is typed. */
export function fuzzyFilter<T>(typed: string, all: readonly T[], titles: (one: T) => readonly string[]): T[] {
  return all
    .map((one, index) => ({ one, index, score: best(titles(one).map((title) => fuzzyScore(typed, title))) }))
    .filter((entry) => entry.score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.index - b.index)
    .map((entry) => entry.one);
}

const best = (scores: readonly (number | null)[]): number | null =>
  scores.reduce((most, score) => (most === null || (score ?? -Infinity) > most ? score : most), null);
