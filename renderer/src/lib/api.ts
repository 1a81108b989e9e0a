import type { AllEvents, AllRequests, QueryPlace, Refusal, SluiceboxApi } from '../../../engine/api/types.ts';

type Platform = SluiceboxApi['platform'];

/** A request that the shell or the engine refused; the message is for the user. */
export class RequestError extends Error {
  readonly request: keyof AllRequests;
  readonly code: Refusal['code'];
  /** Place of the mistake in a query; null: it is about none, or all of it is wrong. */
  readonly place: QueryPlace | null;

  constructor(request: keyof AllRequests, { code, text, place }: Refusal) {
    super(text);
    this.name = 'RequestError';
    this.request = request;
    this.code = code;
    this.place = place ?? null;
  }
}

/** The window's only connection to the shell and the engine. */
export interface Client {
  /** @throws {RequestError} */
  request<N extends keyof AllRequests>(name: N, input: AllRequests[N]['in']): Promise<AllRequests[N]['out']>;
  on<N extends keyof AllEvents>(name: N, listener: (data: AllEvents[N]) => void): () => void;
  /** @throws {RequestError} */
  openDropped(files: readonly File[]): Promise<{ opened: number[] }>;
  readonly platform: Platform;
}

export function createClient(api: SluiceboxApi): Client {
  return {
    async request<N extends keyof AllRequests>(name: N, input: AllRequests[N]['in']) {
      const reply = await api.request(name, input);
      if ('failed' in reply) throw new RequestError(name, reply.failed);
      return reply.value;
    },
    on: (name, listener) => api.on(name, listener),
    async openDropped(files) {
      const reply = await api.openDropped(files);
      if ('failed' in reply) throw new RequestError('source.open', reply.failed);
      return reply.value;
    },
    platform: api.platform,
  };
}

/** The text of an error, for the user. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text === '' ? 'It failed and gave no reason.' : text;
}

/** The reason for which a query cannot be applied. */
export interface QueryProblem {
  readonly text: string;
  /** In one of its filters; null: not known, or in none. */
  readonly place: QueryPlace | null;
}

export const problemOf = (error: unknown): QueryProblem => ({
  text: errorText(error),
  place: error instanceof RequestError ? error.place : null,
});
