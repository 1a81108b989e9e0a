import { z } from 'zod';
import { anyHttpInput, anyHttpListenInput, withAddress, withLogin } from './http-inputs.ts';
import { anyTcpInput, fileInput, udpInput, withCertificate } from './inputs.ts';
import { filePollingInput, processInput } from './live-inputs.ts';
import { recordSplitter, typeIsMissing } from './values.ts';

/** What an input has for decoding what it reads, and for its end: a script does that, or its own section. */
const DECODING = {
  decoder: true,
  synchronous_decode: true,
  send_decode_failures: true,
  log_decode_failures: true,
  can_exit: true,
} as const;
/** Ways to cut that bring messages, which need no script. */
const FRAMED = { ...DECODING, splitter: true, signers: true, skip_authentication: true } as const;
const CLOCKED = { ...FRAMED, clock: true } as const;

const cut = { splitter: recordSplitter.optional() };

/** Where the script of an input may read from: as the inputs of these types do. */
export const inputSource = z
  .discriminatedUnion(
    'type',
    [
      fileInput.omit(CLOCKED).extend(cut),
      withCertificate(anyTcpInput.omit(CLOCKED).extend(cut)),
      udpInput.omit(CLOCKED).extend(cut),
      filePollingInput.omit(FRAMED).extend(cut),
      processInput.omit(CLOCKED).extend(cut),
      withCertificate(withLogin(anyHttpListenInput.omit(FRAMED).extend(cut))),
      withAddress(anyHttpInput.omit(DECODING)),
    ],
    { error: typeIsMissing('FileInput, TcpInput, UdpInput, FilePollingInput, ProcessInput, HttpListenInput or HttpInput') },
  )
  .meta({ shown: 'table' });

export type SourceConfig = z.output<typeof inputSource>;
