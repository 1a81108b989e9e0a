const ASCII = /^[ -~]*$/;

/** Characters that take no column: combining marks, formats, and the vowels and ends of Hangul syllables. The soft hyphen is shown. */
const NONE = /^(?:(?!\u00ad)[\p{Mn}\p{Me}\p{Cf}]|[\u1160-\u11ff])$/u;

/** Characters that take two columns: those that are wide or full-width (Unicode Standard Annex #11), told by their scripts. */
const WIDE =
  /^(?![\u303f\uff61-\uffdc\u{1f1e6}-\u{1f1ff}])[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}\p{sc=Tangut}\u2329\u232a\u3000-\u33ff\u4dc0-\u4dff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6]$/u;

const widthOf = (character: string): number => (NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** The columns of a terminal that a text without control characters takes. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** A text that takes at most so many columns; `…` stands for what is cut off. */
export function cutTo(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let width = 1;
  let end = 0;
  for (const character of text) {
    width += widthOf(character);
    if (width > columns) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}

/** Spaces that fill a text up to so many columns. */
export const fillOf = (text: string, columns: number): string => ' '.repeat(Math.max(0, columns - displayWidth(text)));
