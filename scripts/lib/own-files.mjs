/**
 * Files that open or read others without the helpers of engine/base/files, and why they may: what they open is not of strangers or users.
 * @type {Readonly<Record<string, string>>}
 */
export const OWN_FILES = {
  'engine/ask/common-bundle.ts': 'packages of the product',
  'engine/ask/compiled-library.ts': 'packages of the product',
  'engine/base/files/given-file.ts': 'a helper',
  'engine/base/files/regular-file.ts': 'a helper',
  'engine/base/process/descriptors.ts': '/dev/null and /proc',
  'engine/base/process/open-limit.ts': '/proc',
  'engine/base/process/process-memory.ts': '/proc',
  'engine/base/process/source-places.ts': 'source maps of the product',
  'engine/base/product/engine-script.ts': 'the record of a build',
  'engine/base/product/shipped.ts': 'a list of the product',
  'engine/base/product/version.ts': 'package.json of the product',
  'engine/inputs/net/kernel-drops.ts': '/proc',
  'engine/inputs/net/socket-table.ts': '/proc',
  'engine/inputs/shared/open-file.ts': 'a helper, whose errors are those of inputs',
  'engine/inputs/shared/open-source.ts': 'a helper that reads pipes and devices as streams',
  'engine/outputs/unfinished-batch.ts': 'a file that an output wrote, by its number',
  'engine/parquet/write-whole.ts': 'a folder whose entries are to be on the disk',
  'engine/plugins/docs.ts': 'bundled scripts, when the docs are made',
  'engine/plugins/shipped-list.ts': 'bundled scripts, when the docs are made',
  'engine/queue/segment-reader.ts': 'segments that the service wrote into a folder of its own',
  'engine/queue/segment-writer.ts': 'segments that the service wrote into a folder of its own',
  'engine/queue/segments.ts': 'the checkpoint that the service wrote into a folder of its own',
  'engine/sandbox/hosts/call-watch.ts': '/proc',
  'engine/sandbox/hosts/private-memory.ts': '/proc',
  'engine/sandbox/hosts/process-limits.ts': '/proc',
  'electron/main/protocol.ts': 'the built window',
};

const MODULES = ['fs', 'fs/promises', 'node:fs', 'node:fs/promises'];
const READERS = ['createReadStream', 'open', 'openAsBlob', 'openSync', 'readFile', 'readFileSync'];
const MESSAGE =
  'A pipe, a device, a large file or a disk that is away would hold the process up: use engine/base/files/regular-file.ts, given-file.ts or openFile; files of the product stand in scripts/lib/own-files.mjs.';

/**
 * Whether a use of a function cannot wait: `open(path, 'wx')`, or `O_WRONLY` with `O_NONBLOCK`.
 * @param {any} identifier
 * @param {import('eslint').SourceCode} source
 */
function isCareful(identifier, source) {
  const { parent } = identifier;
  if (parent.type !== 'CallExpression' || parent.callee !== identifier) return false;
  const flags = parent.arguments[1] === undefined ? '' : source.getText(parent.arguments[1]);
  return /^'wx\+?'$/.test(flags) || (flags.includes('O_WRONLY') && /O_NONBLOCK|NO_WAITING/.test(flags));
}

/**
 * A file is opened with a helper that does not wait for it, unless it is made anew or opened for writing without waiting.
 * @type {import('eslint').Rule.RuleModule}
 */
export const opensWithCare = {
  meta: { type: 'problem', schema: [], messages: { bare: MESSAGE, whole: 'Import the functions of node:fs by their names.' } },
  create(context) {
    const { sourceCode } = context;
    return {
      /** @param {any} node */
      ImportDeclaration(node) {
        if (!MODULES.includes(node.source.value) || node.importKind === 'type') return;
        for (const specifier of node.specifiers) {
          if (specifier.type !== 'ImportSpecifier') context.report({ node: specifier, messageId: 'whole' });
          else if (specifier.importKind !== 'type' && READERS.includes(specifier.imported.name))
            for (const { references } of sourceCode.getDeclaredVariables(specifier))
              for (const { identifier } of references)
                if (!isCareful(identifier, sourceCode)) context.report({ node: identifier, messageId: 'bare' });
        }
      },
      /** @param {any} node */
      ImportExpression(node) {
        if (!MODULES.includes(node.source.value)) return;
        const pattern = node.parent.parent?.type === 'VariableDeclarator' ? node.parent.parent.id : null;
        if (pattern?.type !== 'ObjectPattern') context.report({ node, messageId: 'whole' });
        else
          for (const { key, value } of pattern.properties)
            if (READERS.includes(key?.name ?? '')) context.report({ node: value, messageId: 'bare' });
      },
    };
  },
};
