import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { inRoot } from './paths.mjs';

const MODULES = 'plugins/modules';

const INTRODUCTION = `# Modules

Scripts import these modules by their names: \`import { send } from 'alert'\`, or \`const { send } = require('alert')\` in classic scripts. Their functions stay
as they are: [Operate](../operate.md#upgrade) says what a new version may change. \`sluicebox new\` writes the same types into the folder \`types\`, for your editor.

- A **time** is a number of nanoseconds since 1970, as a number or a BigInt, unless it says otherwise. A **duration** is in nanoseconds, too.
- A **column** of a graph is counted from 1.
- A wrong argument is an error that names it: \`bad argument #1 to 'send' (time in nanoseconds expected, not undefined)\`. A script that does not catch it
  ends. Each function lists the other errors that it throws.
- Functions that read parameters (\`config\`, and those whose text says so) are called at the top level of a script: an error there stops the start, with the name of the parameter.

The pages are made from the types and comments of the modules.
`;

/** @typedef {ts.FunctionDeclaration | ts.ClassDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.VariableStatement} Exported */

/** The index and the pages of all modules that scripts may import, by their names below `docs/modules`. @returns {Record<string, string>} */
export function modulePages() {
  const modules = readdirSync(inRoot(MODULES)).map((file) => {
    const name = file.replace(/\.ts$/, '');
    return { name, source: sourceOf(inRoot(MODULES, file)) };
  });
  const rows = modules.map(({ name, source }) => `| [\`${name}\`](${name}.md) | ${cell(firstSentence(summaryOf(source)))} |`);
  const index = `${INTRODUCTION}\n| Module | For |\n| --- | --- |\n${rows.join('\n')}\n`;
  return { 'README.md': index, ...Object.fromEntries(modules.map(({ name, source }) => [`${name}.md`, pageOf(name, source)])) };
}

/** @param {string} path */
const sourceOf = (path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);

/** The comment at the head of a file, and the code behind it that is an example. @param {ts.SourceFile} source */
function headOf(source) {
  const [, comment = ''] = /^\/\*\* ?([^]*?)\*\//.exec(source.text) ?? [];
  const [text = '', example = ''] = comment.replaceAll(/^ *\* ?/gm, '').split('@example');
  return { text: proseOf(text), example: example.trim() };
}

/** @param {ts.SourceFile} source */
const summaryOf = (source) => headOf(source).text;

/** @param {string} text */
const proseOf = (text) => text.trim().replaceAll(/\s+/g, ' ');
/** @param {string} text */
const firstSentence = (text) => /^.*?[^A-Z]\.(?= |$)/.exec(text)?.[0] ?? text;
/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|');

/** @param {string} name @param {ts.SourceFile} source */
function pageOf(name, source) {
  const { text, example } = headOf(source);
  const code = example === '' ? [] : [`\`\`\`ts\n${example}\n\`\`\`\n\nAll of the module:\n`];
  return [`# ${name}\n`, `${text}\n`, ...code, ...byName(exportsOf(source)).map(entry), '[All modules](README.md)\n'].join('\n');
}

/** Exports of a file, those of other files that it passes on included. @param {ts.SourceFile} source @returns {Exported[]} */
function exportsOf(source) {
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return passedOn(source, statement);
    return isExported(statement) && !isHiddenForm(statement, source.statements) ? [/** @type {Exported} */ (statement)] : [];
  });
}

/** Whether this is the code behind the forms of a function, which callers do not see. @param {ts.Node} node @param {readonly ts.Node[]} others */
function isHiddenForm(node, others) {
  const isFunction = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
  if (!isFunction || node.body === undefined) return false;
  const name = node.name?.getText();
  return others.some(
    (other) =>
      (ts.isFunctionDeclaration(other) || ts.isMethodDeclaration(other)) && other.body === undefined && other.name?.getText() === name,
  );
}

