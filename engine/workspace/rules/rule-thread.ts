/** The thread that runs rules over records: over millions of them that takes seconds, which the engine's own thread does not have. */
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../base/errors.ts';
import { Serial } from '../../base/time/serial.ts';
import { signOfRules, watchRules, type RulesWatch } from '../../rules/watch.ts';
import type { FromRules, ToRules } from './rule-protocol.ts';
import { RuleSearcher } from './rule-searcher.ts';

const searcher = new RuleSearcher();
const turns = new Serial();
let watch: RulesWatch | null = null;

const post = (message: FromRules, memory: ArrayBuffer[] = []): void => parentPort?.postMessage(message, memory);

async function answer(message: ToRules): Promise<void> {
  switch (message.kind) {
    case 'load': {
      const { paths } = message.sources;
      watch?.close();
      watch = watchRules(paths, await signOfRules(paths), () => post({ kind: 'changed' }));
      post({ kind: 'loaded', loaded: await searcher.load(message.sources) });
      return;
    }
    case 'begin':
      searcher.begin();
      return;
    case 'search': {
      const found = searcher.search(message.bytes, message.rows);
      post({ kind: 'found', found }, [found.rows.buffer, found.rules.buffer, found.times.buffer]);
    }
  }
}

parentPort?.on('message', (message: ToRules) => {
  void turns.run(async () => {
    try {
      await answer(message);
    } catch (error) {
      post({ kind: 'failed', text: messageOf(error) });
    }
  });
});
