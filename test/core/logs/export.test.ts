import { describe, expect, test, vi } from 'vitest';
import type { FileOutput } from '../../../src/core/contract/endpoint.ts';
import { csvLine } from '../../../src/core/kernel/csv.ts';
import { codeOf, createTestApp } from '../../support/app.ts';

const noon = Date.UTC(2026, 10, 20, 12) / 1000;

async function setUp() {
  const test = await createTestApp();
  const id = await test.addUser('ann');
  await test.operator.channel.create({ name: 'lane', type: 1, key: 'k', models: 'm' });
  const add = (fields: object) =>
    test.app.storage.logs.insert({
      userId: id,
      username: 'ann',
      createdAt: noon,
      type: 2,
      content: '',
      ...fields,
    });
  return { ...test, id, add, me: await test.as(id) };
}

async function textOf(file: Promise<FileOutput>): Promise<string> {
  let text = '';
  for await (const chunk of (await file).chunks) text += chunk;
  return text;
}

describe('CSV', () => {
  test('cells that a spreadsheet would compute become text; numbers stay numbers', () => {
    const cells = ['=1+1', '+1', '-2', '@SUM(A1)', '\t=1', ' =1', '＝1', 'a=1', -5];
    expect(csvLine(cells)).toBe("'=1+1,'+1,'-2,'@SUM(A1),'\t=1,' =1,'＝1,a=1,-5\r\n");
  });
  test('quotes, commas and line breaks stay in their cell', () => {
    expect(csvLine(['a,b', 'say "x"', 'two\r\nlines', null, true])).toBe(
      '"a,b","say ""x""","two\nlines",,true\r\n',
    );
  });
});

describe('export of usage logs', () => {
  test('CSV for administrators: all rows of the filter, newest first, channels included', async () => {
    const { operator, add } = await setUp();
    await add({ modelName: 'a', channelId: 1, tokenName: '=cmd()', quota: 7, createdAt: noon - 5 });
    await add({ modelName: 'b', channelId: 1, content: 'x,y' });
    await add({ modelName: 'c', type: 5 });
    const file = await operator.log.export({ format: 'csv', type: 2, bom: true });
    expect(file).toMatchObject({
      name: 'usage-logs.csv',
      type: 'text/csv; charset=utf-8',
      total: 2,
    });
    const lines = (await textOf(Promise.resolve(file))).split('\r\n');
    expect(lines[0]).toMatch(
      /^\uFEFFid,time,type,user_id,username,token_name,model,group,channel_id,channel_name,/,
    );
    expect(lines[1]).toContain('2026-11-20T12:00:00.000Z,usage,2,ann,,b,,1,lane,');
    expect(lines[1]).toContain('"x,y"');
    expect(lines[2]).toContain(",'=cmd(),a,");
    expect(lines.slice(3)).toEqual(['']);
  });

  test('CSV has the figures that lists show: input with caches, exact seconds', async () => {
    const { operator, add } = await setUp();
    const other = { claude: true, cache_tokens: 900, cache_creation_tokens: 50, use_ms: 842 };
    await add({ modelName: 'm', promptTokens: 10, useTime: 1, other: JSON.stringify(other) });
    const csv = await textOf(operator.log.export({ format: 'csv' }));
    const [head = '', row = ''] = csv.split('\r\n');
    const at = head.split(',').indexOf('seconds');
    expect(row.split(',')[at]).toBe('0.842');
    expect(row.split(',').slice(-3)).toEqual(['960', '900', '']);
  });

  test('customers get their own rows without channel, upstream and address, whatever they ask for', async () => {
    const { me, add } = await setUp();
    await add({
      channelId: 1,
      modelName: 'm',
      other: '{"group_ratio":1,"admin_info":{"use_channel":[1],"ip":"203.0.113.9"}}',
    });
    await add({ userId: 1, username: 'root', modelName: 'secret' });
    const csv = await textOf(
      me.log.export({ format: 'csv', type: 2, username: 'root', channel: 1, scope: 'site' }),
    );
    expect(csv.split('\r\n')[0]).toBe(
      'time,type,token_name,model,group,prompt_tokens,completion_tokens,quota,seconds,stream,request_id,content,other,input_tokens,cached_tokens,tags',
    );
    expect(csv).not.toMatch(/secret|lane|203\.0\.113\.9|admin_info/);
    const jsonl = await textOf(me.log.export({ format: 'jsonl', type: 2 }));
    const rows = jsonl
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(rows).toMatchObject([
      { id: 1, channel: 0, channel_name: '', other: '{"group_ratio":1}' },
    ]);
  });

  test('administrators may export only their own rows', async () => {
    const { operator, add } = await setUp();
    await add({ modelName: 'other' });
    expect(await textOf(operator.log.export({ format: 'jsonl', type: 2, scope: 'self' }))).toBe('');
  });

  test('is read piece by piece, complete and without repetition', async () => {
    const { operator, app, id } = await setUp();
    await app.storage.logs.insertMany(
      Array.from({ length: 2500 }, (_, index) => ({
        userId: id,
        createdAt: noon - (index % 7),
        type: 2,
        content: '',
        modelName: `m${index}`,
      })),
    );
    const { chunks, total } = await operator.log.export({ format: 'jsonl', type: 2 });
    const sizes: number[] = [];
    const seen = new Set<string>();
    for await (const chunk of chunks) {
      const rows = chunk.trim().split('\n');
      sizes.push(rows.length);
      for (const row of rows) seen.add((JSON.parse(row) as { model_name: string }).model_name);
    }
    expect(sizes).toEqual([1000, 1000, 500]);
    expect(seen.size).toBe(2500);
    expect(total).toBe(2500);
  });

  test('an unknown format is refused', async () => {
    const { operator } = await setUp();
    expect(await codeOf(operator.log.export({ format: 'xml' as 'csv' }))).toBe('invalid_parameter');
  });
});

