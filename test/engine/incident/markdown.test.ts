import { describe, expect, it } from 'vitest';
import { incidentMarkdown } from '../../../engine/incident/markdown.ts';
import { evilIncident, incidentOf } from './fixtures.ts';

describe('the text of an incident', () => {
  it('has title, facts, marks with notes, and the records', () => {
    expect(incidentMarkdown(incidentOf())).toBe(
      [
        '# Checkout is down',
        '2026-11-30 10:00:00 – 11:00:00 (UTC)',
        '1 mark, 1 record, 0 charts, 0 queries. Made by Sluicebox on 2026-11-30 12:00:00.',
        'It began with a deploy.',
        'Then all was well.',
        '## Marks',
        '2026-11-30 10:01:00.000 · access.log — **the first one**',
        '```\nGET /checkout 504\n```',
        '## Records around the marks',
        '```\n★ 2026-11-30 10:00:01.000 access.log ALERT GET /checkout 504\n```',
        '',
      ]
        .join('\n\n')
        .replace(/\n\n$/, '\n'),
    );
  });

  it('keeps every text in its place', () => {
    const text = incidentMarkdown(evilIncident());
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069\u200b]/u);
    // Without what stands between fences, no sign of Markdown or HTML is left that comes from a record.
    let fence = '';
    const outside = text.split('\n').filter((line) => {
      const [run = ''] = /^`{3,}/.exec(line) ?? [];
      const isClosing = fence !== '' && line === fence;
      const isInside = fence !== '' && !isClosing;
      if (isClosing) fence = '';
      else if (fence === '' && run !== '') fence = run;
      return !isInside && !isClosing && run === '';
    });
    expect(fence).toBe('');
    expect(outside.filter((line) => /(?<!\\)[<>[\]!]/.test(line.replace(/^> /, '')))).toEqual([]);
    expect(outside.filter((line) => /(?<!\\)(?:\\\\)*`/.test(line))).toEqual([]);
    const headings = outside.filter((line) => line.startsWith('#'));
    expect(headings.every((line) => /^(?:# |## (?:Marks|Charts|Queries|Records|\\<)|### )/.test(line))).toBe(true);
  });
});
