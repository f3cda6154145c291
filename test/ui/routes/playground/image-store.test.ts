// Covers src/ui/routes/playground/image.
// @vitest-environment happy-dom
/** Images of the playground and what they cost, without a server. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CatalogModel } from '../../../../src/core/contract/model-square.ts';
import { imageCost } from '../../../../src/ui/routes/playground/image/image-cost.ts';
import {
  type ImageBox,
  type ImageRun,
  ImageStore,
} from '../../../../src/ui/routes/playground/image/image-store.ts';

const order = {
  model: 'dall-e-3',
  group: 'default',
  prompt: 'a gate',
  size: '1024x1024',
  quality: 'standard',
  count: 1,
};

/** The browser's database, which outlives the page. */
function box(kept = new Map<string, ImageRun>()): ImageBox {
  return {
    all: async () => [...kept.values()],
    put: async (run) => void kept.set(run.id, run),
    remove: async (id) => void kept.delete(id),
  };
}

/** Requests for images are held until they are answered; charges are found by the page's key. */
function server() {
  const sent: {
    key: string;
    path: string;
    body: unknown;
    answer: (reply: Response) => void;
  }[] = [];
  const charged: { playground_key: string; quota: number }[] = [];
  const kept: object[] = [];
  const stopped: string[] = [];
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const path = String(input instanceof Request ? input.url : input);
    if (init?.method === 'DELETE') {
      stopped.push(path);
      return Response.json({ success: true, message: '' });
    }
    if (path.includes('/pg/images/')) {
      const key = new Headers(init?.headers).get('X-Playground-Key') ?? '';
      return new Promise<Response>((resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        sent.push({ key, path, body: init?.body, answer: resolve });
      });
    }
    if (path.includes('/api/task/self'))
      return Response.json(
        { success: true, message: '', data: kept },
        { headers: { 'X-Total-Count': String(kept.length) } },
      );
    const items = charged.map(({ quota, ...other }) => ({
      type: 2,
      quota,
      completion_tokens: 0,
      created_at: Date.now() / 1000,
      other: JSON.stringify(other),
    }));
    return Response.json({ success: true, message: '', data: { items, total: items.length } });
  });
  return { sent, charged, kept, stopped };
}

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

test('images, their order and their cost are there for the next page', async () => {
  const { sent, charged } = server();
  const kept = new Map<string, ImageRun>();
  const store = new ImageStore(box(kept), () => undefined);
  const made = store.generate(order);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  charged.push({ playground_key: sent[0]?.key ?? '', quota: 20_000 });
  sent[0]?.answer(Response.json({ data: [{ b64_json: 'iVBORw0KGgo=' }] }));
  await made;
  const next = new ImageStore(box(kept), () => undefined);
  await vi.waitFor(() =>
    expect(next.runs()).toMatchObject([
      {
        order,
        status: 'complete',
        quota: 20_000,
        images: ['data:image/png;base64,iVBORw0KGgo='],
      },
    ]),
  );
  next.remove(next.runs()[0]?.id ?? '');
  expect([next.runs().length, kept.size]).toEqual([0, 0]);
});

test('an order whose page was left goes on, and the next page finds its images', async () => {
  const { sent, kept: tasks } = server();
  const kept = new Map<string, ImageRun>();
  void new ImageStore(box(kept), () => undefined).generate(order);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  tasks.push({
    action: 'IMAGE',
    quota: 20_000,
    properties: { key: sent[0]?.key },
    data: { images: [{ url: '/pg/images/generations/task_a/1?exp=1&sig=a' }] },
  });
  const next = new ImageStore(box(kept), () => undefined);
  const found = {
    status: 'complete',
    quota: 20_000,
    images: ['/pg/images/generations/task_a/1?exp=1&sig=a'],
  };
  await vi.waitFor(() => expect(next.runs()).toMatchObject([found]));
  expect([...kept.values()]).toMatchObject([found]);

  // The link ends after an hour; the next visit has a new one.
  const images = ['/pg/images/generations/task_a/1?exp=2&sig=b'];
  Object.assign(tasks[0] ?? {}, { data: { images: images.map((url) => ({ url })) } });
  const later = new ImageStore(box(kept), () => undefined);
  await vi.waitFor(() => expect(later.runs()).toMatchObject([{ ...found, images }]));
});

