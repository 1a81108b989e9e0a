import { printable, printableJson } from '../../api/printable.ts';
import { Exit, UsageError, type Command } from '../command.ts';
import { commandSandboxes } from '../command-sandboxes.ts';
import { keepHeapSmall } from '../heap.ts';
import { namedFiles, type NamedFile } from '../named-files.ts';
import { parseScripts } from '../script-folder.ts';
import { SCRIPTS_HELP, SCRIPTS_OPTION, parseArguments } from '../settings.ts';
import { recordLine } from '../record-line.ts';
import { commandWords } from '../recogniser.ts';
import { DecoderDetector, type RecognisedDecoder } from '../../detect/detect.ts';
import { sourceHead } from '../../detect/source-head.ts';
import { errorCode, messageOf } from '../../base/errors.ts';
import { InputError } from '../../inputs/notices.ts';
import { TextSource } from '../../inputs/shared/read.ts';
import type { SplitOptions } from '../../inputs/splitters/index.ts';
import { batchOf } from '../../message/batch/builder.ts';
import { formatBatch } from '../../message/json/json-encode.ts';

const help = `Usage: sluicebox detect [OPTIONS] [FILE…|-]

Says by which decoder each file, or standard input, can be decoded: the decoder with its parameters, the share of the first lines that it
takes, how the file is cut into records, and the first three decoded records. What is compressed is unpacked. A folder stands for the files in
it, an archive (tar, zip) for the logs in it, a pattern ('/var/log/**/*.log') for the files that it fits.

The exit code is 1 when no file is recognised, and 2 when one cannot be read.

      --json                prints one JSON object for each file: {"file":…,"decoder":…,"parameters":{…},"confidence":0.98,"split":"line",
                            "records":[…]}; "decoder" is null for a file that is not recognised; {"file":…,"error":…} for one that
                            cannot be read
${SCRIPTS_HELP}`;

export const detect: Command = {
  help,
  failed: Exit.trouble,
  async run(args, { out, signal, complain }) {
    keepHeapSmall();
    const { values, positionals } = parseArguments(args, { json: { type: 'boolean', default: false }, ...SCRIPTS_OPTION });
    if (positionals.length === 0 && process.stdin.isTTY) throw new UsageError('detect needs a file.');
    const print = values.json ? asJson : asText;
    const scripts = parseScripts(values, complain);
    const sandboxes = commandSandboxes();
    const detector = new DecoderDetector(sandboxes, complain, scripts);
    let recognised = 0;
    let unreadable = 0;
    try {
      for await (const file of namedFiles(positionals.length === 0 ? ['-'] : positionals, complain)) {
        const answer = await answerOf(file, detector, signal);
        if (signal.aborted) return out.closed ? Exit.ok : Exit.interrupted;
        if ('error' in answer) {
          unreadable++;
          complain(answer.error);
          if (!values.json) continue;
        } else if (answer.found !== null) recognised++;
        out.add(print(answer));
        await out.flush();
      }
      if (unreadable > 0) return Exit.trouble;
      return recognised === 0 ? Exit.none : Exit.ok;
    } finally {
      await sandboxes.close();
    }
  },
};

type Answer = { readonly file: string; readonly found: RecognisedDecoder | null } | { readonly file: string; readonly error: string };

async function answerOf({ file, problem }: NamedFile, detector: DecoderDetector, signal: AbortSignal): Promise<Answer> {
  if (problem !== undefined) return { file, error: problem.message };
  const source = new TextSource(file, { signal });
  try {
    const { text, writtenNs } = await sourceHead(source);
    const found = await detector.recognise(text, writtenNs);
    return { file: source.name, found };
  } catch (error) {
    if (!(error instanceof InputError) && errorCode(error) === '') throw error;
    return { file: source.name, error: messageOf(error) };
  } finally {
    await source.close();
  }
}

function asJson(answer: Answer): string {
  const { file } = answer;
  if ('error' in answer) return `${printableJson(JSON.stringify({ file, error: answer.error }))}\n`;
  if (answer.found === null) return `${printableJson(JSON.stringify({ file, decoder: null }))}\n`;
  const { name: decoder, config: parameters, confidence, split, records } = answer.found;
  const known = { file, decoder, parameters, confidence: Number(confidence.toFixed(4)), split: splitName(split) };
  const facts = printableJson(JSON.stringify(known));
  // Messages have a form of their own, with numbers that JavaScript would round.
  return `${facts.slice(0, -1)},"records":[${[...formatBatch(batchOf(records))].join(',')}]}\n`;
}

function asText(answer: Answer): string {
  const file = printable(answer.file);
  if ('error' in answer) return '';
  if (answer.found === null) return `${file}\n  not recognised\n\n`;
  const { name, config, confidence, split, records } = answer.found;
  const rows = [
    ['decoder', commandWords(name, config)],
    ['confidence', `${Math.floor(confidence * 100)} %`],
    ['records', splitWords(split)],
    ...records.map((record) => ['', recordLine(record)]),
  ];
  return `${file}\n${rows.map(([label = '', value = '']) => `  ${label.padEnd(10)}  ${printable(value)}\n`).join('')}\n`;
}

const SPLIT_WORDS: Readonly<Record<string, string>> = {
  line: 'lines',
  none: 'the whole file is one',
  csv: 'lines, with line ends in quotes',
  journal: 'entries of the journal',
};

/** Longer patterns of a decoder are nothing to read. */
const LONGEST_PATTERN = 80;

function splitWords(split: SplitOptions): string {
  const name = splitName(split);
  if (name.length > LONGEST_PATTERN) return 'several lines each; --json has the pattern that tells where one begins';
  return SPLIT_WORDS[split.kind] ?? name;
}

/** A way to split as `decode --split` takes it; `csv` and `journal` are what a decoder alone can ask for. */
const splitName = (split: SplitOptions): string => (split.kind === 'regex' ? `regex:${split.pattern}` : split.kind);
