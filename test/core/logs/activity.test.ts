/** Charges by day, token and model as a file (docs/rules/usage-logs.md#activity). */
import { describe, expect, test } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { codeOf, createTestApp } from '../../support/app.ts';

const hour = 3600;
const day = 24 * hour;
/** 2026-11-20 12:00 in UTC, 20:00 in Shanghai. */
const noon = Date.UTC(2026, 10, 20, 12) / 1000;

async function setUp() {
  const made = await createTestApp();
  const [ann, bob] = [await made.addUser('ann'), await made.addUser('bob')];
  const charge = (userId: number, createdAt: number, fields: object = {}) =>
    made.app.storage.logs.insert({
      userId,
      username: userId === ann ? 'ann' : 'bob',
      createdAt,
      type: 2,
      content: '',
      tokenId: 1,
      tokenName: 'laptop',
      modelName: 'm',
      quota: toQuota(500_001),
      promptTokens: 10,
      completionTokens: 3,
      ...fields,
    });
  await charge(ann, noon);
  await charge(ann, noon - hour);
  await charge(ann, noon, { tokenId: 2, tokenName: '=cmd()', quota: toQuota(1) });
  await charge(ann, noon, { tokenId: 0, tokenName: '', modelName: 'n,1', quota: toQuota(2) });
  // In Shanghai it is the next day.
  await charge(ann, noon + 5 * hour, { modelName: 'late' });
  await charge(bob, noon - 400 * day, { modelName: 'old' });
  // Neither failures nor top-ups are charges.
  await charge(ann, noon, { type: 5 });
  await charge(ann, noon, { type: 1, quota: toQuota(9) });
  return { ...made, ann, me: await made.as(ann) };
}

type Client = Awaited<ReturnType<typeof setUp>>['me'];
type Input = Parameters<Client['data']['exportActivity']>[0];
async function linesOf(client: Client, input: Input): Promise<string[]> {
  const { chunks, name, type } = await client.data.exportActivity(input);
  expect([name, type]).toEqual(['activity.csv', 'text/csv; charset=utf-8']);
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text.split('\r\n').slice(0, -1);
}
const range = { start_timestamp: noon - 6 * hour, end_timestamp: noon + 6 * hour };
const figures = 'token_id,token,model,requests,prompt_tokens,completion_tokens,quota,amount';

describe('activity', () => {
  test('a line for each day, token and model, the dearest of a day first', async () => {
    const { me } = await setUp();
    expect(await linesOf(me, { ...range, bom: true })).toEqual([
      `\uFEFFdate,${figures}`,
      '2026-11-20,1,laptop,m,2,20,6,1000002,2.000004',
      '2026-11-20,1,laptop,late,1,10,3,500001,1.000002',
      '2026-11-20,0,,"n,1",1,10,3,2,0.000004',
      "2026-11-20,2,'=cmd(),m,1,10,3,1,0.000002",
    ]);
    const inShanghai = await linesOf(me, { ...range, zone: 'Asia/Shanghai' });
    expect(inShanghai.filter((line) => line.includes(',late,'))).toEqual([
      '2026-11-21,1,laptop,late,1,10,3,500001,1.000002',
    ]);
    expect(inShanghai).toHaveLength(5);
  });

  test('the first and the last day are cut where the range begins and ends', async () => {
    const { me } = await setUp();
    const lines = await linesOf(me, { start_timestamp: noon, end_timestamp: noon });
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 5).join(','))).toEqual([
      '2026-11-20,1,laptop,m,1',
      '2026-11-20,0,,"n,1"',
      "2026-11-20,2,'=cmd(),m,1",
    ]);
  });

  test('customers get their own, whatever they ask for; administrators all or one', async () => {
    const { me, operator } = await setUp();
    const years = { start_timestamp: noon - 500 * day, end_timestamp: noon + day };
    const own = await linesOf(me, { ...years, scope: 'site' });
    expect(own.join()).not.toContain('old');
    expect(await codeOf(me.data.exportActivity({ ...years, username: 'bob' }))).toBe('forbidden');
    const all = await linesOf(operator, years);
    expect(all.slice(0, 2)).toEqual([
      `date,user_id,username,${figures}`,
      '2025-10-16,3,bob,1,laptop,old,1,10,3,500001,1.000002',
    ]);
    expect(all).toHaveLength(6);
    expect(await linesOf(operator, { ...years, username: 'bob' })).toEqual(all.slice(0, 2));
    expect(await linesOf(operator, { ...years, username: 'nobody' })).toHaveLength(1);
    expect(await linesOf(operator, { ...years, scope: 'self' })).toEqual([`date,${figures}`]);
  });

  test('a range that is too long or turned round, and a zone that is none, are refused', async () => {
    const { me } = await setUp();
    const code = (input: Input) => codeOf(me.data.exportActivity(input));
    const long = { start_timestamp: noon - 3700 * day, end_timestamp: noon };
    expect(await code(long)).toBe('range_too_long');
    expect(await code({ start_timestamp: noon, end_timestamp: noon - 1 })).toBe(
      'invalid_parameter',
    );
    expect(await code({ ...range, zone: 'Mars/Base' })).toBe('invalid_parameter');
  });
});
