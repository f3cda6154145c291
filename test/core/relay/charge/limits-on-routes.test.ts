/**
 * Each kind of limit on every route that costs money (docs/rules/budgets.md#admission): what is
 * refused reaches no upstream and costs nothing.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { matchRoute } from '../../../../src/core/relay/entry/routes.ts';
import { callerFormats } from '../../../../src/core/relay/formats/index.ts';
import { taskRoutes } from '../../../../src/core/relay/tasks/index.ts';
import type { TestGateway } from '../../../support/gateway.ts';
import {
  paidModel as model,
  ofFormats,
  ofTasks,
  paidChat,
  startPaidGateway,
} from '../../../support/paid-routes.ts';
import { openSocket, refusedSocket } from '../../../support/socket-client.ts';
import type { TestUpstream } from '../../../support/upstream.ts';

const funds = 100_000_000;
let site: Awaited<ReturnType<typeof startPaidGateway>>;
let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  site = await startPaidGateway();
  ({ gateway, upstream } = site);
});
afterAll(() => site.close());
beforeEach(() => site.reset());

type Headers = Readonly<Record<string, string>>;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
/** Names the conversation. */
const talking = (key: string) => ({ ...bearer(key), 'session-id': 'talk' });

function post(path: string, headers: Headers, body: unknown = paidChat): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      'accept-language': 'en',
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isForm ? body : JSON.stringify(body),
  });
}

async function signIn(username: string, userId: number): Promise<Headers> {
  const account = { username, password: 'customer-password' };
  const reply = await post('/api/user/login', {}, account);
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { cookie, 'new-api-user': String(userId) };
}

/** Orders of the console's playgrounds. */
const drawing = { model: 'dall-e-3', prompt: 'a cat', group: 'default' };
const edit = new FormData();
for (const [name, value] of Object.entries(drawing)) edit.set(name, value);
edit.set('image', new Blob(['x'], { type: 'image/png' }));
const ofPlaygrounds: readonly (readonly [string, unknown])[] = [
  ['/pg/chat/completions', { ...paidChat, group: 'default' }],
  ['/pg/images/generations', drawing],
  ['/pg/images/edits', edit],
  ['/pg/videos/generations', { model, prompt: 'a film', group: 'default' }],
];

type Customer = Awaited<ReturnType<TestGateway['addCustomer']>>;
interface Limit {
  /** In the errors of OpenAI's API. */
  readonly code: string;
  /** Clients may repeat the request. */
  readonly passes?: true;
  readonly budgets: (customer: Customer) => readonly Record<string, unknown>[];
  /** What uses it up. */
  readonly before?: 'the same request' | 'a chat';
}
const empty = { amount: 0, name: 'pocket money' };
const limits: Readonly<Record<string, Limit>> = {
  'a budget of the token': {
    code: 'budget_exceeded',
    budgets: ({ tokenId }) => [{ ...empty, owner: 'token', owner_id: String(tokenId) }],
  },
  'a budget of the group for each user': {
    code: 'budget_exceeded',
    budgets: () => [{ ...empty, owner: 'group', owner_id: 'default', each: 'user' }],
  },
  'a budget of the model': {
    code: 'budget_exceeded',
    budgets: () =>
      [model, 'dall-e-3', 'suno_music', 'mj_imagine'].map((name) => ({
        ...empty,
        owner: 'model',
        owner_id: name,
      })),
  },
  'a budget about some models': {
    code: 'budget_exceeded',
    budgets: ({ userId }) => [
      {
        ...empty,
        owner: 'user',
        owner_id: String(userId),
        models: `${model},dall-e-3,suno_music,mj_imagine`,
      },
    ],
  },
  'closed days': {
    code: 'budget_closed',
    budgets: ({ userId }) => [
      {
        amount: funds,
        name: 'pocket money',
        owner: 'user',
        owner_id: String(userId),
        closed_days: '1,2,3,4,5,6,7',
      },
    ],
  },
  'a rate of the model': {
    code: 'rate_requests',
    passes: true,
    budgets: () =>
      [model, 'dall-e-3', 'suno_music', 'mj_imagine'].map((name) => ({
        name: 'pocket money',
        owner: 'model',
        owner_id: name,
        period: 'none',
        requests_per_minute: 1,
      })),
    before: 'the same request',
  },
  'a fence': {
    code: 'fence_requests',
    budgets: ({ userId }) => [
      {
        amount: funds,
        name: 'pocket money',
        owner: 'user',
        owner_id: String(userId),
        each: 'conversation',
        period: 'total',
        most_requests: 1,
      },
    ],
    before: 'a chat',
  },
};

