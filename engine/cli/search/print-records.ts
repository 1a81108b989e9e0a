import type { Matcher } from '../../matcher/matcher.ts';
import type { Pattern } from '../../search/ripgrep.ts';
import type { CommandContext } from '../command.ts';
import { commandSandboxes } from '../command-sandboxes.ts';
import { FileDecoders, type Decoding } from '../file-decoders.ts';
import { keepHeapSmall } from '../heap.ts';
import { namedFiles } from '../named-files.ts';
import { matchedChunks } from './matched-chunks.ts';
import { SearchJob } from './search-job.ts';

/** Prints the records of files that have a line which matches, decoded, and so many around each. @returns the exit code */
export async function printRecords(
  paths: readonly string[],
  { pattern, around, where }: { readonly pattern: Pattern; readonly around: number; readonly where: Matcher | null },
  decoding: Decoding,
  context: CommandContext,
): Promise<number> {
  keepHeapSmall();
  const sandboxes = commandSandboxes();
  const decoders = new FileDecoders(sandboxes, decoding, context);
  const job = new SearchJob(context, decoding.strict, where);
  try {
    for await (const { file, problem } of namedFiles(paths, context.complain)) {
      if (context.signal.aborted) break;
      await job.try(async () => {
        if (problem !== undefined) throw problem;
        await decoders.with(file, async ({ decoder, sandbox, second, chunks }) => {
          job.decodeBy({ sandbox, second });
          const whole = decoder !== null && decoder[0].meta?.stateless !== true;
          await job.run(matchedChunks(chunks, { pattern, context: around, whole }));
        });
      });
    }
    return job.exitCode();
  } finally {
    await sandboxes.close();
  }
}
