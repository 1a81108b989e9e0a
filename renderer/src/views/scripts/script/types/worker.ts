import type { TypeAnswer, TypeQuestion } from './protocol.ts';
import { TypeService } from './service.ts';
import { TYPE_SOURCES } from './sources.ts';

interface Asked {
  readonly at: number;
  readonly name: string;
}

const services = new Map<boolean, TypeService>();

function serviceFor(typed: boolean): TypeService {
  const known = services.get(typed);
  if (known !== undefined) return known;
  const made = new TypeService(TYPE_SOURCES, typed);
  services.set(typed, made);
  return made;
}

/** Answers a question; what TypeScript itself trips over has no answer. */
function answer({ typed, text, name, input }: TypeQuestion): unknown {
  const service = serviceFor(typed);
  const { at, name: entry } = input as Asked;
  try {
    service.update(text);
    if (name === 'problems') return service.problems();
    if (name === 'completions') return service.completions(at);
    if (name === 'details') return service.details(at, entry);
    return name === 'about' ? service.about(at) : service.call(at);
  } catch {
    return name === 'problems' || name === 'completions' ? [] : null;
  }
}

self.onmessage = ({ data }: MessageEvent<TypeQuestion>) => {
  const reply: TypeAnswer = { id: data.id, value: answer(data) };
  self.postMessage(reply);
};
