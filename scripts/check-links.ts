/**
 * Links between the Markdown files of the repository: every relative link names a file that exists,
 * and every anchor a heading or an explicit anchor of its page. Prints every link that does not.
 * Addresses on the web are not followed.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { anchorsIn } from './check-citations.ts';

/** The anchors that GitHub gives to the headings of a page, in their order. */
export function headingAnchors(page: string): readonly string[] {
  const seen = new Map<string, number>();
  return [...withoutFences(page).matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, title = '']) => {
    const text = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

/** Targets of the links and images of a page, with their lines. Code is no text. */
export function linksIn(
  page: string,
): readonly { readonly target: string; readonly line: number }[] {
  const text = withoutFences(page).replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
  return [...text.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)].map((match) => ({
    target: match[1] ?? '',
    line: text.slice(0, match.index).split('\n').length,
  }));
}

/** Blanks fenced code, keeping the number of lines. */
function withoutFences(page: string): string {
  return page.replace(/^ *```[^\n]*\n[\s\S]*?^ *```/gm, (block) => block.replace(/[^\n]/g, ''));
}

/** What is wrong with a link of a page; undefined: nothing. `file` is an absolute path. */
export function linkProblem(file: string, target: string): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(target) || target.startsWith('//')) return undefined;
  const [path = '', anchor] = target.split('#');
  const page = path === '' ? file : resolve(dirname(file), decodeURIComponent(path));
  if (!existsSync(page)) return `${path} does not exist`;
  if (anchor === undefined || statSync(page).isDirectory() || !page.endsWith('.md'))
    return undefined;
  const text = readFileSync(page, 'utf8');
  return [...headingAnchors(text), ...anchorsIn(text)].includes(anchor)
    ? undefined
    : `${target} has no such anchor`;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const pages = globSync(['*.md', 'docs/**/*.md', '.github/**/*.md'], { cwd: root }).map((name) =>
    join(root, name),
  );
  const problems = pages.flatMap((file) =>
    linksIn(readFileSync(file, 'utf8')).flatMap(({ target, line }) => {
      const problem = linkProblem(file, target);
      return problem === undefined ? [] : [`${relative(root, file)}:${line}: ${problem}`];
    }),
  );
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n${problems.length} links lead nowhere\n`);
    process.exit(1);
  }
}
