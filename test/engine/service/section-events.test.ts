import { describe, expect, it } from 'vitest';
import { NotDeliveredError } from '../../../engine/outputs/delivery.ts';
import type { Sandbox } from '../../../engine/sandbox/contract/types.ts';
import type { PipelineEvent } from '../../../engine/service/pipeline-events.ts';
import { SectionEvents } from '../../../engine/service/section-events.ts';

/** The events that come of some work for the section `part`, in short, and the ends that are told. */
function told(work: (events: SectionEvents) => void, mayExit = false): string[] {
  const news: string[] = [];
  const sink = (event: PipelineEvent): void => {
    if (event.kind === 'notice') news.push(`${event.notice.level} ${event.notice.code ?? ''}: ${event.notice.text}`);
    else if (event.kind === 'refused') news.push(`refused ${event.count} of ${event.input}`);
    else news.push('text' in event ? `${event.kind}: ${event.text}` : event.kind);
  };
  work(new SectionEvents({ name: 'part', can_exit: mayExit }, sink, (plugin, end) => news.push(`end of ${plugin}: ${end.reason}`)));
  return news;
}

const END = { code: 'script.throws', reason: 'no' } as const;
const EXIT = 'fatal: [part] has ended, and its can_exit is false';
const LEFT = 'warning input.left: [part] stops before all was delivered that it had read; files are read on from there at the next start';

describe('events of a section', () => {
  it.each<[string, (events: SectionEvents) => void, string[]]>([
    ['an input fails', ({ inputFailed }) => inputFailed(new Error('gone')), ['error input.failed: [part] gone', 'undone', EXIT]],
    ['a service stops first', ({ inputFailed }) => inputFailed(new NotDeliveredError('stops', false, { done: 0 })), [LEFT]],
    [
      'a script input breaks',
      ({ scriptInputFailed }) => scriptInputFailed(new Error('gone')),
      ['error input.failed: [part] gone', 'undone'],
    ],
    ['an input is at its end', ({ inputEnded }) => inputEnded(null), ['over: [part] has ended, and its can_exit is false']],
    ['an input has failed for good', ({ inputEnded }) => inputEnded('refused'), ['error input.failed: [part] refused', EXIT]],
    [
      'the script of an input ends',
      ({ scriptInputEnded }) => scriptInputEnded(END),
      ['error plugin.terminated: [part] has ended: no', 'end of part: no', 'undone', EXIT],
    ],
    ['the script of an input is done', ({ scriptInputEnded }) => scriptInputEnded(null), [EXIT]],
    [
      'a decoder ends',
      ({ decoderEnded }) => decoderEnded(END, { spec: { name: 'd (part)' } } as Sandbox),
      ['error decoder.terminated: [part] its decoder has ended, and records pass as they are: no', 'end of d: no', 'undone'],
    ],
    ['a filter ends', ({ scriptEnded }) => scriptEnded(END), ['error plugin.terminated: [part] was terminated: no', 'undone', EXIT]],
    [
      'a filter refuses',
      ({ filterRefused }) =>
        filterRefused([
          { row: 0, reason: 'a' },
          { row: 1, reason: 'b' },
        ]),
      ['warning filter.failed: [part] b (2)'],
    ],
    [
      'a script restarts',
      ({ scriptRestarts }) => scriptRestarts(END, 9.2),
      ['warning plugin.restarted: [part] has ended and is started again in 10 ms: no'],
    ],
    ['one message is dropped', ({ dropped }) => dropped(1), ['warning plugin.dropped: [part] a message that waited for it was dropped']],
    ['a buffer is full', ({ bufferFull }) => bufferFull('is full'), ['fatal: [part] is full']],
  ])('%s', (_, work, expected) => expect(told(work)).toEqual(expected));

  it('go on where a plugin may exit', () => {
    const gone: string[] = [];
    expect(told(({ inputEnded }) => inputEnded(null), true)).toEqual([]);
    expect(told((events) => events.outputEnded('no', (reason) => gone.push(reason)), true)).toEqual([
      'error plugin.terminated: [part] has ended: no',
    ]);
    expect(gone).toEqual(['no']);
  });
});
