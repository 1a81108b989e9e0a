/**
 * A sandbox host: a process without permissions that runs scripts in isolates. It serves the calls of the engine one after the other, in order.
 */
import { typesCompilerIsFaulty } from '../../base/text/strip-types.ts';
import type { Frame } from '../wire/frames.ts';
import {
  CHECKPOINT,
  ToEngine,
  ToHost,
  type CreateHead,
  type HelloHead,
  type ProcessHead,
  type TimeHead,
  type TimerHead,
} from '../contract/protocol.ts';
import { Box } from './box.ts';
import { EngineLink } from './link.ts';
import { Relief } from './relief.ts';

/** Exit code of a host that cannot load every good script any more. */
const FAULTY_COMPILER = 70;
/** Time without work after which memory is given back. */
const REST_MS = 1000;

const link = new EngineLink(3, 4);
const boxes = new Map<number, Box>();
const relief = new Relief(boxes);
let greeting: Pick<HelloHead, 'prelude' | 'patience'> = { prelude: '', patience: 1 };

function greet(hello: HelloHead): void {
  greeting = hello;
  if (hello.shared) link.share(5);
}

function serve(frame: Frame): void {
  switch (frame.kind) {
    case ToHost.HELLO:
      greet(JSON.parse(frame.head) as HelloHead);
      link.send({ kind: ToEngine.READY, box: 0, call: 0, head: '' });
      break;
    case ToHost.CREATE: {
      // Creating an isolate may crash the host as well.
      link.send({ kind: ToEngine.BEGIN, box: frame.box, call: frame.call, head: '' });
      const box = new Box(frame.box, JSON.parse(frame.head) as CreateHead, greeting, link);
      boxes.set(frame.box, box);
      box.create(frame);
      break;
    }
    case ToHost.PROCESS:
      boxes.get(frame.box)?.process(frame, (JSON.parse(frame.head) as ProcessHead).delivery.texts);
      break;
    case ToHost.TIMER:
      boxes.get(frame.box)?.timer(frame.call, JSON.parse(frame.head) as TimerHead);
      break;
    case ToHost.TIME:
      boxes.get(frame.box)?.time((JSON.parse(frame.head) as TimeHead).rows);
      break;
    case ToHost.RUN:
      boxes.get(frame.box)?.run(frame.call);
      break;
    case ToHost.SAVE:
      boxes.get(frame.box)?.save(frame.call, frame.head === CHECKPOINT);
      break;
    case ToHost.REPORT:
      boxes.get(frame.box)?.report(frame.call);
      break;
    case ToHost.STOP:
      boxes.get(frame.box)?.dispose();
      boxes.delete(frame.box);
      link.send({ kind: ToEngine.STOPPED, box: frame.box, call: frame.call, head: '' });
      break;
  }
}

// Terminals and service managers send these signals to all processes of a service. The engine still needs the scripts' states then, and ends the
// host by closing the pipe. SIGUSR1 would open Node's debugger.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => undefined);

setInterval(() => relief.look(), REST_MS).unref();

async function serveAll(): Promise<never> {
  for (let frame = await link.next(); frame !== null; frame = await link.next()) {
    serve(frame);
    link.release(frame);
    const box = boxes.get(frame.box);
    if (box !== undefined) relief.ran(box);
    // The engine replaces this host; the next one removes types from good scripts again.
    if (typesCompilerIsFaulty()) process.exit(FAULTY_COMPILER);
  }
  process.exit(0);
}

void serveAll();
