import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { isTable, type Table } from './document.ts';
import { expandEnvironment, type Environment } from './environment.ts';
import { SectionEdit } from './section-edit.ts';
import { applyEdits, blanksAfter, joinCuts, lineStart, newlineOf, withComment, type Edit } from './text-edits.ts';
import { layoutOf } from './toml-layout.ts';
import { comparable, formatTable, type SectionData } from './toml-write.ts';

/** A text that cannot be edited: it is not valid TOML, or the change cannot be written without altering other parts. */
export class ConfigEditError extends Error {
  override readonly name = 'ConfigEditError';
}

/**
 * Adds a section to a TOML text, or changes it to hold exactly `values`. Everything else stays byte for byte: comments, other sections, and
 * in the section itself every parameter whose value is the same, in its own spelling (also `%ENV[…]`). Only a section that is spelled in a
 * way that cannot be changed in parts is removed and written at the end. Throws `ConfigEditError`.
 */
export function setSection(text: string, name: string, values: SectionData, environment: Environment = process.env): string {
  const before = read(text, environment);
  const expected = { ...before, [name]: values };
  const old = before[name];
  if (isTable(old)) {
    const edited = new SectionEdit(text, name, old).apply(values);
    if (says(edited, expected, environment)) return edited;
  }
  const others = removeSection(text, name, environment);
  const edited = append(others, formatTable([name], values, newlineOf(text)));
  if (!says(edited, expected, environment)) throw new ConfigEditError(`the section ${name} cannot be written beside what the text holds`);
  return edited;
}

/** Removes a section with its subsections, and the comment directly above it. Throws `ConfigEditError`. */
export function removeSection(text: string, name: string, environment: Environment = process.env): string {
  const before = read(text, environment);
  if (!Object.hasOwn(before, name)) return text;
  const cuts: Edit[] = [];
  const statements = layoutOf(text);
  statements.forEach((statement, i) => {
    if (statement.path[0] !== name) return;
    const next = statements[i + 1];
    const start = statement.kind === 'header' ? withComment(text, statement.start) : lineStart(text, statement.start);
    // Comments and blank lines between two statements of the section are removed too.
    const end = next?.path[0] === name ? lineStart(text, next.start) : statement.end;
    cuts.push({ start, end, text: '' });
  });
  const edited = applyEdits(
    text,
    joinCuts(cuts).map((cut) => ({ ...cut, end: blanksAfter(text, cut.end) })),
  );
  const expected = Object.fromEntries(Object.entries(before).filter(([key]) => key !== name));
  if (!says(edited, expected, environment)) throw new ConfigEditError(`the section ${name} cannot be told apart from what is around it`);
  return edited;
}

/** Returns the values of a section, or null when there is none. Throws `ConfigEditError`. */
export function readSection(text: string, name: string, environment: Environment = process.env): SectionData | null {
  const section = read(text, environment)[name];
  return isTable(section) ? (section as SectionData) : null;
}

function read(text: string, environment: Environment): Table {
  try {
    return parse(expandEnvironment(text, environment).text, { unsafeKeyBehaviour: 'throw' });
  } catch (cause) {
    throw new ConfigEditError('the text is not valid TOML', { cause });
  }
}

function says(text: string, expected: Table, environment: Environment): boolean {
  try {
    return isDeepStrictEqual(comparable(read(text, environment)), comparable(expected));
  } catch (error) {
    if (error instanceof ConfigEditError) return false;
    throw error;
  }
}

function append(text: string, section: string): string {
  if (text.trim() === '') return text + section;
  const newline = newlineOf(text);
  const ended = text.endsWith('\n') ? text : text + newline;
  return ended + (/\n\r?\n$/.test(ended) ? '' : newline) + section;
}
