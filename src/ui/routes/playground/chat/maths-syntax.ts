/**
 * Formulas in Markdown: `$…$`, `\(…\)`, `$$…$$` and `\[…\]`. Read before Markdown's own escapes, so
 * that `\,` and `\_` stay what they are in TeX.
 */
import type { TokenizerAndRendererExtension, Tokens } from 'marked';

/** Marks the element of a formula, which the sanitiser lets through; nobody else can write it. */
export const formulaLanguage = { inline: 'x-tex', display: 'x-tex-display' } as const;

interface Formula extends Tokens.Generic {
  readonly text: string;
  readonly display: boolean;
}

/**
 * A formula in the middle of a line ends in its paragraph. Another beginning ends the search for
 * its end, or a text of nothing but beginnings would be read to its end from each. Backslashes are
 * read in pairs: `\\[2pt]` is a line break of TeX.
 */
const displayed = [
  /^\$\$((?:(?!\n\s*\n)[\s\S])+?)\$\$/,
  /^\\\[((?:\\(?!\n\s*\n)[^[\]]|(?!\n\s*\n)[^\\])+?)\\\]/,
] as const;
/**
 * Dollars are money unless they enclose: no space inside of them, no digit behind the last one. A
 * line break ends them.
 */
const inlined = [
  /^\$((?:\\[^\n]|[^\s$\\])|(?:\\[^\n]|[^\s$\\])(?:\\[^\n]|[^$\\\n])*?(?:\\[^\n]|[^\s$\\]))\$(?![\d$])/,
  /^\\\(((?:\\(?!\n\s*\n)[^()]|(?!\n\s*\n)[^\\])+?)\\\)/,
] as const;

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function find(source: string, patterns: readonly RegExp[]): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(source);
    if (match !== null && match[1]?.trim() !== '') return match;
  }
  return undefined;
}

function render(token: Tokens.Generic): string {
  const { text, display } = token as Formula;
  const element = `<code lang="${formulaLanguage[display ? 'display' : 'inline']}">${escapeHtml(text)}</code>`;
  return token.type === 'formulaBlock' ? `<p>${element}</p>` : element;
}

const asToken = (type: string, match: RegExpExecArray, display: boolean): Formula => ({
  type,
  raw: match[0],
  text: match[1]?.trim() ?? '',
  display,
});

/** Where a formula begins within a paragraph, whose end is not looked beyond. */
const begin = /(?:^|\n)[ ]{0,3}(\$\$|\\\[)|\n[ \t]*\n/;

/** On lines of its own. */
const block: TokenizerAndRendererExtension = {
  name: 'formulaBlock',
  level: 'block',
  start(source) {
    const match = begin.exec(source);
    return match?.[1] === undefined ? undefined : match.index;
  },
  tokenizer(source) {
    const indent = /^[ ]{0,3}/.exec(source)?.[0] ?? '';
    const match = find(source.slice(indent.length), displayed);
    const rest = match === undefined ? '' : source.slice(indent.length + match[0].length);
    const end = /^[ \t]*(\n+|$)/.exec(rest);
    if (match === undefined || end === null) return undefined;
    return { ...asToken('formulaBlock', match, true), raw: `${indent}${match[0]}${end[0]}` };
  },
  renderer: render,
};

const inline: TokenizerAndRendererExtension = {
  name: 'formula',
  level: 'inline',
  start: (source) => /\$|\\[([]/.exec(source)?.index,
  tokenizer(source) {
    const display = find(source, displayed);
    const match = display ?? find(source, inlined);
    return match && asToken('formula', match, display !== undefined);
  },
  renderer: render,
};

export const formulas = [block, inline];
