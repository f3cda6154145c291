import { mkdirSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { writePrivate } from '../../../src/core/tasks/task-private.ts';
import { codeOf } from '../../support/app.ts';
import { startProvider } from '../../support/provider-server.ts';
import { createFilesApp } from './files-app.ts';

const video = Buffer.concat([
  Buffer.from('\0\0\0\x20ftypisom'),
  Buffer.from('frames of the video'),
]);
const open = { method: 'GET' };
const day = 86_400_000;

async function setUp(
  listener: RequestListener,
  environment: Record<string, string> = { FETCH_ALLOW_HOSTS: '127.0.0.1' },
) {
  const url = await startProvider(listener, 'test');
  const created = await createFilesApp(environment);
  const { app, addUser, clock } = created;
  const ann = await addUser('ann');
  const finish = (
    taskId: string,
    path = '/v.mp4',
    fields: { platform?: string; channelId?: number } = {},
  ) =>
    app.storage.tasks.insert({
      userId: ann,
      taskId,
      platform: 'ali',
      action: 'VIDEO',
      status: 'SUCCESS',
      progress: '100%',
      createdAt: 1,
      finishTime: Math.floor(clock.now() / 1000),
      privateData: writePrivate({ result_url: url + path }),
      ...fields,
    });
  const state = async (taskId: string) => (await app.storage.taskResults.find(taskId))?.state;
  return { ...created, ann, finish, state, url };
}

const serving: RequestListener = (_request, response) =>
  void response.setHeader('content-type', 'video/mp4').end(video);

describe('copies of results', () => {
  it('are downloaded once, served in parts, and deleted after 30 days', async () => {
    let downloads = 0;
    const { finish, state, run, files, stored, clock } = await setUp((request, response) => {
      downloads += 1;
      serving(request, response);
    });
    await finish('task_1');
    await finish('music', '/v.mp4', { platform: 'suno' });
    await run('store-results');
    await run('store-results');
    expect([downloads, await state('task_1'), await state('music')]).toEqual([
      1,
      'stored',
      undefined,
    ]);
    expect(await files.results.storedUntil('task_1')).toBe(
      Math.floor(clock.now() / 1000) + 30 * 86_400,
    );
    const reply = await files.results.open('task_1', { ...open, range: 'bytes=12-17' });
    expect(reply).toMatchObject({
      status: 206,
      headers: { 'Content-Type': 'video/mp4', 'X-Content-Type-Options': 'nosniff' },
    });
    if (reply?.body === undefined) throw new Error('no body');
    expect(await text(reply.body)).toBe('frames');
    expect(await files.results.open('task_2', open)).toBeNull();
    clock.move(30 * day + 2000);
    expect(await files.results.open('task_1', open)).toBeNull();
    await run('clean-uploads');
    expect([await state('task_1'), stored()]).toEqual(['expired', []]);
  });

  it('are tried again after failures, until the upstream has deleted them', async () => {
    let status = 503;
    const { finish, state, run, clock, stored } = await setUp((request, response) => {
      if (status === 200) serving(request, response);
      else response.writeHead(status).end('busy');
    });
    await finish('task_1');
    await run('store-results');
    status = 200;
    await run('store-results');
    expect(await state('task_1')).toBe('waiting');
    clock.move(61_000);
    await run('store-results');
    expect(await state('task_1')).toBe('stored');
    status = 403;
    await finish('task_2');
    await run('store-results');
    expect([await state('task_2'), stored().length]).toEqual(['failed', 1]);
  });

  it.each<[string, RequestListener]>([
    [
      'a page',
      (_request, response) => void response.setHeader('content-type', 'text/html').end('<script>'),
    ],
    [
      'a page that is called a video',
      (_request, response) => void response.setHeader('content-type', 'video/mp4').end('<script>'),
    ],
    [
      'an SVG',
      (_request, response) =>
        void response.setHeader('content-type', 'image/svg+xml').end('<svg/>'),
    ],
    [
      'more than 500 MB',
      (_request, response) => {
        response.writeHead(200, {
          'content-type': 'video/mp4',
          'content-length': 500 * 1024 * 1024 + 1,
        });
        response.write(video);
      },
    ],
    [
      'a redirect inside',
      (_request, response) =>
        void response.writeHead(302, { location: 'http://10.0.0.1/v.mp4' }).end(),
    ],
  ])('are not made of %s', async (_, listener) => {
    const { finish, state, run, stored } = await setUp(listener);
    await finish('task_1');
    await run('store-results');
    expect([await state('task_1'), stored()]).toEqual(['failed', []]);
  });

  it('leave nothing of a download that breaks or of a process that stops', async () => {
    const { finish, state, run, stored } = await setUp((_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 1000 });
      response.write(video, () => response.destroy());
    });
    await finish('task_1');
    await run('store-results');
    expect([await state('task_1'), stored()]).toEqual(['waiting', []]);
    const stop = new AbortController();
    const stopping = await setUp((_request, response) => {
      response.write(video, () => stop.abort(new Error('stopping')));
    });
    await stopping.finish('task_1');
    await stopping.run('store-results', stop.signal);
    expect([await stopping.state('task_1'), stopping.stored()]).toEqual(['waiting', []]);
  });

  it('that a crash left half written down are downloaded anew', async () => {
    const { app, ann, clock, finish, state, run, stored, folder } = await setUp(serving);
    await finish('task_1');
    const now = Math.floor(clock.now() / 1000);
    await app.storage.taskResults.insert({
      taskId: 'task_1',
      userId: ann,
      dueAt: now,
      createdAt: now,
    });
    const path = `results/2026/11/${'a'.repeat(32)}.mp4`;
    await app.storage.taskResults.update('task_1', 'waiting', { path });
    mkdirSync(join(folder, 'results/2026/11'), { recursive: true });
    writeFileSync(join(folder, path), 'half');
    await run('store-results');
    expect([await state('task_1'), stored().length]).toEqual(['stored', 1]);
    expect(stored()).not.toContain(`${'a'.repeat(32)}.mp4`);
  });

  it('come from inside only where the operator sends requests anyway', async () => {
    const { finish, state, run, operator, url } = await setUp(serving, {});
    await finish('task_1');
    await run('store-results');
    expect(await state('task_1')).toBe('failed');
    await operator.channel.create({
      name: 'c',
      type: 17,
      key: 'k',
      base_url: url,
      models: 'm',
      group: 'default',
    });
    await finish('task_2', '/v.mp4', { channelId: 1 });
    await run('store-results');
    expect(await state('task_2')).toBe('stored');
  });
});