/** A customer under a limit, which ends with `use`. */
async function under(
  { budgets }: Limit,
  use: (customer: Customer) => Promise<void>,
): Promise<void> {
  const customer = await gateway.addCustomer(funds);
  const { create, remove } = gateway.client.budgets;
  const made: number[] = [];
  try {
    for (const budget of budgets(customer)) made.push((await create(budget as never)).id);
    await use(customer);
  } finally {
    for (const id of made) await remove({ id });
  }
}

const sockets = (path: string) => `${gateway.url.replace('http', 'ws')}${path}`;
const quotaOf = async (userId: number) => (await gateway.client.user.get({ id: userId })).quota;

const ofConversations = Object.values(ofFormats).map(([path, body]) => [path, body] as const);
const routes = [...ofConversations, ...ofTasks, ...ofPlaygrounds];

describe.each(Object.entries(limits))('%s', (_, limit) => {
  const { code, passes = false, before } = limit;
  const isFence = code.startsWith('fence');

  it.each(isFence ? ofConversations : routes)('refuses %s', (path, body) =>
    under(limit, async ({ key, userId, username }) => {
      if (before === 'a chat')
        expect((await post('/v1/chat/completions', talking(key))).status).toBe(200);
      const isConsole = path.startsWith('/pg/');
      // Playgrounds have no token, so its budget is not about them.
      if (isConsole && limit === limits['a budget of the token']) return;
      const headers = isConsole ? await signIn(username, userId) : talking(key);
      if (before === 'the same request') await (await post(path, headers, body)).text();
      const quota = await quotaOf(userId);
      upstream.requests.length = 0;
      const reply = await post(path, headers, body);
      const text = await reply.text();
      expect({ status: reply.status, text }).toEqual({
        status: 429,
        text: expect.stringContaining('pocket money'),
      });
      if (text.includes('new_api_error')) expect(text).toContain(code);
      expect(reply.headers.get('x-should-retry')).toBe(passes ? null : 'false');
      expect(Number(reply.headers.get('retry-after')) > 0).toBe(
        !isFence && code !== 'budget_closed',
      );
      expect(upstream.requests).toEqual([]);
      expect(await quotaOf(userId)).toBe(quota);
    }),
  );

  it('refuses a frame of a Responses socket, and a realtime session', () =>
    under(limit, async ({ key }) => {
      if (before !== undefined)
        expect((await post('/v1/chat/completions', talking(key))).status).toBe(200);
      upstream.requests.length = 0;
      const socket = await openSocket(sockets('/v1/responses'), { headers: talking(key) });
      socket.send({ type: 'response.create', model, input: 'hello' });
      expect(await socket.next()).toMatchObject({ type: 'error', error: { code } });
      socket.socket.close();
      await socket.closed;
      if (!isFence) {
        const address = sockets(`/v1/realtime?model=${model}`);
        const refused = await refusedSocket(address, { headers: talking(key) });
        expect(refused).toMatchObject({ status: 429, body: { error: { code } } });
      }
      expect(upstream.requests).toEqual([]);
    }));
});

describe('a rate of a tag', () => {
  it.each([
    ['/v1/messages/count_tokens', paidChat],
    ['/v1/responses/input_tokens', { model, input: 'hello' }],
    [`/v1beta/models/${model}:countTokens`, ofFormats['gemini-generate']?.[1]],
  ])('is about counts of tokens, too: %s', async (path, body) => {
    const rate = {
      code: 'rate_requests',
      budgets: ({ userId }: Customer) => [
        {
          name: 'pocket money',
          owner: 'user',
          owner_id: String(userId),
          period: 'none',
          requests_per_minute: 1,
          tag: 'team:blue',
        },
      ],
    };
    await under(rate, async ({ key }) => {
      const count = async (tags: string) =>
        (await post(path, { ...bearer(key), 'x-turnpike-tags': tags }, body)).status;
      expect([await count('team:blue'), await count('team:blue'), await count('team:red')]).toEqual(
        [200, 429, 200],
      );
    });
  });
});

describe('the routes here', () => {
  it('are those of all formats, task platforms and playgrounds', () => {
    const formats = Object.keys(callerFormats).filter((name) => name !== 'openai-realtime');
    expect(Object.keys(ofFormats).sort()).toEqual(formats.sort());
    for (const { calls } of taskRoutes)
      for (const login of [undefined, 'console'] as const) {
        const submits = calls.filter((call) => call.kind === 'submit' && call.login === login);
        const tried = login === undefined ? ofTasks : ofPlaygrounds;
        if (submits.length > 0)
          expect(submits.some(({ pattern }) => tried.some(([path]) => pattern.test(path)))).toBe(
            true,
          );
      }
    const paths = Object.values(callerFormats).flatMap(
      ({ routes: { paths: fixed = [] } }) => fixed,
    );
    for (const path of paths.map((name) => name.replace('/v1/', '/pg/')))
      if (matchRoute('POST', path)?.login === 'console')
        expect(ofPlaygrounds.map(([tried]) => tried)).toContain(path);
  });
});
