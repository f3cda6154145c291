/** One page of the documentation as HTML. */
import { posix } from 'node:path';
import { Marked } from 'marked';
import { headingAnchors } from '../check-links.ts';

export interface Page {
  /** Below `/docs/`, without an ending. */
  readonly path: string;
  /** In the repository: links of the text start from there. */
  readonly file: string;
  readonly about: string;
  readonly title: string;
  readonly markdown: string;
}

interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
}

export function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? '';
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Where a link of a page leads on the site; undefined: to what is only in the repository. */
function addressOf(page: Page, link: string, pages: readonly Page[]): string | undefined {
  if (/^[a-z]+:/.test(link) || link.startsWith('#') || link.startsWith('/')) return link;
  const [path = '', anchor] = link.split('#');
  const file = posix.normalize(posix.join(posix.dirname(page.file), path));
  if (file.startsWith('docs/images/')) return `/${file}`;
  const target = pages.find((one) => one.file === file);
  return target && `/docs/${target.path}${anchor === undefined ? '' : `#${anchor}`}`;
}

function bodyOf(page: Page, pages: readonly Page[]): string {
  const anchors = headingAnchors(page.markdown).values();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchors.next().value ?? ''}">${text}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const address = addressOf(page, href, pages);
        return address === undefined ? text : `<a href="${escaped(address)}">${text}</a>`;
      },
      image({ href, text }) {
        const address = addressOf(page, href, pages) ?? href;
        return `<img src="${escaped(address)}" alt="${escaped(text)}" loading="lazy">`;
      },
    },
  });
  // What is wide scrolls by itself, also by keyboard; a head of a table without words is none.
  return (marked.parse(page.markdown) as string)
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replace(/<thead>\s*<tr>\s*(<th><\/th>\s*)+<\/tr>\s*<\/thead>/g, '')
    .replaceAll(/<th[^>]*><\/th>/g, '<td></td>')
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

function navigationOf(page: Page, sections: readonly Section[]): string {
  const item = ({ path, title }: Page) =>
    `<li><a href="/docs/${path}"${path === page.path ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`;
  return sections
    .map(({ title, pages }) => `<h2>${escaped(title)}</h2><ul>${pages.map(item).join('')}</ul>`)
    .join('');
}

export function htmlOf(page: Page, sections: readonly Section[], pages: readonly Page[]): string {
  const navigation = navigationOf(page, sections);
  return `<!doctype html>
<html lang="${page.path.startsWith('zh/') ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.title)} · Turnpike</title>
<link rel="icon" href="/docs/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<header><a class="brand" href="/docs/">Turnpike</a> <a href="/docs/">Documentation</a> <a href="/">Console</a>${
    page.path === 'index' ? '' : ` <a href="/docs/${page.path}.md">Markdown</a>`
  }</header>
<details class="menu"><summary>All pages</summary><nav aria-label="All pages">${navigation}</nav></details>
<div class="frame">
<nav class="side" aria-label="Pages">${navigation}</nav>
<main>
${bodyOf(page, pages)}</main>
</div>
</body>
</html>
`;
}
