import { expect, it } from 'vitest';
import { ContentQuota } from '../../../../src/core/relay/stored-responses/content-quota.ts';

it('what comes together is counted together, whatever was known before', async () => {
  const reads: ((bytes: number) => void)[] = [];
  const sizeOf = () => new Promise<number>((resolve) => reads.push(resolve));
  const quota = new ContentQuota({ sizeOf }, () => 100);
  const together = Promise.all([quota.take(1, 60), quota.take(1, 60), quota.take(1, 30)]);
  for (const read of reads) read(0);
  expect(await together).toEqual([true, false, true]);
  expect(await quota.take(1, 20)).toBe(false);
  expect(reads).toHaveLength(1);
});

it('a size that could not be read is read again', async () => {
  let reads = 0;
  const sizeOf = () => (++reads === 1 ? Promise.reject(new Error('down')) : Promise.resolve(0));
  const quota = new ContentQuota({ sizeOf }, () => 100);
  await expect(quota.take(1, 60)).rejects.toThrow('down');
  expect(await quota.take(1, 60)).toBe(true);
});
