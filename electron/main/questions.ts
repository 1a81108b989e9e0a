import type { Demand } from '../../engine/api/wire.ts';
import { markedLines, pagesOf } from './shown-text.ts';

/** A question to the user, in words. */
export interface Question {
  readonly message: string;
  /** The text below it, page by page: only the last one has the button that confirms. */
  readonly pages: readonly string[];
  /** The button that confirms. */
  readonly confirm: string;
  /** Whether Enter confirms; absent: it refuses. */
  readonly isPreset?: true;
}

const OF_WINDOW: Readonly<Record<Demand['kind'], Pick<Question, 'message' | 'confirm'> & { readonly about: string }>> = {
  script: { message: 'Take this script?', confirm: 'Take', about: 'It runs in a sandbox, without files and network.' },
  command: {
    message: 'Run this command?',
    confirm: 'Run',
    about: 'It runs with your rights, now and at every start until its source is closed.',
  },
  listener: {
    message: 'Listen on this address?',
    confirm: 'Listen',
    about: 'Other machines can send records to it, now and at every start until its source is closed.',
  },
  client: { message: 'Connect to this address?', confirm: 'Connect', about: 'It is asked again and again until its source is closed.' },
  open: {
    message: 'Open this?',
    confirm: 'Open',
    about: 'It was typed in the window. The records of the file, or of the logs in the folder, are shown there.',
  },
  file: { message: 'Let a script read this file?', confirm: 'Read', about: 'A parameter of the script names it.' },
};

/** The words for what the workspace file starts: its verb, and its name as one and as several. In this order it is shown: what may do most comes first. */
const OF_FILE: Readonly<Record<Demand['kind'], readonly [does: string, one: string, several: string]>> = {
  script: ['brings the script', 'script', 'scripts'],
  command: ['runs the command', 'command', 'commands'],
  client: ['connects to', 'connection', 'connections'],
  listener: ['listens on', 'listener', 'listeners'],
  file: ['reads the file', 'file', 'files'],
  open: ['opens', 'file', 'files'],
};

/** The question about something that the window asks for. */
export function windowQuestion({ kind, text }: Demand): Question {
  const { message, confirm, about } = OF_WINDOW[kind];
  const question = { message, confirm, pages: withLength(text.length, pagesOf(markedLines(text)), about) };
  // Someone has just asked for it, and it only reads.
  return kind === 'open' ? { ...question, isPreset: true } : question;
}

/**
 * The question about sections of the workspace file that were not written by Sluicebox, or are not as it wrote them: one for all of them, with their
 * numbers on each page.
 */
export function fileQuestion(demands: readonly Demand[]): Question {
  const { counts, pages } = listed(
    demands,
    'The workspace file was written or changed outside of this window. What was confirmed is not asked for again.',
  );
  return {
    message: `Start what the workspace file lists (${counts})?`,
    confirm: demands.length === 1 ? 'Start' : `Start all ${demands.length}`,
    pages,
  };
}

/** The question about a workspace that is opened: what it brings, starts and reads that was not confirmed before. */
export function workspaceQuestion(demands: readonly Demand[]): Question {
  const { counts, pages } = listed(
    demands,
    'Open it only if you trust who made it: commands run with your rights, now and at every start until their sources are closed. ' +
      'Scripts run in sandboxes, without files and network.',
  );
  return { message: `Open this workspace with what it brings (${counts})?`, confirm: 'Open', pages };
}

/** All demands of a kind together, page by page, and their numbers. */
function listed(demands: readonly Demand[], about: string): { readonly counts: string; readonly pages: string[] } {
  const groups = Object.entries(OF_FILE).map(([kind, words]) => ({ words, group: demands.filter((demand) => demand.kind === kind) }));
  const lines = groups.flatMap(({ words: [does], group }) =>
    group.flatMap(({ section, text }) => [...(section === '' ? [] : markedLines(`[${section}]`)), does, ...markedLines(text), '']),
  );
  const counts = groups.flatMap(({ words: [, one, several], group: { length } }) =>
    length === 0 ? [] : [`${length} ${length === 1 ? one : several}`],
  );
  const length = demands.reduce((sum, { text }) => sum + text.length, 0);
  return { counts: counts.join(', '), pages: withLength(length, pagesOf(lines.slice(0, -1)), about) };
}

/** Names the whole length where there are several pages, and says on the last one what it is about. */
function withLength(length: number, pages: readonly string[], about: string): string[] {
  return pages.map((page, i) => {
    const part = pages.length === 1 ? '' : `\n\nPart ${i + 1} of ${pages.length}, ${length} characters in all.`;
    return `${page}${part}${i === pages.length - 1 ? `\n\n${about}` : ''}`;
  });
}
