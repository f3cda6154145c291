/**
 * Checks citations of rules (docs/rules/README.md): every `docs/rules/<page>.md#<anchor>` must name
 * an existing anchor, no page may define an anchor twice, and no comment or test title may cite a
 * document outside of this repository. Prints every violation.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

interface SourceText {
  /** Relative to the repository. */
  readonly file: string;
  readonly text: string;
}

const rulesFolder = 'docs/rules/';

/** Ids of the explicit anchors of a page, in order. */
export function anchorsIn(page: string): readonly string[] {
  return [...page.matchAll(/^<a id="([^"]*)"><\/a>$/gm)].map((match) => match[1] ?? '');
}

/** Anchors that are defined twice on a page, or not in kebab case. */
export function anchorProblems({ file, text }: SourceText): readonly string[] {
  const anchors = anchorsIn(text);
  return [...new Set(anchors)].flatMap((anchor) => {
    const count = anchors.filter((other) => other === anchor).length;
    return [
      ...(count > 1 ? [`${file}: #${anchor} is defined ${count} times`] : []),
      ...(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(anchor)
        ? []
        : [`${file}: #${anchor} is not in kebab case`]),
    ];
  });
}

/**
 * Citations of rules that do not exist. `pages`: file name below docs/rules → its anchors. Links
 * between the pages (`ledger.md#debt`) count as citations too.
 */
export function brokenCitations(
  { file, text }: SourceText,
  pages: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const cited = [...text.matchAll(/\bdocs\/rules\/([\w-]+\.md)(?:#([\w-]+))?/g)];
  if (file.startsWith(rulesFolder))
    cited.push(...text.matchAll(/\]\(([\w-]+\.md)(?:#([\w-]+))?\)/g));
  return cited.flatMap(({ 1: page = '', 2: anchor, index }) => {
    const anchors = pages.get(page);
    const exists = anchors !== undefined && (anchor === undefined || anchors.has(anchor));
    return exists
      ? []
      : [
          `${file}:${lineAt(text, index)}: ${page}${anchor === undefined ? '' : `#${anchor}`} does not exist`,
        ];
  });
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Patterns of citations of documents that are not in this repository. */
const outsideDocuments: readonly RegExp[] = [
  /\b(?:spec|design),? (?:relay|billing|product|examples|console|agent-clients|accounts|providers|dependencies)\b/i,
  /\bspec,? \d/i,
  /\bdesign(?:: |, )(?:money|console\.md)/i,
  /\bseeds?,? (?:administration|end[ -]user|\d)/i,
  /\bthe seed(?:'s|s'| fixes| names| rule)|\bseed rule/i,
  /\b(?:administration|end user|agent-clients|console-api|providers-(?:international|china(?:-and-tasks)?)|accounts(?:-and-| and )payments) \d/,
  /\b(?:relay|billing|product|examples|dependencies|console)(?:\.md \d| \d+(?:\.\d+)*(?= ?[[\]),;:.'`]|$))/m,
  /\bthe spec(?:ification)?\b/i,
  /\[[RLB]\]/,
];

interface Remark {
  readonly line: number;
  readonly text: string;
}

/** Comments and test titles with their lines. Strings that look like them are included. */
export function remarksIn(text: string): readonly Remark[] {
  const comments = text.matchAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g);
  const titles = text.matchAll(/\b(?:describe|it)(?:\.each\([^)]*\))?\(\s*['"`][^'"`\n]*/g);
  return [...comments, ...titles].map(({ 0: remark, index }) => ({
    line: lineAt(text, index),
    text: remark,
  }));
}

/**
 * Comments and titles that cite documents outside of the repository. A citation may span several
 * lines.
 */
export function outsideCitations({ file, text }: SourceText): readonly string[] {
  return remarksIn(text).flatMap((remark) => {
    const words = remark.text.replace(/\n\s*\*\s?/g, ' ');
    const found = outsideDocuments
      .map((pattern) => pattern.exec(words)?.[0])
      .find((match) => match !== undefined);
    return found === undefined
      ? []
      : [`${file}:${remark.line}: "${found}" cites a document that is not in the repository`];
  });
}

function filesIn(path: string, name: RegExp): string[] {
  if (!statSync(path).isDirectory()) return name.test(path) ? [path] : [];
  return readdirSync(path).flatMap((entry) =>
    entry === 'node_modules' ? [] : filesIn(join(path, entry), name),
  );
}

function readAll(paths: readonly string[], name: RegExp): readonly SourceText[] {
  return paths
    .flatMap((path) => filesIn(path, name))
    .map((path) => ({ file: relative('.', path), text: readFileSync(path, 'utf8') }));
}

/** All problems of the repository in the working directory. */
function problemsOfRepository(): readonly string[] {
  const code = readAll(['src', 'migrations', 'scripts', 'bench', 'test'], /\.(?:tsx?|mjs)$/);
  const topLevel = readdirSync('.').filter((name) => name.endsWith('.md'));
  const documents = readAll(['docs', ...topLevel], /\.md$/);
  const pages = documents.filter(({ file }) => file.startsWith(rulesFolder));
  const anchors = new Map(
    pages.map(({ file, text }) => [file.slice(rulesFolder.length), new Set(anchorsIn(text))]),
  );
  // The check and its test contain the patterns themselves.
  const others = code.filter(({ file }) => !file.includes('check-citations'));
  return [
    ...pages.flatMap(anchorProblems),
    ...[...others, ...documents].flatMap((source) => brokenCitations(source, anchors)),
    ...others.flatMap(outsideCitations),
  ];
}

if (import.meta.main) {
  const problems = problemsOfRepository();
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n${problems.length} citations are wrong\n`);
    process.exitCode = 1;
  }
}