test('an order is stopped by its own call, on this page and on the next', async () => {
  const { sent, stopped } = server();
  const kept = new Map<string, ImageRun>();
  const store = new ImageStore(box(kept), () => undefined);
  void store.generate(order);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  const id = store.runs()[0]?.id ?? '';
  const next = new ImageStore(box(kept), () => undefined);
  await vi.waitFor(() => expect(next.runs()[0]?.status).toBe('loading'));
  next.stop(id);
  expect([next.runs()[0]?.status, stopped]).toEqual(['stopped', [`/pg/images/generations/${id}`]]);
  store.stop(id);
  await vi.waitFor(() => expect(store.runs()[0]?.status).toBe('stopped'));
  expect(stopped).toHaveLength(2);
});

test('an image that is edited is sent with its order, as a form', async () => {
  const { sent } = server();
  const store = new ImageStore(box(), () => undefined);
  void store.generate({ ...order, source: new Blob(['png'], { type: 'image/png' }) });
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  const { path, body } = sent[0] ?? {};
  if (!(body instanceof FormData)) throw new Error('no form');
  expect([path, body.get('prompt'), body.get('n'), body.get('group')]).toEqual([
    '/pg/images/edits',
    'a gate',
    '1',
    'default',
  ]);
  expect(body.get('image')).toBeInstanceOf(Blob);
});

test('an order whose page was left says so and learns its cost', async () => {
  const { sent, charged } = server();
  const kept = new Map<string, ImageRun>();
  void new ImageStore(box(kept), () => undefined).generate(order);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  charged.push({ playground_key: sent[0]?.key ?? '', quota: 20_000 });
  const onCharged = vi.fn();
  const next = new ImageStore(box(kept), onCharged);
  await vi.waitFor(() => expect(onCharged).toHaveBeenCalled());
  expect(next.runs()).toMatchObject([{ status: 'left', quota: 20_000 }]);
  expect([...kept.values()]).toMatchObject([{ status: 'left', quota: 20_000 }]);
});

test('the oldest of more than thirty orders go', async () => {
  const { sent } = server();
  const kept = new Map<string, ImageRun>();
  const store = new ImageStore(box(kept), () => undefined);
  for (let n = 0; n < 33; n += 1) void store.generate({ ...order, prompt: String(n) });
  await vi.waitFor(() => expect(sent).toHaveLength(33));
  expect([store.runs().length, kept.size]).toEqual([30, 30]);
  expect(store.runs().at(-1)?.order.prompt).toBe('3');
});

const priced = (fields: Partial<CatalogModel>) =>
  ({
    model: 'dall-e-3',
    quota_type: 1,
    model_price: 0.04,
    model_ratio: 0,
    completion_ratio: 1,
    unpriced: false,
    ...fields,
  }) as CatalogModel;

test.each([
  ['a price per image', {}, {}, { quota: 20_000, kind: 'each' }],
  ['size and quality', {}, { size: '1792x1024', quality: 'hd' }, { quota: 60_000, kind: 'each' }],
  ['several', {}, { count: 3 }, { quota: 60_000, kind: 'each' }],
  ['a ratio', { quota_type: 0, model_ratio: 16 }, {}, { quota: 20_000, kind: 'about' }],
  [
    'tokens',
    { model: 'gpt-image-1', quota_type: 0, model_ratio: 2.5, completion_ratio: 8 },
    { quality: 'low' },
    { quota: 5445, kind: 'about' },
  ],
  [
    'tokens where the model chooses',
    { model: 'gpt-image-1', quota_type: 0, model_ratio: 2.5, completion_ratio: 8 },
    { quality: 'auto' },
    { quota: 83_205, kind: 'most' },
  ],
  [
    'tokens of an edit, which the image adds to',
    { model: 'gpt-image-1', quota_type: 0, model_ratio: 2.5, completion_ratio: 8 },
    { quality: 'low', source: new Blob() },
    { quota: 5445, kind: 'edit' },
  ],
  ['no price', { unpriced: true }, {}, undefined],
] as const)('the cost before the order: %s', (_, price, wanted, expected) => {
  expect(imageCost(priced(price), 1, { ...order, ...wanted }, 500_000)).toEqual(expected);
});
