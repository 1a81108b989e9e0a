import { describe, expect, it } from 'vitest';
import type { SourceInfo } from '../../../../engine/api/types.ts';
import { decoderText, emptyReason, progressPart, progressText, unrecognisedText } from '../../../../renderer/src/lib/source-state.ts';

describe('sources', () => {
  const source = { bytes: 5e6, totalBytes: 1e7, decoder: null } as SourceInfo;

  it('say how far they are', () => {
    expect(progressText(source, null, null)).toBe('5.0 MB of 10.0 MB');
    expect(progressText(source, 1e6, 5000)).toBe('5.0 MB of 10.0 MB · 1.0 MB/s · 5 s left');
    expect(progressPart(source)).toBe(0.5);
    expect(progressPart({ ...source, totalBytes: 0 })).toBe(0);
  });

  it.each([
    [[{ state: 'failed', label: 'a', problem: null }], 'Nothing could be read', 'a could not be read.'],
    [[{ state: 'failed', label: 'a', problem: 'Gone.' }, { state: 'following' }], 'No records yet', 'The sources are empty.'],
    [[{ state: 'reading', label: 'a', bytes: 1, totalBytes: 2 }], 'Reading…', 'a: 1 B of 2 B'],
    [[{ state: 'listening', location: '127.0.0.1:5514' }], 'Waiting for records', '127.0.0.1:5514'],
    [[{ state: 'following' }], 'No records yet', 'The sources are empty.'],
  ])('without records, %o: %s', (sources, title, text) => {
    const reason = emptyReason(sources as unknown as SourceInfo[]);
    expect(reason.title).toBe(title);
    expect(reason.text).toContain(text);
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
