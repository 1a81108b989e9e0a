import type { Server } from 'node:net';
import { portProblem } from '../notices.ts';
import type { InputSink } from '../types.ts';
import { formatAddress, hostsToTry, type ListenAddress } from './address.ts';

/**
 * Opens a TCP listener on the first of the networks that the address stands for. Tells the sink why it cannot listen, or that nothing comes for now.
 * @param make a server that does not listen yet
 * @returns null when it cannot listen
 */
export async function listenOnAny<S extends Server>(address: ListenAddress, make: () => S, sink: InputSink): Promise<S | null> {
  const problem = (error: unknown): void => sink.notice(portProblem('TCP', formatAddress(address), error).toNotice());
  let failure: unknown;
  for (const host of hostsToTry(address.host)) {
    const server = make();
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port: address.port, host, exclusive: true }, resolve);
      });
      server.on('error', problem);
      sink.idle();
      return server;
    } catch (error) {
      failure = error;
    }
  }
  problem(failure);
  return null;
}

/** The address that a server listens on; null when it does not listen. */
export function addressOf(server: Server | null): ListenAddress | null {
  const address = server?.address();
  return typeof address === 'object' && address !== null ? { host: address.address, port: address.port } : null;
}
