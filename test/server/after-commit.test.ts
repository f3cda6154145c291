/**
 * Nothing that follows a commit turns a success into an error (docs/rules/process.md#followers).
 */
import { describe, expect, test, vi } from 'vitest';
import { createMemoryCluster } from '../../src/core/cluster/memory-cluster.ts';
import type { Endpoint } from '../../src/core/contract/endpoint.ts';
import { api } from '../../src/core/contract/index.ts';
import { AppError } from '../../src/core/kernel/errors.ts';
import type { Storage } from '../../src/core/storage/storage.ts';
import { codeOf, createTestApp, type OpenApp, type TestClock } from '../support/app.ts';
import { type CommitSite, commitCalls, withoutFollowers } from './commit-calls.ts';

const away = () =>
  Promise.reject(new AppError('database_unavailable', { reason: 'it went away after the commit' }));

/** What fails, once it is switched on. */
interface Faults {
  announce: boolean;
  /** From the first commit on every call of the database fails. */
  afterCommit: boolean;
  audit: boolean;
}

async function siteWith(name: string): Promise<{ site: CommitSite; faults: Faults }> {
  const faults: Faults = { announce: false, afterCommit: false, audit: false };
  const clusterOf = (clock: TestClock) => {
    const cluster = createMemoryCluster(clock);
    const announce: typeof cluster.changes.announce = (...change) =>
      faults.announce
        ? Promise.reject(new Error('no network'))
        : cluster.changes.announce(...change);
    return { ...cluster, changes: { ...cluster.changes, announce } };
  };
  const isSetUp = name !== 'system.setup';
  const created = await createTestApp({}, isSetUp, clusterOf);
  if (isSetUp) await created.addUser('ann');
  breakStorage(created.app, faults);
  return { site: { ...created, ann: isSetUp ? await created.as(2) : created.operator }, faults };
}

function breakStorage({ storage, ledger }: OpenApp, faults: Faults): void {
  let isCommitted = false;
  const failing = (work: () => Promise<unknown>) =>
    faults.afterCommit && isCommitted ? away() : work();
  const committed = <T>(result: T): T => {
    if (faults.afterCommit) isCommitted = true;
    return result;
  };
  for (const repository of Object.values(storage)) {
    if (typeof repository !== 'object' || repository === null) continue;
    const methods = repository as Record<string, unknown>;
    for (const [name, method] of Object.entries(methods)) {
      if (typeof method !== 'function' || name === 'hash' || name === 'hashKey') continue;
      methods[name] = (...given: unknown[]) =>
        failing(() => (method as (...of: unknown[]) => Promise<unknown>).apply(methods, given));
    }
  }
  const { transaction } = storage;
  const refuse = { insert: () => Promise.reject(new Error('no audit log')) };
  const isAudit = (inside: Storage) =>
    new Proxy(inside, {
      get: (target, key) => (key === 'auditLogs' ? refuse : Reflect.get(target, key)),
    });
  storage.transaction = (work) =>
    failing(async () =>
      committed(await transaction((inside) => work(faults.audit ? isAudit(inside) : inside))),
    ) as never;
  const { post } = ledger;
  ledger.post = async (posting) => committed(await post(posting));
}

const calls = Object.entries(api).flatMap(([group, members]) =>
  Object.entries(members as Record<string, Endpoint>).map(
    ([name, call]) => [`${group}.${name}`, call] as const,
  ),
);
const names = Object.keys(commitCalls);

test('every call that changes something is made here, or listed with the reason why not', () => {
  const changing = calls
    .filter(([, { method, changes }]) => method !== 'GET' || changes === true)
    .map(([name]) => name);
  expect([...names, ...Object.keys(withoutFollowers)].sort()).toEqual([...changing].sort());
});

describe.each(names)('%s', (name) => {
  test('succeeds although its announcement fails, and so does the database from its commit on', async () => {
    const { site, faults } = await siteWith(name);
    const call = await commitCalls[name]?.(site);
    faults.announce = true;
    faults.afterCommit = true;
    expect(await codeOf(Promise.resolve(call?.()))).toBe('it did not fail');
  });

  test('is undone where its audit entry cannot be written', async () => {
    const audits = async ({ app }: CommitSite) =>
      (await app.storage.auditLogs.page({}, { offset: 0, limit: 1 })).total;
    const intact = await siteWith(name);
    const call = await commitCalls[name]?.(intact.site);
    const before = await audits(intact.site);
    const isInTransaction = vi.spyOn(intact.site.app.storage.auditLogs, 'insert');
    await call?.();
    if ((await audits(intact.site)) === before || isInTransaction.mock.calls.length > 0) return;
    const { site, faults } = await siteWith(name);
    const failing = await commitCalls[name]?.(site);
    const { horizon } = await site.app.storage.rowChanges.since(undefined);
    faults.audit = true;
    expect(await codeOf(Promise.resolve(failing?.()))).not.toBe('it did not fail');
    expect((await site.app.storage.rowChanges.since(horizon)).rows).toEqual([]);
  });
});
