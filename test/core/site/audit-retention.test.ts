import { expect, test } from 'vitest';
import { createTestApp } from '../../support/app.ts';

const day = 86_400_000;

test('AuditLogDays: entries older than that are deleted', async () => {
  const { app, clock, root } = await createTestApp();
  const count = async () =>
    (await app.storage.auditLogs.page({}, { offset: 0, limit: 10 })).items.length;
  await app.site.options.set(root, 'RetryTimes', '3');
  clock.move(400 * day);
  expect(await count()).toBeGreaterThan(0);
  await app.site.options.set(root, 'AuditLogDays', '30');
  await app.audit.prune(app.site.options.get('AuditLogDays'));
  expect(await count()).toBe(1);
});