/** @param {ts.Statement} statement */
function isExported(statement) {
  return ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

/** @param {ts.SourceFile} source @param {ts.ExportDeclaration} statement @returns {Exported[]} */
function passedOn(source, { moduleSpecifier, exportClause }) {
  if (moduleSpecifier === undefined || exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
  const from = /** @type {ts.StringLiteral} */ (moduleSpecifier).text;
  const other = exportsOf(sourceOf(join(dirname(source.fileName), from)));
  const names = exportClause.elements.map(({ name }) => name.text);
  return other.filter((statement) => names.includes(nameOf(statement)));
}

/** @param {Exported | ts.ClassElement} statement */
function nameOf(statement) {
  const named = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : statement;
  return named?.name?.getText() ?? '';
}

/**
 * The forms of each function or method together, in their order.
 * @template {Exported | ts.ClassElement} T
 * @param {readonly T[]} declarations
 * @returns {(readonly T[])[]}
 */
const byName = (declarations) =>
  [...new Set(declarations.map(nameOf))].map((name) => declarations.filter((declaration) => nameOf(declaration) === name));

/** @param {readonly Exported[]} forms */
function entry(forms) {
  const code = `\`\`\`ts\n${forms.map(signatureOf).join('\n')}\n\`\`\`\n`;
  const members = forms.filter(ts.isClassDeclaration).flatMap((statement) => byName(statement.members.filter(isPublic)).map(member));
  return [code, ...forms.map(commentOf), members.length === 0 ? '' : `${members.join('\n')}\n`].filter(Boolean).join('\n');
}

/** @param {ts.ClassElement} element */
function isPublic(element) {
  const hidden =
    ts.canHaveModifiers(element) && ts.getModifiers(element)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) === true;
  return (
    !hidden &&
    !isHiddenForm(element, ts.isClassDeclaration(element.parent) ? element.parent.members : []) &&
    (element.name === undefined || !ts.isPrivateIdentifier(element.name)) &&
    !ts.isClassStaticBlockDeclaration(element)
  );
}

/** @param {readonly ts.ClassElement[]} forms */
function member(forms) {
  const signatures = forms.map((form) => `\`${isCode(form) ? withoutBody(form) : withoutValue(form)}\``);
  const comment = proseOf(
    forms
      .map(commentOf)
      .join('')
      .replaceAll(/^- (.*)\n(?=- )/gm, '$1;\n')
      .replaceAll(/^- /gm, ' '),
  );
  return `- ${signatures.join(', ')}${comment === '' ? '' : `: ${comment}`}`;
}

/** @param {ts.ClassElement} element @returns {element is ts.MethodDeclaration | ts.GetAccessorDeclaration | ts.ConstructorDeclaration} */
const isCode = (element) => ts.isMethodDeclaration(element) || ts.isGetAccessor(element) || ts.isConstructorDeclaration(element);

/** A declaration without what it does. @param {Exported} statement */
function signatureOf(statement) {
  if (ts.isFunctionDeclaration(statement)) return withoutBody(statement).replace(/^(async )?function /, '');
  if (ts.isClassDeclaration(statement))
    return oneLine(statement.getText().slice(0, statement.members.pos - statement.getStart()))
      .replace(/ \{$/, '')
      .replace('export ', '');
  if (ts.isVariableStatement(statement)) return oneLine(statement.declarationList.getText());
  return statement.getText().replace(/^export /, '');
}

/** @param {ts.FunctionLikeDeclaration} code */
function withoutBody(code) {
  const end = code.body?.getStart() ?? code.getEnd();
  return oneLine(code.getText().slice(0, end - code.getStart()))
    .replace(/^export /, '')
    .replace(/;$/, '');
}

/** @param {ts.ClassElement} field */
const withoutValue = (field) =>
  oneLine(field.getText())
    .replace(/ = .*$/, '')
    .replace(/;$/, '');

/** @param {string} text */
const oneLine = (text) => text.replaceAll(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(', )', ')').trim();

/** The comment of a declaration: its text, its parameters and what it returns. @param {ts.Node} node */
function commentOf(node) {
  const doc = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = doc
    .map(({ comment }) => proseOf(ts.getTextOfJSDocComment(comment) ?? ''))
    .filter(Boolean)
    .join(' ');
  const tags = doc.flatMap(({ tags = [] }) => [...tags]).map(tagText);
  return [text === '' ? '' : `${text}\n`, tags.length === 0 ? '' : `${tags.join('\n')}\n`].filter(Boolean).join('\n');
}

/** @param {ts.JSDocTag} tag */
function tagText(tag) {
  const text = proseOf(ts.getTextOfJSDocComment(tag.comment) ?? '');
  if (ts.isJSDocParameterTag(tag)) return `- \`${tag.name.getText()}\`: ${text}`;
  return `- _${tag.tagName.text[0]?.toUpperCase()}${tag.tagName.text.slice(1)}_: ${text}`;
}
