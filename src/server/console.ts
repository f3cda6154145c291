import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import express, { type Express, type Request, type RequestHandler } from 'express';
import sirv from 'sirv';
import type { RateLimits } from '../core/accounts/rate-limits.ts';
import { ownPicture } from '../core/kernel/picture-addresses.ts';
import { isWebAddress } from '../core/kernel/shown-addresses.ts';
import type { OptionStore } from '../core/site/option-store.ts';
import { keptAssets } from './kept-assets.ts';
import { sendUnknownPath } from './middleware/errors.ts';
import { factsOf } from './middleware/request-facts.ts';
import { ownSources } from './middleware/security-headers.ts';

/** The built console: beside the built program, or in `dist` of a checkout. */
const places = ['./ui', '../dist/ui', '../../dist/ui'];

export interface ConsoleFiles {
  readonly folder: string;
  readonly page: string;
  /** Names the build: another page, another build. */
  readonly build: string;
  /** CSP sources of the page's inline scripts. */
  readonly scriptHashes: readonly string[];
}

/** Undefined when the console was not built. */
export function findConsole(folder?: string): ConsoleFiles | undefined {
  const candidates =
    folder === undefined
      ? places.map((place) => fileURLToPath(new URL(place, import.meta.url)))
      : [folder];
  const found = candidates.find((candidate) => existsSync(join(candidate, 'index.html')));
  if (found === undefined) return undefined;
  const page = readFileSync(join(found, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    (match) => match[1] ?? '',
  );
  const hashOf = (text: string) => createHash('sha256').update(text);
  const scriptHashes = scripts.map((script) => `'sha256-${hashOf(script).digest('base64')}'`);
  const build = hashOf(page).digest('hex').slice(0, 12);
  return { folder: found, page, build, scriptHashes };
}

/** Their names change with their content; most lie there compressed, too. */
const keptForever = { brotli: true, immutable: true, maxAge: 365 * 86_400 } as const;

/**
 * The files that a folder has at the first request: to look through some hundreds of them is a
 * twentieth of a start, and who only relays needs none. One that a new build has removed since is
 * left to the next handler: sirv would open it without listening for the error, which ends the
 * process.
 */
function filesOf(folder: string): RequestHandler {
  let send: RequestHandler | undefined;
  return (request, response, next) => {
    // It may go after it was found, too.
    response.once('pipe', (file: Readable) => file.once('error', () => response.destroy()));
    access(join(folder, request.path)).then(
      () => {
        send ??= sirv(folder, keptForever);
        send(request, response, next);
      },
      () => next(),
    );
  };
}

/** What the build contains of others, beside the console's folder (scripts/third-party.ts). */
const licences = [
  ['/licenses/sbom.cdx.json', 'sbom.cdx.json'],
  ['/licenses', 'THIRD-PARTY-NOTICES.txt'],
] as const;

/** Prefixes without pages: an unknown path there is an error, not the console. */
const notPages =
  /^\/(api|public|users|pg|assets|[vV]\d+\w*|mj|suno|upload|uploads|metrics|healthz|readyz|licenses|docs)(\/|$)|\.(png|ico|svg|js|css|map|txt|xml|json)$/;

/**
 * SDKs that lack a part of their address accept JSON alone, and would take the page for an answer.
 */
function wantsPage(request: Request): boolean {
  const { method, path } = request;
  const reads = method === 'GET' || method === 'HEAD';
  return reads && !notPages.test(path) && (path === '/' || request.accepts('html') !== false);
}

/**
 * Hashed assets are cached permanently, those of earlier builds in the folder `kept` are served as
 * well; every other path returns the page, uncached
 * (docs/rules/security.md#console-files).
 */
export function serveConsole(
  server: Express,
  files: ConsoleFiles | undefined,
  limits: RateLimits,
  options: Pick<OptionStore, 'get'>,
  kept: string,
): void {
  if (files !== undefined) {
    for (const folder of [join(files.folder, 'assets'), ...keptAssets(kept, files.build)])
      server.use('/assets', filesOf(folder));
    // The copy of this build is made later, and read where another build has replaced the files.
    server.use('/assets', sirv(join(kept, files.build), { ...keptForever, dev: true }));
    server.use(express.static(files.folder, { index: false, maxAge: '1h' }));
    // The documentation of this build (scripts/docs-site.ts).
    const docs = join(dirname(files.folder), 'docs');
    server.use('/docs', express.static(docs, { extensions: ['html'], maxAge: '1h' }));
    server.use('/llms.txt', express.static(join(docs, 'llms.txt'), { maxAge: '1h' }));
    for (const [path, name] of licences)
      server.use(path, express.static(join(dirname(files.folder), name), { maxAge: '1h' }));
  }
  server.use(async (request, response) => {
    if (!wantsPage(request)) return sendUnknownPath(request, response);
    await limits.pages(factsOf(request).clientIp);
    if (files === undefined) {
      response
        .status(503)
        .type('text/plain')
        .send('The console was not built: run `npm run build`.\n');
      return;
    }
    response.setHeader('Cache-Control', 'no-cache');
    response.type('html').send(pageOf(files.page, options));
  });
}

/**
 * The page with what it may load, and with the name and the logo of the site, so that a tab never
 * bears another name, not even before the first script runs.
 */
function pageOf(page: string, options: Pick<OptionStore, 'get'>): string {
  const { images, media } = ownSources(options);
  const name = options.get('SystemName').trim();
  const logo = options.get('Logo').trim();
  // Not a picture in the option itself: it would come again with every page.
  const icon = isWebAddress(logo) ? logo : ownPicture(logo);
  const named =
    name === '' ? page : page.replace(titleTag, () => `<title>${escaped(name)}</title>`);
  const branded =
    icon === undefined
      ? named
      : named.replace(iconTag, () => `<link rel="icon" href="${escaped(icon)}" />`);
  return branded.replace(
    'name="sources"',
    () => `name="sources" data-images="${escaped(images)}" data-media="${media}"`,
  );
}

const titleTag = /<title>[^<]*<\/title>/;
const iconTag = /<link rel="icon"[^>]*>/;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
