/** `turnpike nodes`, `nodes drain`, `nodes resume` (docs/rules/process.md#drain). */
import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/cli/command/command.ts';
import { waitUntilEmpty } from '../../../src/cli/commands/nodes-wait.ts';
import { Output } from '../../../src/cli/show/output.ts';
import { CallError } from '../../../src/core/contract/envelope.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp, createTestClock } from '../../support/app.ts';
import { runCli } from '../run-cli.ts';

const address = 'http://127.0.0.1:3000';

test('drains and resumes the gateway that is named by address, machine or id', async () => {
  const { app } = await createTestApp();
  await app.nodes.begin(address);
  const [own] = await app.nodes.list();
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: string) => runCli([...line.split(' '), '--lang', 'en'], { transport });
  expect((await turnpike('nodes')).stdout).toMatch(/127\.0\.0\.1:3000 .* serving/);
  const drained = await turnpike(`nodes drain ${own?.host}`);
  expect(drained.stderr).toContain('No other gateway takes requests at present');
  expect(drained.stderr).toContain(`${address} takes nothing new`);
  expect((await turnpike('nodes')).stdout).toMatch(/draining/);
  expect((await turnpike(`nodes drain ${address} --stop --json`)).json()).toMatchObject([
    { address, state: 'draining', stopping: true },
  ]);
  expect((await turnpike('nodes')).stdout).toMatch(/stopping/);
  const resumed = await turnpike(`nodes resume ${own?.id.slice(0, 8)}`);
  expect(resumed.stderr).toContain(`${address} takes requests again`);
  const unknown = await turnpike('nodes drain web-9');
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('No gateway that runs is named web-9; turnpike nodes lists them'),
  ]);
  expect((await turnpike('nodes drain')).exitCode).toBe(2);
});

const node = (fields: object = {}) => ({
  id: 'aaaa1111',
  host: 'web-1',
  address,
  data_dir: '/data #1',
  version: '1',
  started_at: 1,
  seen_at: 2,
  this: false,
  shared: true,
  state: 'serving',
  stopping: false,
  under_way: 0,
  ...fields,
});

test('a machine with several gateways is not guessed at; its workers are one', async () => {
  const sent: unknown[] = [];
  const workers = [node(), node({ id: 'bbbb2222', data_dir: '/data #2' })];
  const apart = node({ id: 'cccc3333', address: 'http://127.0.0.1:4000', data_dir: '/other' });
  let items: readonly object[] = [...workers, apart];
  const transport = async ({ path }: { path: string }, input: unknown) => {
    if (path.endsWith('/drain')) sent.push(input);
    return { status: 200, body: { success: true, message: '', data: items }, total: undefined };
  };
  const drain = () => runCli(['nodes', 'drain', 'web-1', '--lang', 'en'], { transport });
  const refused = await drain();
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/web-1 names several gateways; use the id of one: aaaa1111 .*cccc3333 /),
  ]);
  expect(sent).toEqual([]);
  items = workers;
  expect((await drain()).exitCode).toBe(0);
  expect(sent).toEqual([{ node: 'aaaa1111', stop: false }]);
});

describe('waiting', () => {
  const ids = new Set(['aaaa1111']);
  const gone = new CallError('away', 0, 'gateway_unreachable');

  /** What the list replies, one after another; the last reply stays. */
  function context(replies: readonly (readonly object[] | Error)[], stop?: AbortSignal) {
    const clock = createTestClock();
    let calls = 0;
    const { signal } = new AbortController();
    const sink = { write: () => true };
    return {
      call: (async () => {
        const reply = replies[Math.min(calls, replies.length - 1)] ?? [];
        calls += 1;
        if (reply instanceof Error) throw reply;
        return reply;
      }) as unknown as Context['call'],
      clock: { ...clock, sleep: async (ms: number) => clock.move(ms) },
      output: new Output({
        stdout: sink,
        stderr: sink,
        language: 'en',
        json: false,
        quiet: false,
        environment: {},
      }),
      stop: () => stop ?? signal,
    };
  }
  const draining = node({ state: 'draining', under_way: 2 });
  const empty = node({ state: 'empty' });

  test('ends when it is empty, or with stop when it is gone', async () => {
    const drain = { address, stops: false };
    expect(await waitUntilEmpty(context([[draining], [draining], [empty]]), ids, drain)).toEqual([
      empty,
    ]);
    const stop = { address, stops: true };
    expect(
      await waitUntilEmpty(context([[draining], [empty], [node({ id: 'x' })]]), ids, stop),
    ).toEqual([]);
  });

  test('the one that answers may be the one that ends; another one may not', async () => {
    const stop = { address, stops: true };
    const self = { ...draining, this: true };
    expect(await waitUntilEmpty(context([[self], gone]), ids, stop)).toEqual([]);
    await expect(waitUntilEmpty(context([[draining], gone]), ids, stop)).rejects.toBe(gone);
    await expect(
      waitUntilEmpty(context([[self], gone]), ids, { address, stops: false }),
    ).rejects.toBe(gone);
  });

  test('ends with an error when it is resumed, does not follow, or nobody wants to wait', async () => {
    const drain = { address, stops: false };
    await expect(waitUntilEmpty(context([[draining], [node()]]), ids, drain)).rejects.toThrow(
      'somebody has resumed it',
    );
    await expect(waitUntilEmpty(context([[node()]]), ids, drain)).rejects.toThrow(
      'has not followed within 30 s',
    );
    const stopped = AbortSignal.abort(new Error('Ctrl-C'));
    await expect(waitUntilEmpty(context([[draining]], stopped), ids, drain)).rejects.toThrow(
      'Ctrl-C',
    );
  });
});
