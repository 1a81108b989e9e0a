import { describe, expect, it } from 'vitest';
import type { SourceInfo } from '../../../../../engine/api/types.ts';
import {
  aheadText,
  noEndText,
  decoderText,
  emptyReason,
  endText,
  isHeld,
  progressPart,
  progressText,
  stateWord,
  undecodedFile,
  unmatchedReason,
  unrecognisedText,
} from '../../../../../renderer/src/lib/sources/source-state.ts';

describe('sources', () => {
  const source = { bytes: 5e6, totalBytes: 1e7, decoder: null } as SourceInfo;

  it('say how far they are', () => {
    expect(progressText(source, null, null)).toBe('5.0 MB of 10.0 MB');
    expect(progressText({ ...source, state: 'opening', bytes: 0, totalBytes: 0 }, null, null)).toBe('Opening…');
    expect(progressText(source, 1e6, 5000)).toBe('5.0 MB of 10.0 MB · 1.0 MB/s · 5 s left');
    expect(progressPart(source)).toBe(0.5);
    expect(progressPart({ ...source, totalBytes: 0 })).toBe(0);
  });

  it.each([
    [[{ state: 'failed', label: 'a', problem: null }], 'Nothing could be read', 'a could not be read.'],
    [[{ state: 'failed', label: 'a', problem: 'Gone.' }, { state: 'following' }], 'No records yet', 'The sources are empty.'],
    [[{ state: 'reading', label: 'a', bytes: 1, totalBytes: 2 }], 'Reading…', 'a: 1 B of 2 B'],
    [[{ kind: 'file', state: 'paused', label: 'a', bytes: 1, totalBytes: 2 }], 'Reading was stopped', 'a: 1 B of 2 B · 50 %'],
    [[{ state: 'listening', location: '127.0.0.1:5514' }], 'Waiting for records', '127.0.0.1:5514'],
    [[{ state: 'following' }], 'No records yet', 'The sources are empty.'],
  ])('without records, %o: %s', (sources, title, text) => {
    const reason = emptyReason(sources as unknown as SourceInfo[]);
    expect(reason.title).toBe(title);
    expect(reason.text).toContain(text);
  });

  it('say that a filter may still find a record while they are read', () => {
    const file: SourceInfo = { ...source, kind: 'file', label: 'a.log', state: 'reading' };
    expect(unmatchedReason([file])).toEqual({
      title: 'No record matches the filter yet',
      text: 'Not everything is read: a.log: 5.0 MB of 10.0 MB.',
    });
    expect(unmatchedReason([{ ...file, state: 'paused' }]).text).toBe('Not everything is read: a.log: 5.0 MB of 10.0 MB · 50 %.');
    expect(unmatchedReason([{ ...file, state: 'following' }]).title).toBe('No record matches the filter');
  });

  it('follow no store', () => {
    expect(stateWord({ ...source, state: 'following' })).toBe('Following');
    expect(stateWord({ ...source, state: 'following', stored: true })).toBe('Read from a store');
    expect(stateWord({ ...source, state: 'reading', stored: true })).toBe('Reading');
  });

  it('say that someone stopped them', () => {
    const file: SourceInfo = { ...source, kind: 'file', state: 'paused' };
    expect(isHeld(file)).toBe(true);
    expect(isHeld({ ...file, kind: 'command' })).toBe(false);
    expect(progressText(file, 1e6, 5000)).toBe('5.0 MB of 10.0 MB · 50 %');
    expect(endText(file)).toBe('stopped before its end');
    expect(endText({ ...file, kind: 'command' })).toBe('stopped');
  });

  it.each([
    ['one that is read', [{ id: 1 }], [], 1],
    ['one that was stopped', [{ id: 1, state: 'paused' }], [], 1],
    ['one that was read', [{ id: 1, state: 'following' }], [], null],
    ['several', [{ id: 1 }, { id: 2 }], [], null],
    ['one of several that is shown alone', [{ id: 1 }, { id: 2 }], [2], 2],
    ['one that grows', [{ id: 1, bytes: 1e8 - 1000 }], [], null],
    ['one that has just begun', [{ id: 1, records: 0, totalBytes: 0 }], [], 1],
    ['a command', [{ id: 1, kind: 'command' }], [], null],
    ['a pattern', [{ id: 1, location: '/a/*.log' }], [], null],
    ['a table of a store', [{ id: 1, stored: true }], [], null],
  ])('say whether the lines of a file are there before its records: %s', (_what, sources, shown, id) => {
    const file = { kind: 'file', state: 'reading', location: '/a.log', records: 5, bytes: 1000, totalBytes: 1e8 };
    const all = sources.map((one) => ({ ...file, ...one }) as SourceInfo);
    expect(undecodedFile(all, shown)?.id ?? null).toBe(id);
  });

  it.each([
    [true, 0, 500, 20, false, 'the last records, not numbered yet'],
    [false, 100, 500, 20, false, 'records that are not numbered yet'],
    [true, 500, 4_200_000, 2, true, '2 records in the last 4.2 MB match the filter, not numbered yet'],
    [false, 500, 4_200_000, 1, true, '1 record in 4.2 MB matches the filter, not numbered yet'],
    [true, 500, 4_200_000, 0, true, 'none in the last 4.2 MB matches the filter; scroll up to look further'],
    [true, 0, 4_200_000, 0, true, 'none in the last 4.2 MB matches the filter'],
  ])('say which records are read ahead (at the end: %s, from byte %s)', (atEnd, first, bytes, count, filtered, text) => {
    expect(aheadText({ atEnd, first, bytes }, count, filtered)).toBe(text);
  });

  it('say why the end of a file is not known', () => {
    const file = { ...source, label: 'a.log', bytes: 1000, totalBytes: 4000 } as SourceInfo;
    const text = 'The end of a.log is not known before all is read (25 %): ';
    expect(noEndText({ ...file, location: '/b/a.log.gz' })).toBe(`${text}it is packed.`);
    expect(noEndText({ ...file, location: '/b/a.csv' })).toBe(`${text}its records can only be told from its beginning on.`);
  });

  it('say what decodes them, and how sure that is', () => {
    expect(decoderText(source)).toBe('raw');
    expect(decoderText({ ...source, decoder: { name: 'syslog', config: {}, by: 'user', confidence: 0.1 } })).toBe('syslog');
    expect(decoderText({ ...source, decoder: { name: 'syslog', config: {}, by: 'detected', confidence: 0.9 } })).toBe('syslog (90 % sure)');
  });

  it.each([
    [{ unrecognised: true }, 'is not recognised: shown as it is.'],
    [{ unrecognised: true, records: 0 }, null],
    [{}, null],
    [{ decoder: { name: 'generic', by: 'detected' } }, 'is not recognised: only times and levels are read.'],
    [{ decoder: { name: 'generic', by: 'user' } }, null],
    [{ decoder: { name: 'syslog', by: 'detected' } }, null],
  ])('say that no decoder knows them: %o', (facts, text) => {
    expect(unrecognisedText({ ...source, records: 3, failures: 0, ...facts } as SourceInfo)).toBe(text);
  });
});
