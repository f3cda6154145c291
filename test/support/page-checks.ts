/** When a page of the console is at rest, and what is wrong with what it shows then. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page, Request } from 'playwright-core';
import { watchPage } from './failed-pages.ts';
import { patience } from './slow.ts';

/** Requests of a page that have not ended, but for those that a test holds; how many it has made. */
interface Traffic {
  readonly open: Set<Request>;
  readonly held: Set<Request>;
  made: number;
}
const traffic = new WeakMap<Page, Traffic>();

/** In ms. */
const restTimeout = 20_000 * patience;
const quietRounds = 3;

/** Makes `atRest` possible. Called before the page loads anything. */
export function watchRequests(page: Page): void {
  const own: Traffic = { open: new Set(), held: new Set(), made: 0 };
  const end = (request: Request) => own.open.delete(request) || own.held.delete(request);
  traffic.set(page, own);
  watchPage(page);
  page.on('request', (request) => {
    // A new document ends what the old one was loading.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      for (const old of [...own.open, ...own.held]) end(old);
    own.open.add(request);
    own.made += 1;
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
}

/** A test holds this request: until it lets it go, the page may be at rest without it. */
export function noteHeld(page: Page, request: Request): void {
  const own = traffic.get(page);
  if (own?.open.delete(request)) own.held.add(request);
}

/** The page is not at rest before this request has ended. */
export function noteReleased(page: Page, request: Request): void {
  const own = traffic.get(page);
  if (own?.held.delete(request)) own.open.add(request);
}

/**
 * Waits until the page has drawn what it loaded: no request is under way, and it starts none while
 * the page has nothing else to do three times in a row. Unlike `networkidle` it needs no fixed half
 * second of silence, and a busy machine only makes it wait longer. Idle callbacks would say the same,
 * but once a window was resized the headless browser calls many of them only at their time limit.
 * Throws with the open requests if the page does not come to rest.
 */
export async function atRest(page: Page): Promise<void> {
  const own = traffic.get(page);
  if (own === undefined) throw new Error('the requests of this page are not watched');
  const deadline = Date.now() + restTimeout;
  for (let quiet = 0; quiet < quietRounds; ) {
    const before = own.made;
    // In one call to the page where nothing is awaited: a call costs as much as a round.
    const rounds = own.open.size === 0 ? quietRounds - quiet : 1;
    await page.evaluate(async (count) => {
      for (let round = 0; round < count; round += 1)
        await new Promise<void>((resolve) => {
          setTimeout(
            () =>
              scheduler.postTask(() => requestAnimationFrame(() => resolve()), {
                priority: 'background',
              }),
            30,
          );
        });
    }, rounds);
    quiet = own.open.size === 0 && own.made === before ? quiet + rounds : 0;
    if (Date.now() > deadline)
      throw new Error(`still loading: ${[...own.open].map((request) => request.url()).join(', ')}`);
  }
}

/**
 * Waits until a page at rest has drawn itself for another size of its window, and has loaded what it
 * needs for that.
 */
export async function redrawn(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => {
          scheduler.postTask(resolve, { priority: 'background' });
        });
      }),
  );
  if ((traffic.get(page)?.open.size ?? 0) > 0) await atRest(page);
}

/**
 * Leads the console that is open to another address of it, as a link would: a quarter of the work of
 * loading it anew.
 */
export async function visit(page: Page, address: string): Promise<void> {
  await page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, address);
  await atRest(page);
}

/** Of React's tree, what leads to the query client of the console. */
interface Fiber {
  readonly memoizedProps: { readonly client?: { resetQueries?(): Promise<void> } } | null;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

/** The console that is open forgets what the server said, and reads again what it shows. */
export async function forgetAnswers(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const place = document.getElementById('root') ?? {};
    const [, top] = Object.entries(place).find(([key]) => key.startsWith('__reactContainer')) ?? [];
    const fibers = [(top as { stateNode: { current: Fiber } }).stateNode.current];
    for (const { memoizedProps, child, sibling } of fibers) {
      if (memoizedProps?.client?.resetQueries !== undefined)
        return await memoizedProps.client.resetQueries();
      for (const next of [child, sibling]) if (next !== null) fibers.push(next);
    }
    throw new Error('the page has no query client');
  });
}

/**
 * Milliseconds after which a page that is not at rest is used all the same: a test may hold its
 * requests.
 */
