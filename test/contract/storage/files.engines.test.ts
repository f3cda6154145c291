import { expect, test } from 'vitest';
import { emptyEntry } from '../../../src/core/catalog/model-square.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { ModelSquareEntry } from '../../../src/core/storage/storage.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';

forEachEngineInTurn('uploads and results', (engine) => {
  const user = (username: string) => ({
    username,
    passwordHash: new Secret('h'),
    role: 1,
    status: 1,
    group: 'default',
    createdAt: 1,
  });
  const model = (icon: string): ModelSquareEntry => ({
    ...emptyEntry,
    model: 'm',
    icon,
  });

  test('uploads of users who are gone, and those that are in use, are found', async () => {
    const { uploads, users, tasks, modelSquare } = await engine.open();
    const ann = await users.insert(user('ann'));
    const gone = await users.insert(user('gone'));
    const path = (name: string) => `2026/11/${name.repeat(32)}.png`;
    const add = (userId: number, name: string) =>
      uploads.insert({
        userId,
        path: path(name),
        mime: 'image/png',
        bytes: 5,
        width: 1,
        height: 1,
        sha256: '',
        createdAt: 1,
        expiresAt: 9,
      });
    await add(ann, 'a');
    const orphan = await add(gone, 'b');
    const removed = await add(77, 'c');
    await users.softDelete(gone, 5);
    expect((await uploads.listOrphans(0, 9)).map(({ id }) => id)).toEqual([orphan, removed]);
    expect((await uploads.listOrphans(orphan, 9)).map(({ id }) => id)).toEqual([removed]);
    await modelSquare.insert(model(`/uploads/${path('a')}`));
    const properties = JSON.stringify({
      input: { img_url: `https://gw.example/uploads/${path('b')}` },
    });
    const task = await tasks.insert({
      userId: ann,
      taskId: 't',
      platform: 'ali',
      createdAt: 1,
      status: 'QUEUED',
      properties,
    });
    const inUse = () => Promise.all(['a', 'b', 'c'].map((name) => uploads.isReferred(path(name))));
    expect(await inUse()).toEqual([true, true, false]);
    await tasks.update(task, 'QUEUED', { status: 'SUCCESS', progress: '100%' });
    expect(await inUse()).toEqual([true, false, false]);
    await uploads.setExpiry(orphan, 99);
    expect((await uploads.listExpired(10, 9)).length).toBe(2);
    expect(await uploads.sum()).toEqual({ files: 3, bytes: 15 });
    expect(
      (await uploads.page(undefined, { offset: 0, limit: 2 })).items.map(({ id }) => id),
    ).toEqual([removed, orphan]);
    expect((await uploads.page(ann, { offset: 0, limit: 2 })).total).toBe(1);
  });

  test('results of tasks wait, are stored and end', async () => {
    const { taskResults, tasks, users } = await engine.open();
    const ann = await users.insert(user('ann'));
    const done = {
      userId: ann,
      platform: 'ali',
      status: 'SUCCESS',
      progress: '100%',
      createdAt: 1,
    };
    await tasks.insert({ ...done, taskId: 'old', finishTime: 10 });
    await tasks.insert({ ...done, taskId: 'b', finishTime: 30 });
    await tasks.insert({ ...done, taskId: 'a', finishTime: 20 });
    await tasks.insert({ ...done, taskId: 'song', platform: 'suno', finishTime: 20 });
    await tasks.insert({ ...done, taskId: 'failed', status: 'FAILURE', finishTime: 20 });
    const found = async () =>
      (await taskResults.listNew(['ali'], 15, 9)).map(({ taskId }) => taskId);
    expect(await found()).toEqual(['a', 'b']);
    const row = { taskId: 'a', userId: ann, dueAt: 40, createdAt: 20 };
    expect(await taskResults.insert(row)).toBe(true);
    expect(await taskResults.insert(row)).toBe(false);
    expect(await found()).toEqual(['b']);
    expect((await taskResults.listDue(39, 9)).length).toBe(0);
    const waiting = {
      state: 'waiting',
      number: 0,
      path: '',
      mime: '',
      bytes: 0,
      tries: 0,
      expiresAt: 0,
    };
    expect(await taskResults.listDue(40, 9)).toEqual([{ ...row, ...waiting }]);
    const stored = {
      state: 'stored',
      path: 'p',
      mime: 'video/mp4',
      bytes: 3_000_000_000,
      expiresAt: 100,
    } as const;
    expect(await taskResults.update('a', 'stored', { tries: 1 })).toBe(false);
    expect(await taskResults.update('a', 'waiting', stored)).toBe(true);
    expect(await taskResults.find('a')).toEqual({ ...row, ...waiting, ...stored });
    expect(await taskResults.sum()).toEqual({ files: 1, bytes: 3_000_000_000 });
    expect((await taskResults.listEnded(100, 9)).length).toBe(0);
    expect((await taskResults.listEnded(101, 9)).length).toBe(1);
    const image = { taskId: 'i', userId: ann, mime: 'image/png', expiresAt: 200 };
    for (const number of [1, 2])
      await taskResults.insertStored({
        ...image,
        number,
        path: `p${number}`,
        bytes: 5,
        createdAt: number,
      });
    const kept = async () => [
      (await taskResults.listStored(['i', 'a'], 100)).map(({ number }) => number),
      (await taskResults.listImages(ann, 100)).map(({ number }) => number),
    ];
    expect(await kept()).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(await taskResults.find('i')).toBeNull();
    expect(await taskResults.update('i', 'stored', { expiresAt: 0 }, 1)).toBe(true);
    expect(await kept()).toEqual([[2], [2]]);
    await taskResults.end('i');
    expect(await kept()).toEqual([[], []]);
    expect((await taskResults.listEnded(1, 9)).map(({ taskId }) => taskId)).toEqual(['i', 'i']);
    for (const number of [1, 2])
      await taskResults.update('i', 'stored', { state: 'expired' }, number);
    await users.softDelete(ann, 5);
    expect((await taskResults.listEnded(1, 9)).map(({ taskId }) => taskId)).toEqual(['a']);
  });
});
