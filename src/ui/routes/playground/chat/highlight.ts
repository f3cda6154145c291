/**
 * Words of a program that are worth a colour, in most languages: comments, strings, keywords,
 * calls.
 */
export type CodeKind = 'comment' | 'string' | 'keyword' | 'call';
export interface CodePiece {
  readonly text: string;
  readonly kind?: CodeKind;
}

/** Characters; a longer program stays plain. */
const longest = 20_000;
/** Languages whose comments begin with `#`. */
const hashComments =
  /^(py|python|sh|bash|shell|zsh|rb|ruby|ya?ml|toml|r|perl|dockerfile|makefile|ini|conf)$/;
/** Text, not a program. */
const plain = /^(|text|txt|plain|plaintext|md|markdown|csv|log|diff|html?|xml|svg)$/;
const keywords =
  'abstract and as async await begin bool boolean break case catch char class const continue def default defer delete del do double ' +
  'elif else end enum except export extends extern false final finally float fn for foreach from func function go if impl implements ' +
  'import in int interface is lambda let long match mod module mut namespace new nil none None not null of or package pass private ' +
  'protected pub public raise return select self short signed static str string struct super switch then this throw trait true True ' +
  'False try type typeof undefined union unsafe unsigned until use using val var void volatile when where while with yield ' +
  'SELECT FROM WHERE INSERT INTO UPDATE DELETE CREATE TABLE JOIN ON AND OR NOT NULL ORDER BY GROUP LIMIT VALUES SET';

function ruleOf(language: string): RegExp {
  const comment = hashComments.test(language)
    ? '#[^\\n]*'
    : '\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?\\*\\/|--[^\\n]*(?=\\n|$)(?<=-- .*)';
  const string = '"(?:\\\\.|[^"\\\\\\n])*"|\'(?:\\\\.|[^\'\\\\\\n])*\'|`(?:\\\\.|[^`\\\\])*`';
  const words = keywords.split(' ').join('|');
  return new RegExp(`(${comment})|(${string})|\\b(${words})\\b|\\b([A-Za-z_]\\w*)(?=\\()`, 'g');
}

const kinds = ['comment', 'string', 'keyword', 'call'] as const;

export function highlight(code: string, language: string): readonly CodePiece[] {
  const name = language.toLowerCase();
  if (plain.test(name) || code.length > longest) return [{ text: code }];
  const pieces: CodePiece[] = [];
  let end = 0;
  for (const match of code.matchAll(ruleOf(name))) {
    const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)];
    if (kind === undefined) continue;
    if (match.index > end) pieces.push({ text: code.slice(end, match.index) });
    pieces.push({ text: match[0], kind });
    end = match.index + match[0].length;
  }
  return [...pieces, { text: code.slice(end) }];
}
