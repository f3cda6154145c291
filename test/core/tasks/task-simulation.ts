/**
 * Many tasks with everything that goes wrong: random failures, restarts in the middle, repeated
 * reports, polls side by side.
 */
import { expect } from 'vitest';
import type { Task } from '../../../src/core/storage/storage.ts';
import type { SongFate, SubmitScript, SunoUpstream } from '../../support/suno-upstream.ts';
import type { Customer, TaskBench } from '../../support/task-bench.ts';

export interface Simulation {
  readonly tasks: number;
  readonly restarts: number;
  readonly seed: number;
}

/** A small generator of random numbers, so that a failure can be repeated. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const scripts: readonly (readonly [SubmitScript, number])[] = [
  ['ok', 0.85],
  ['refuse', 0.03],
  ['busy', 0.03],
  ['broken', 0.03],
  ['html', 0.02],
  ['unreadable', 0.02],
  ['cut', 0.02],
];
const fates: readonly (readonly [SongFate, number])[] = [
  ['success', 0.55],
  ['failure', 0.35],
  ['vanish', 0.05],
  ['stuck', 0.05],
];

function draw<T>(choices: readonly (readonly [T, number])[], chance: number): T {
  let left = chance;
  for (const [value, share] of choices) {
    left -= share;
    if (left < 0) return value;
  }
  return (choices[0] as readonly [T, number])[0];
}

/** Submits sent side by side. */
const sideBySide = 25;
const hour = 3_600_000;

/** Runs until no task is unfinished, then compares every figure with what the rows say. */
export async function simulateTasks(
  bench: TaskBench,
  upstreams: readonly SunoUpstream[],
  plan: Simulation,
): Promise<void> {
  const random = randomOf(plan.seed);
  for (const upstream of upstreams) {
    upstream.onSubmit(() => draw(scripts, random()));
    upstream.onSong(() => ({ fate: draw(fates, random()), polls: 1 + Math.floor(random() * 3) }));
    await bench.addChannel(upstream.url, {
      key: 'key-one\nkey-two',
      setting: '{"multi_key_mode":"random"}',
    });
  }
  await bench.operator.option.set({ key: 'RetryTimes', value: 2 });
  await bench.operator.option.set({ key: 'AutomaticDisableChannelEnabled', value: false });
  const grant = 100_000_000_000;
  const customers: Customer[] = [];
  for (let n = 0; n < 8; n++)
    customers.push(
      await bench.addCustomer(
        grant,
        n % 2 === 0 ? {} : { unlimited_quota: false, remain_quota: grant },
      ),
    );

  const pollTwice = async (): Promise<void> => {
    for (const upstream of upstreams) {
      upstream.repeats = random() < 0.2 ? 2 : 1;
      upstream.pollStatus = random() < 0.1 ? 500 : 200;
    }
    await Promise.all([bench.poll(), bench.poll()]);
  };

  const restartEvery = Math.ceil(plan.tasks / (plan.restarts + 1));
  for (let sent = 0; sent < plan.tasks; ) {
    const group = Array.from({ length: Math.min(sideBySide, plan.tasks - sent) }, (_, n) => {
      const customer = customers[(sent + n) % customers.length];
      const action = random() < 0.5 ? 'music' : 'lyrics';
      return bench
        .call(customer, 'POST', `/suno/submit/${action}`, { prompt: `song ${sent + n}` })
        .catch(() => undefined);
    });
    sent += group.length;
    const restarts =
      Math.floor(sent / restartEvery) > Math.floor((sent - group.length) / restartEvery);
    if (restarts && sent < plan.tasks) await Promise.all([bench.restart(), ...group]);
    else await Promise.all(group);
    bench.clock.move(1000);
    if (sent % (sideBySide * 8) === 0) await pollTwice();
  }
  for (let round = 0; round < 100 && (await unfinished(bench)) > 0; round++) {
    bench.clock.move(hour);
    await pollTwice();
  }
  await checkBooks(bench, upstreams, customers, grant);
}

async function unfinished({ app }: TaskBench): Promise<number> {
  return (await app.storage.tasks.listUnfinished(1)).length;
}

async function allTasks({ app }: TaskBench): Promise<readonly Task[]> {
  const all: Task[] = [];
  for (let offset = 0; ; offset += 1000) {
    const { items } = await app.storage.tasks.page({}, { offset, limit: 1000 });
    all.push(...items);
    if (items.length < 1000) return all;
  }
}

const prices: Readonly<Record<string, number>> = { MUSIC: 50_000, LYRICS: 5000 };

async function checkBooks(
  bench: TaskBench,
  upstreams: readonly SunoUpstream[],
  customers: readonly Customer[],
  grant: number,
): Promise<void> {
  const { storage, ledger } = bench.app;
  const tasks = await allTasks(bench);
  const songs = new Map(upstreams.flatMap((upstream) => [...upstream.songs]));
  expect(tasks.filter(({ status }) => status !== 'SUCCESS' && status !== 'FAILURE')).toEqual([]);
  expect(tasks.filter(({ progress }) => progress !== '100%')).toEqual([]);
  for (const { status, quota, action, privateData } of tasks) {
    const song = songs.get(
      (JSON.parse(privateData) as { upstream_task_id?: string }).upstream_task_id ?? '',
    );
    expect(quota).toBe(status === 'SUCCESS' ? prices[action] : 0);
    // Who pays has a song, and what failed upstream was never sold.
    if (status === 'SUCCESS') expect(song?.fate).toBe('success');
    else expect(song?.fate).not.toBe(song === undefined ? 'nothing' : 'success');
  }
  let hourly = 0;
  for (const customer of customers) {
    const own = tasks.filter(({ userId }) => userId === customer.userId);
    const paid = own.reduce((sum, { quota }) => sum + quota, 0);
    const { quota, held } = await ledger.balance(customer.userId);
    expect([grant - quota, held]).toEqual([paid, 0]);
    const [user, token] = await Promise.all([
      storage.users.find(customer.userId),
      storage.tokens.find(customer.tokenId),
    ]);
    expect([user?.usedQuota, token?.usedQuota]).toEqual([paid, paid]);
    const sums = await storage.quotaData.list({
      userId: customer.userId,
      from: 0,
      to: 4_000_000_000,
    });
    hourly += sums.reduce((sum, row) => sum + row.quota, 0);
    const { items } = await storage.ledger.page(
      { userId: customer.userId },
      { offset: 0, limit: 100_000 },
    );
    const charges = items.filter(({ kind }) => kind === 'charge').length;
    const refunds = items.filter(({ kind }) => kind === 'refund').map(({ reference }) => reference);
    expect(new Set(refunds).size).toBe(refunds.length);
    expect(charges - refunds.length).toBe(own.filter(({ status }) => status === 'SUCCESS').length);
  }
  const total = tasks.reduce((sum, { quota }) => sum + quota, 0);
  expect(hourly).toBe(total);
  const channels = await Promise.all(
    [...new Set(tasks.map(({ channelId }) => channelId))].map((id) => storage.channels.find(id)),
  );
  expect(channels.reduce((sum, channel) => sum + (channel?.usedQuota ?? 0), 0)).toBe(total);
  expect(await ledger.verify()).toMatchObject({ ok: true, drifts: [], staleHolds: 0 });
  const counts = Map.groupBy(tasks, ({ status }) => status);
  expect(
    Math.min(counts.get('SUCCESS')?.length ?? 0, counts.get('FAILURE')?.length ?? 0),
  ).toBeGreaterThan(tasks.length / 5);
}
