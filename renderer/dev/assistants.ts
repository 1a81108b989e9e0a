import type { AllRequests, AssistantsState } from '../../engine/api/types.ts';

const LOG = '/var/log/nginx/access.log';
const STATE: AssistantsState = {
  redact: true,
  granted: [LOG],
  asked: [
    {
      ...{ at: Date.now() - 2000, tool: 'search', question: 'where status:5xx', files: ['access.log'], rows: 50, error: null },
      records: [{ name: 'access.log#120', path: LOG, time: null }],
    },
    { at: Date.now() - 60_000, tool: 'query', question: 'SELECT x', files: [], rows: null, error: 'There is no column x', records: [] },
  ],
};

/** Answers about what assistants may ask, and have asked. */
export const assistantAnswers = {
  'assistants.get': (): AssistantsState => STATE,
  'assistants.grant': () => null,
  'assistants.takeBack': () => null,
  'assistants.redact': () => null,
  'assistants.forget': () => null,
  'shell.assistantCommand': () => ({ command: ['/opt/sluicebox/bin/sluicebox', 'mcp', '--window'] }),
  'shell.givenRecord': () => null,
  'record.find': ({ number }: AllRequests['record.find']['in']) => ({ id: number - 1, time: Date.now(), by: 'number' as const }),
};
