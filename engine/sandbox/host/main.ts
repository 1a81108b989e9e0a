/**
 * A sandbox host: a process that runs scripts in isolates and has no rights of its own. It serves the calls of the engine one after the other, in order.
 */
import type { Frame } from '../frames.ts';
import { ToEngine, ToHost, type CreateHead, type HelloHead, type ProcessHead, type TimerHead } from '../protocol.ts';
import { Box } from './box.ts';
import { EngineLink } from './link.ts';
import { receivedTexts } from './texts.ts';

const link = new EngineLink(3, 4);
const boxes = new Map<number, Box>();
let prelude = '';

function serve(frame: Frame): void {
  switch (frame.kind) {
    case ToHost.HELLO:
      prelude = (JSON.parse(frame.head) as HelloHead).prelude;
      link.send({ kind: ToEngine.READY, box: 0, call: 0, head: '' });
      break;
    case ToHost.CREATE: {
      // Making an isolate may take the host down as well.
      link.send({ kind: ToEngine.BEGIN, box: frame.box, call: frame.call, head: '' });
      const box = new Box(frame.box, JSON.parse(frame.head) as CreateHead, prelude, link);
      boxes.set(frame.box, box);
      box.create(frame);
      break;
    }
    case ToHost.PROCESS:
      boxes.get(frame.box)?.process(frame, receivedTexts(frame, (JSON.parse(frame.head) as ProcessHead).delivery.texts));
      break;
    case ToHost.TIMER:
      boxes.get(frame.box)?.timer(frame.call, Number((JSON.parse(frame.head) as TimerHead).ns));
      break;
    case ToHost.RUN:
      boxes.get(frame.box)?.run(frame.call);
      break;
    case ToHost.SAVE:
      boxes.get(frame.box)?.save(frame.call);
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

for (let frame = await link.next(); frame !== null; frame = await link.next()) serve(frame);
process.exit(0);
