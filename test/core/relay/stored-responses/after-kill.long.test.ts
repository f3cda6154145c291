/**
 * A response that was answered and charged can be continued after kill -9
 * (docs/rules/responses.md#stored).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  postgresIsInstalled,
  startPostgres,
  type TestPostgres,
} from '../../../support/postgres.ts';
import { messageItem, responsesReply } from '../../../support/responses-upstream.ts';
import { operatorOf, type SpawnedGateway, spawnGateway } from '../../../support/spawned-gateway.ts';
import { startUpstream, type TestUpstream } from '../../../support/upstream.ts';

let upstream: TestUpstream;
let postgres: TestPostgres | undefined;
beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(async () => {
  await upstream.close();
  await postgres?.stop();
});

async function setUp(gateway: SpawnedGateway): Promise<string> {
  const operator = operatorOf(gateway);
  const password = 'a long password';
  const root = {
    username: 'root',
    password,
    confirmPassword: password,
    setup_token: 'TESTAB',
    SiteLanguage: 'zh',
  } as const;
  await operator.system.setup(root);
  await operator.channel.create({
    name: 'up',
    type: 1,
    key: 'k',
    base_url: upstream.url,
    models: 'gpt-4o',
  });
  const { key } = await operator.userTokens.create({
    name: 'test',
    unlimited_quota: true,
    user: 'root',
  });
  return `sk-${key}`;
}

/** The id and the answer of a response, read to its end. */
async function respond(
  gateway: SpawnedGateway,
  key: string,
  body: object,
): Promise<{ status: number; text: string; id: string }> {
  const reply = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', ...body }),
  });
  const text = await reply.text();
  return { status: reply.status, text, id: /"id":"(resp_\w+)"/.exec(text)?.[1] ?? '' };
}

/** Each reply is read to its end, and the process killed in the same moment. */
async function continueAfterKills(environment: Record<string, string>): Promise<void> {
  let gateway = await spawnGateway(environment);
  const { dataDir } = gateway;
  try {
    const key = await setUp(gateway);
    let previous: string | undefined;
    for (const [turn, stream] of [false, true].entries()) {
      const changes = { id: `resp_up${turn}`, store: false };
      upstream.answer(responsesReply([messageItem(`answer ${turn}`, `msg_${turn}`)], { changes }));
      const before = previous === undefined ? {} : { previous_response_id: previous };
      const reply = await respond(gateway, key, { input: `question ${turn}`, stream, ...before });
      await gateway.kill();
      expect(reply.status, reply.text).toBe(200);
      previous = reply.id;
      gateway = await spawnGateway(environment, dataDir);
    }
    upstream.answer(responsesReply());
    const last = await respond(gateway, key, { input: 'last', previous_response_id: previous });
    expect(last.status, last.text).toBe(200);
    const sent = JSON.stringify(upstream.requests.at(-1)?.json['input']);
    for (const turn of [0, 1]) {
      expect(sent).toContain(`question ${turn}`);
      expect(sent).toContain(`answer ${turn}`);
    }
    const { items } = await operatorOf(gateway).ledger.list({ p: 1, page_size: 20 });
    expect(items.filter(({ kind }) => kind === 'charge')).toHaveLength(3);
  } finally {
    await gateway.close();
  }
}

test('SQLite: a response can be continued after kill -9 at the end of its reply, whole and streamed', async () => {
  await continueAfterKills({});
}, 300_000);

test.skipIf(!postgresIsInstalled())(
  'PostgreSQL: the same',
  async () => {
    postgres = await startPostgres();
    await continueAfterKills({ SQL_DSN: await postgres.createDatabase() });
  },
  300_000,
);
