/**
 * Writes the documentation that a gateway serves at `/docs`: `node scripts/docs-site.ts`, after the
 * build. Each page is there as HTML and as Markdown, the console's API as a page and as an OpenAPI
 * document, and `llms.txt` lists them all for programs that read. What is about working on the code
 * stays in the repository.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { openApiDocument } from '../src/core/contract/openapi.ts';
import { apiPage } from './docs/api-page.ts';
import { htmlOf, type Page, titleOf } from './docs/page.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'dist', 'docs');

/** Pages of docs/README.md under these headings are served. */
const servedSections = [
  'Running a site',
  'Using a gateway',
  '中文',
  'References, generated from the code',
];
const outside: Readonly<Record<string, string>> = {
  '../CHANGELOG.md': 'changelog',
  '../SECURITY.md': 'reporting',
};

interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
}

/** The sections of a README: tables of `[page](page.md) | about`. */
function sectionsOf(readme: string): readonly (readonly [title: string, text: string])[] {
  return readme
    .split(/^## /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n'))]);
}

function pagesIn(text: string, folder: string): readonly Page[] {
  return [...text.matchAll(/^\| \[[^\]]+\]\(([^)]+\.md)\) \| (.+?) \|$/gm)].map(
    ([, link = '', about = '']) => {
      const file = posix.join(folder, link);
      const path = outside[link] ?? posix.relative('docs', file).replace(/\.md$/, '');
      const markdown = readFileSync(join(root, file), 'utf8').replace(/^<!--.*-->\n+/, '');
      return { path, file, about, markdown, title: titleOf(markdown) };
    },
  );
}

function readSections(): readonly Section[] {
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const served = sectionsOf(read('docs/README.md'))
    .filter(([title]) => servedSections.includes(title))
    .map(([title, text]) => ({ title, pages: pagesIn(text, 'docs') }));
  const rules = sectionsOf(read('docs/rules/README.md'))
    .map(([title, text]) => ({ title: `Rules: ${title}`, pages: pagesIn(text, 'docs/rules') }))
    .filter(({ pages }) => pages.length > 0);
  return [...served, ...rules];
}

function write(path: string, text: string): void {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const document = openApiDocument(packageJson.version);
const sections = readSections();
const api: Page = {
  path: 'api',
  file: 'docs/api.md',
  about: 'every call of the console’s HTTP API, with its parameters and its reply',
  title: 'HTTP API',
  markdown: apiPage(document),
};
const all: readonly Section[] = [...sections, { title: 'HTTP API', pages: [api] }];
const pages = all.flatMap((section) => section.pages);
const list = (link: (page: Page) => string) =>
  all
    .map(({ title, pages: own }) =>
      [
        `## ${title}`,
        own.map((page) => `- [${page.title}](${link(page)}): ${page.about}`).join('\n'),
      ].join('\n\n'),
    )
    .join('\n\n');
const intro =
  '# Turnpike\n\nA self-hosted AI model gateway with prepaid quota billing. This is the documentation of the version that runs here.';

rmSync(target, { recursive: true, force: true });
for (const page of pages) {
  write(`${page.path}.md`, page.markdown);
  write(`${page.path}.html`, htmlOf(page, all, pages));
}
const start: Page = {
  path: 'index',
  file: 'docs/README.md',
  about: '',
  title: 'Documentation',
  markdown: `${intro}\n\n${list(({ file }) => posix.relative('docs', file))}\n`,
};
write('index.html', htmlOf(start, all, pages));
write('llms.txt', `${intro}\n\n${list(({ path }) => `/docs/${path}.md`)}\n`);
write('openapi.json', `${JSON.stringify(document, null, 2)}\n`);
cpSync(join(import.meta.dirname, 'docs', 'docs.css'), join(target, 'docs.css'));
cpSync(join(root, 'src/ui/mark.svg'), join(target, 'mark.svg'));
for (const image of globSync('docs/images/*.png', { cwd: root }))
  cpSync(join(root, image), join(target, posix.relative('docs', image)));
