/** What a proxy reports on its own account, and what others send in its name. */
import { describe, expect, it } from 'vitest';
import { type DrawingBench, drawn, startDrawingBench, submitted } from './bench.ts';

const secret = 'a secret of the proxy';

async function benchWithSecret(): Promise<DrawingBench> {
  const bench = await startDrawingBench();
  await bench.operator.channel.update({
    id: bench.channelId,
    setting: JSON.stringify({ mj_notify_secret: secret }),
  });
  return bench;
}

async function notify(bench: DrawingBench, body: unknown, given = secret): Promise<unknown> {
  const reply = await bench.post(`/mj/notify?secret=${encodeURIComponent(given)}`, body, null);
  return [reply.status, reply.text === '' ? '' : reply.body.description];
}

const notFound = [400, 'midjourney_task_not_found'];

describe('a notification', () => {
  it('ends the task as a poll does, once', async () => {
    const bench = await benchWithSecret();
    const failed = await submitted(bench);
    const succeeded = await submitted(bench);
    const report = { id: failed, status: 'FAILURE', progress: '100%', failReason: 'banned' };
    for (let times = 0; times < 3; times += 1)
      expect(await notify(bench, report)).toEqual([200, '']);
    expect((await bench.rows())[0]).toMatchObject({
      status: 'FAILURE',
      progress: '100%',
      failReason: 'banned',
      quota: 0,
    });
    expect((await bench.balance()).quota).toBe(950_000);
    bench.proxy.report(failed, report);
    await bench.poll();
    expect((await bench.balance()).quota).toBe(950_000);
    const image = {
      id: succeeded,
      status: 'SUCCESS',
      progress: '100%',
      imageUrl: 'https://images.example/1.png',
    };
    expect(await notify(bench, image)).toEqual([200, '']);
    // What comes late changes nothing.
    expect(await notify(bench, { id: succeeded, status: 'FAILURE', failReason: 'no' })).toEqual([
      200,
      '',
    ]);
    expect((await bench.rows())[1]).toMatchObject({
      status: 'SUCCESS',
      imageUrl: 'https://images.example/1.png',
      quota: 50_000,
    });
    expect((await bench.balance()).quota).toBe(950_000);
  });

  it('shows callers neither the address nor the key of the channel in its reason', async () => {
    const bench = await benchWithSecret();
    const id = await submitted(bench);
    await notify(bench, {
      id,
      status: 'FAILURE',
      failReason: `proxy-secret at ${bench.proxy.url}/mj`,
    });
    expect((await bench.rows())[0]?.failReason).toMatch(/^\*\*\* at \*\*\*/);
  });

  it('may have its secret in the header', async () => {
    const bench = await benchWithSecret();
    const id = await submitted(bench);
    const body = JSON.stringify({ id, status: 'IN_PROGRESS', progress: '40%' });
    const reply = await fetch(`${bench.url}/mj/notify`, {
      method: 'POST',
      headers: { 'mj-api-secret': secret },
      body,
    });
    expect([reply.status, await reply.text()]).toEqual([200, '']);
    expect(await bench.rows()).toMatchObject([{ status: 'IN_PROGRESS', progress: '40%' }]);
  });

  it('is not believed by default', async () => {
    const bench = await startDrawingBench();
    const id = await submitted(bench);
    for (const given of ['', 'proxy-secret', 'undefined', bench.customer.key])
      expect(await notify(bench, { id, status: 'FAILURE', failReason: 'no' }, given)).toEqual(
        notFound,
      );
    expect(await bench.rows()).toMatchObject([{ status: 'SUBMITTED', quota: 50_000 }]);
  });

  it('is not believed with another secret, a token, or that of another channel', async () => {
    const bench = await benchWithSecret();
    const id = await submitted(bench);
    await bench.addChannel({ setting: JSON.stringify({ mj_notify_secret: 'another' }) });
    const report = { id, status: 'FAILURE', failReason: 'no' };
    for (const given of ['', 'wrong', 'another'])
      expect(await notify(bench, report, given)).toEqual(notFound);
    const withToken = await bench.post('/mj/notify', report);
    expect([withToken.status, withToken.body.description]).toEqual(notFound);
    expect(await notify(bench, { ...report, id: '404' })).toEqual(notFound);
    expect((await bench.balance()).quota).toBe(950_000);
  });

  it('that is no task object, or too large, is refused', async () => {
    const bench = await benchWithSecret();
    for (const body of ['{', '[]', { status: 'SUCCESS' }, { id: '' }])
      expect(await notify(bench, body)).toEqual([400, 'bind_request_body_failed']);
    const [status] = (await notify(bench, { id: '1', prompt: 'x'.repeat(300_000) })) as [number];
    expect(status).toBe(413);
  });

  it('of a task that was finished long ago leaves its image as it is', async () => {
    const bench = await benchWithSecret();
    const id = await drawn(bench);
    const [before] = await bench.rows();
    await notify(bench, {
      id,
      status: 'SUCCESS',
      progress: '100%',
      imageUrl: 'https://evil.example/1.png',
    });
    expect(await bench.rows()).toEqual([before]);
  });
});