describe('deletion in the background', () => {
  test('reports its progress and leaves an audit entry', async () => {
    const { operator, app, id } = await setUp();
    await app.storage.logs.insertMany(
      Array.from({ length: 2100 }, () => ({ userId: id, createdAt: 10, type: 2, content: '' })),
    );
    await app.storage.logs.insert({ userId: id, createdAt: noon, type: 2, content: '' });
    expect((await operator.log.pruneStatus()).state).toBe('idle');
    expect(await operator.log.startPrune({ target_timestamp: 11 })).toMatchObject({
      state: 'running',
      total: 2100,
      before: 11,
    });
    expect(await codeOf(operator.log.startPrune({ target_timestamp: 11 }))).toBe(
      'log_prune_running',
    );
    await app.logs.pruning.finished();
    expect(await operator.log.pruneStatus()).toMatchObject({ state: 'done', deleted: 2100 });
    expect((await operator.log.list({ type: 2 })).total).toBe(1);
    expect((await operator.log.list({ type: 3 })).total).toBe(1);
    expect((await operator.audit.list({ action: 'log.prune' })).items).toMatchObject([
      { target: '11', detail: '{"count":2100}' },
    ]);
  });

  test('can be stopped: the rest stays', async () => {
    const { operator, app, id } = await setUp();
    await app.storage.logs.insertMany(
      Array.from({ length: 3000 }, () => ({ userId: id, createdAt: 10, type: 2, content: '' })),
    );
    await operator.log.startPrune({ target_timestamp: 11 });
    await operator.log.stopPrune();
    const deleted = await app.logs.pruning.finished();
    expect(await operator.log.pruneStatus()).toMatchObject({ state: 'stopped', deleted });
    expect((await operator.log.list({ type: 2 })).total).toBe(3000 - deleted);
    expect(deleted).toBeLessThan(3000);
  });

  test('that breaks off leaves an audit entry of what was deleted, and can begin anew', async () => {
    const { operator, app, id } = await setUp();
    await app.storage.logs.insertMany(
      Array.from({ length: 700 }, () => ({ userId: id, createdAt: 10, type: 2, content: '' })),
    );
    const { deletePiece } = app.storage.logs;
    vi.spyOn(app.storage.logs, 'deletePiece')
      .mockImplementationOnce(deletePiece)
      .mockRejectedValueOnce(new Error('the disk is gone'));
    await operator.log.startPrune({ target_timestamp: 11 });
    await expect(app.logs.pruning.finished()).rejects.toThrow('the disk is gone');
    expect(await operator.log.pruneStatus()).toMatchObject({ state: 'failed', deleted: 500 });
    expect(await operator.log.prune({ target_timestamp: 11 })).toBe(200);
    expect((await operator.audit.list({ action: 'log.prune' })).items).toMatchObject([
      { detail: '{"count":200}' },
      { detail: '{"count":500}' },
    ]);
  });

  test('is for administrators, and the audit entry names who did it', async () => {
    const { me, operator, app, id, addUser, as } = await setUp();
    expect(await codeOf(me.log.prune({ target_timestamp: 11 }))).toBe('forbidden');
    expect(await codeOf(me.log.startPrune({ target_timestamp: 11 }))).toBe('forbidden');
    expect(await codeOf(me.log.pruneStatus())).toBe('forbidden');
    expect(await codeOf(me.log.stopPrune())).toBe('forbidden');
    await app.storage.logs.insert({ userId: id, createdAt: 10, type: 2, content: '' });
    const boss = await addUser('boss', { role: 10 });
    const admin = await as(boss);
    expect(await admin.log.prune({ target_timestamp: 11 })).toBe(1);
    expect((await admin.log.pruneStatus()).state).toBe('done');
    const { items } = await operator.audit.list({ action: 'log.prune' });
    expect(items).toMatchObject([{ actor_id: boss, target: '11', detail: '{"count":1}' }]);
  });
});
