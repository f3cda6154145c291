/** Images through the gateway: which addresses it fetches, and what it lets through. */
import { describe, expect, it } from 'vitest';
import { pixel } from '../../../../support/midjourney-proxy.ts';
import { startProvider } from '../../../../support/provider-server.ts';
import { type DrawingBench, drawn, startDrawingBench, submitted } from './bench.ts';

async function drawnAt(bench: DrawingBench, imageUrl: string, status = 'SUCCESS'): Promise<string> {
  const id = await submitted(bench);
  bench.proxy.report(id, { status, progress: status === 'SUCCESS' ? '100%' : '50%', imageUrl });
  await bench.poll();
  return id;
}

/** What the site says where the image is. */
const addressOf = ({ app }: DrawingBench, mjId: string): string =>
  app.tasks.drawingImages.addressOf({ mjId, imageUrl: 'https://any.example', status: '' });

async function fetchImage(bench: DrawingBench, id: string, address = addressOf(bench, id)) {
  const reply = await fetch(address, { redirect: 'manual' });
  const bytes = Buffer.from(await reply.arrayBuffer());
  return {
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    bytes,
    text: bytes.toString(),
  };
}

describe('an image', () => {
  it('of the channel’s own host is sent to anyone who has its address, without a way to run in the browser', async () => {
    const bench = await startDrawingBench();
    const reply = await fetchImage(bench, await drawn(bench));
    expect([reply.status, reply.bytes]).toEqual([200, pixel]);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    // The key of the channel is for its calls.
    const asked = bench.proxy.requests.find(({ path }) => path.includes('/images/'));
    expect(asked?.headers['mj-api-secret']).toBeUndefined();
  });

  it('is shown to nobody who only knows its id, or has the address of another', async () => {
    const bench = await startDrawingBench();
    const id = await drawn(bench);
    const signed = new URL(addressOf(bench, await drawn(bench)));
    for (const path of [
      `/mj/image/${id}`,
      `/mj/image/${id}?rand=1`,
      `/mj/image/${id}?sig=`,
      `/mj/image/${id}?sig=0${signed.searchParams.get('sig')?.slice(1)}`,
      `/mj/image/${id}${signed.search}`,
      `/mj-fast/mj/image/${id}`,
    ])
      expect(await fetchImage(bench, id, bench.url + path), path).toMatchObject({
        status: 403,
        text: '{"error":"midjourney_image_address_unsigned"}',
      });
    const address = addressOf(bench, id).replace('/mj/image/', '/mj-fast/mj/image/');
    expect(await fetchImage(bench, id, address)).toMatchObject({ status: 200 });
  });

  it('that is large is sent without a warning of node', async () => {
    const bench = await startDrawingBench({ FETCH_ALLOW_HOSTS: '127.0.0.1' });
    const large = Buffer.alloc(8 * 1024 * 1024, 1);
    const url = await startProvider(
      (_request, response) => void response.setHeader('content-type', 'image/png').end(large),
      'test',
    );
    const warnings: string[] = [];
    const note = ({ name, message }: Error) => void warnings.push(`${name} ${message}`);
    process.on('warning', note);
    const reply = await fetchImage(bench, await drawnAt(bench, `${url}/large.png`));
    process.off('warning', note);
    expect([reply.status, reply.bytes.length, warnings]).toEqual([200, large.length, []]);
  });

  it('that is not finished is not cached', async () => {
    const bench = await startDrawingBench();
    const id = await drawnAt(bench, `${bench.proxy.url}/images/half.png`, 'IN_PROGRESS');
    expect(await fetchImage(bench, id)).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
    });
  });

  it('that is unknown, or not there yet, is refused', async () => {
    const bench = await startDrawingBench();
    expect(await fetchImage(bench, '404')).toMatchObject({
      status: 400,
      text: '{"error":"midjourney_task_not_found"}',
    });
    expect(await fetchImage(bench, await submitted(bench))).toMatchObject({ status: 404 });
  });
});

describe('addresses inside', () => {
  it.each([
    'http://127.0.0.1:9/1.png',
    'http://localhost:9/1.png',
    'http://[::1]/1.png',
    'http://169.254.169.254/latest/meta-data/1.png',
    'http://10.0.0.1/1.png',
    'http://0177.0.0.1/1.png',
    'file:///etc/passwd',
    'ftp://images.example/1.png',
    'https://images.example:22/1.png',
  ])('%s is not fetched', async (address) => {
    const bench = await startDrawingBench();
    expect(await fetchImage(bench, await drawnAt(bench, address))).toMatchObject({
      status: 403,
      text: '{"error":"address_not_allowed"}',
    });
  });

  it('are not reached by a redirect, nor on another port of the channel’s host', async () => {
    const bench = await startDrawingBench();
    const inside: string[] = [];
    const other = await startProvider((request, response) => {
      inside.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'image/png' }).end(pixel);
    }, 'test');
    expect(
      await fetchImage(bench, await drawnAt(bench, `${bench.proxy.url}/images/inside.png`)),
    ).toMatchObject({ status: 403 });
    expect(await fetchImage(bench, await drawnAt(bench, `${other}/1.png`))).toMatchObject({
      status: 403,
    });
    expect(inside).toEqual([]);
  });

  it('are fetched from hosts that the operator allows', async () => {
    const bench = await startDrawingBench({ FETCH_ALLOW_HOSTS: 'localhost' });
    const other = await startProvider((_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' }).end('film');
    }, 'test');
    const id = await drawnAt(bench, `${other.replace('127.0.0.1', 'localhost')}/1.mp4`);
    expect(await fetchImage(bench, id)).toMatchObject({
      status: 200,
      text: 'film',
      headers: { 'content-type': 'video/mp4' },
    });
  });
});

describe('what is no image', () => {
  it.each([
    ['page.html', 502],
    ['endless.png', 502],
  ])('%s is not sent on', async (name, status) => {
    const bench = await startDrawingBench();
    const reply = await fetchImage(
      bench,
      await drawnAt(bench, `${bench.proxy.url}/images/${name}`),
    );
    expect([reply.status, reply.headers['content-type']]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
  });

  it('an error of the upstream keeps its status and text', async () => {
    const bench = await startDrawingBench();
    const reply = await fetchImage(
      bench,
      await drawnAt(bench, `${bench.proxy.url}/images/gone.png`),
    );
    expect(reply).toMatchObject({
      status: 404,
      text: 'gone',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
  });
});