describe('results that are passed on', () => {
  it('come in the part that is asked for, without the headers of the upstream', async () => {
    const { files, url } = await setUp((request, response) => {
      const range = request.headers.range === 'bytes=12-17';
      response.setHeader('content-type', 'video/mp4').setHeader('set-cookie', 'a=b');
      if (range)
        response
          .writeHead(206, { 'content-range': `bytes 12-17/${video.length}` })
          .end(video.subarray(12, 18));
      else response.end(video);
    });
    const reply = await files.results.forward({ channelId: 0 }, `${url}/v.mp4`, {
      ...open,
      range: 'bytes=12-17',
    });
    expect(reply).toMatchObject({
      status: 206,
      headers: { 'Content-Range': `bytes 12-17/${video.length}` },
    });
    expect(Object.keys(reply.headers).map((name) => name.toLowerCase())).not.toContain(
      'set-cookie',
    );
    if (reply.body === undefined) throw new Error('no body');
    expect(await text(reply.body)).toBe('frames');
  });

  it('say that they are gone, or that the upstream does not send them', async () => {
    let status = 403;
    const { files, url } = await setUp(
      (_request, response) =>
        void response.writeHead(status, { 'content-type': 'text/html' }).end('no'),
    );
    const forward = () => codeOf(files.results.forward({ channelId: 0 }, `${url}/v.mp4`, open));
    expect(await forward()).toBe('result_gone');
    status = 500;
    expect(await forward()).toBe('result_unreachable');
    status = 200;
    expect(await forward()).toBe('result_unreachable');
    expect(await codeOf(files.results.forward({ channelId: 0 }, '', open))).toBe('result_gone');
    expect(
      await codeOf(files.results.forward({ channelId: 0 }, 'http://10.0.0.1/v.mp4', open)),
    ).toBe('address_not_allowed');
  });
});
