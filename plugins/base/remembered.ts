import { ownText } from './excerpt.ts';

/** Texts that are remembered, and their length at most. */
const MAX_TEXTS = 500;
const MAX_LENGTH = 100;

/** A function of a text that is slow and often asked the same: its latest answers are kept. */
export function remembered<Answer>(find: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    if (text.length > MAX_LENGTH) return find(text);
    if (answers.size >= MAX_TEXTS) answers.clear();
    const own = ownText(text);
    const answer = find(own);
    answers.set(own, answer);
    return answer;
  };
}
