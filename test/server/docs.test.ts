import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const built = join(import.meta.dirname, '../../dist/docs');
const read = (path: string) => readFileSync(join(built, path), 'utf8');
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

async function get(path: string) {
  const reply = await fetch(gateway.url + path);
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    text: await reply.text(),
  };
}

describe('the documentation of the version that runs', () => {
  test('is served as pages, as Markdown and as a document of the API', async () => {
    expect(await get('/docs/')).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
    expect((await get('/docs/operate')).text).toContain('<h1 id="operating-turnpike">');
    const markdown = await get('/docs/rules/streams.md');
    expect(markdown).toMatchObject({ status: 200, type: 'text/markdown; charset=utf-8' });
    expect(markdown.text).toMatch(/^# Streams and replies/);
    const api = JSON.parse((await get('/docs/openapi.json')).text);
    expect(Object.keys(api.paths)).toContain('/api/token/');
    expect((await get('/docs/api')).text).toContain('<h3 id="get-apitoken">GET /api/token/</h3>');
  });

  test('is listed for programs, each page with what it is about', async () => {
    const list = (await get('/llms.txt')).text;
    const links = [...list.matchAll(/^- \[.+\]\((.+)\): ./gm)].map(([, link]) => link ?? '');
    expect(links).toContain('/docs/cli.md');
    expect(links.length).toBe(globSync('**/*.md', { cwd: built }).length);
    for (const link of links) expect((await get(link)).status, link).toBe(200);
  });

  test('has no link that leads nowhere', async () => {
    const pages = globSync('**/*.html', { cwd: built });
    const anchors = new Map(
      pages.map((path) => [
        `/docs/${path.replace(/(^|\/)index\.html$/, '').replace(/\.html$/, '')}`,
        new Set([...read(path).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    );
    const others = new Map<string, number>();
    for (const [page, own] of anchors) {
      const file = page === '/docs/' ? 'index.html' : `${page.slice('/docs/'.length)}.html`;
      for (const [, link = ''] of read(file).matchAll(/ (?:href|src)="([#/][^"]*)"/g)) {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? own : anchors.get(path);
        if (target === undefined) others.set(path, (await get(path)).status);
        else if (anchor !== undefined) expect(target, `${page}: ${link}`).toContain(anchor);
      }
    }
    for (const [path, status] of others) expect(status, path).toBe(200);
  });

  test('an unknown page is an error, not the console', async () => {
    expect(await get('/docs/nothing')).toMatchObject({
      status: 404,
      type: expect.stringContaining('json'),
    });
  });
});