const settleTimeout = 3000;

/**
 * From now on opening an address also waits until the page is {@link atRest}: what is still being
 * loaded may move a button between the press and the release of a click.
 */
export function settleAfterOpening(page: Page): void {
  const open = page.goto.bind(page);
  page.goto = async (...address) => {
    const response = await open(...address);
    if (address[0] === 'about:blank') return response;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, settleTimeout);
    await Promise.race([late, atRest(page).catch(() => {})]);
    clearTimeout(timer);
    return response;
  };
}

/** What `page` throws from now on, and what its Content-Security-Policy refuses. */
export function watchFaults(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Refused to/.test(message.text()))
      faults.push(message.text());
  });
  return faults;
}

/** Pixels by which the page is wider than its window, or its sheet than the room it has. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() =>
    Math.max(
      ...[document.documentElement, ...document.querySelectorAll('main')].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    ),
  );
}

/**
 * Columns of tables that the pinned ones cover where somebody needs them: the first two, in windows
 * narrower than 720 the first one, and the status before anything is scrolled; and any that is
 * wider than the room beside the pinned ones.
 */
export function coveredColumns(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[data-list-scroll] > table')].flatMap((table) => {
      const place = (table.parentElement as HTMLElement).getBoundingClientRect();
      let { left, right } = place;
      const moving = [...table.querySelectorAll<HTMLElement>('thead th')].filter((head) => {
        const style = getComputedStyle(head);
        const box = head.getBoundingClientRect();
        if (style.left !== 'auto') left = Math.max(left, box.right);
        else if (style.right !== 'auto') right = Math.min(right, box.left);
        else return true;
        return false;
      });
      return moving
        .filter((head, index) => {
          const box = head.getBoundingClientRect();
          const isNeeded =
            index < (innerWidth < 720 ? 1 : 2) ||
            /^(Status|State|状态)$/.test(head.innerText.trim());
          return box.width > right - left + 1 || (isNeeded && box.right > right + 1);
        })
        .map((head) => head.innerText.trim());
    }),
  );
}

/** Tabs whose words lie over the next tab, and times whose day is broken into lines. */
export function squeezedTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const tabs = [...document.querySelectorAll<HTMLElement>('[role="tab"]')].filter(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1,
    );
    const times = [...document.querySelectorAll<HTMLElement>('td [data-moment]')].filter(
      (time) => new Set([...rectsOf(time)].map(({ top }) => Math.round(top))).size > 2,
    );
    function rectsOf(time: HTMLElement) {
      const range = document.createRange();
      range.selectNodeContents(time);
      return range.getClientRects();
    }
    return [...tabs, ...times].map(({ innerText }) => innerText.trim());
  });
}

/** The rules of axe that look at colours: the only ones whose result depends on the theme. */
const colourRules = ['color-contrast', 'link-in-text-block'];

interface Scan {
  /** Absent: the page. */
  readonly within?: string | undefined;
  /** Selectors of parts that are left out. */
  readonly without?: readonly string[];
  /** By the rules about colours, or by all others. */
  readonly only?: 'colours' | 'structure' | undefined;
}

/** Rule and element of every violation that axe finds. */
export async function violations(
  page: Page,
  { within, without = [], only }: Scan = {},
): Promise<readonly string[]> {
  // A page keeps axe until it is left: half a megabyte of code is read once.
  const hasAxe = await page.evaluate(async () => {
    // What still fades in has other colours.
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(moving.map(({ finished }) => finished));
    return 'axe' in window;
  });
  const isThere = hasAxe && page.frames().length === 1;
  const scan = new AxeBuilder({ page, ...(isThere && { axeSource: ';' }) });
  // The legacy mode runs axe once, in the page. The other mode repeats it in a second window: four
  // times as long, for frames of other origins, which none of the scanned pages contains.
  scan.setLegacyMode().options({
    resultTypes: ['violations'],
    ...(only === 'colours' && { runOnly: colourRules }),
    ...(only === 'structure' && {
      rules: Object.fromEntries(colourRules.map((rule) => [rule, { enabled: false }])),
    }),
  });
  if (within !== undefined) scan.include(within);
  // Toasts would be seen half faded.
  for (const part of ['.mantine-Notifications-root', ...without]) scan.exclude(part);
  const { violations: found } = await scan.analyze();
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
}
