/**
 * A server that speaks midjourney-proxy: submits, lists of tasks, seeds and images, as its script
 * says.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Lifetime, startProvider } from './provider-server.ts';

export interface ProxyRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** The reply to one submit. */
export interface ScriptedReply {
  readonly code?: number;
  readonly description?: string;
  readonly result?: string | readonly string[];
  readonly properties?: Record<string, unknown>;
  /** HTTP status; with `text` the whole body. */
  readonly status?: number;
  readonly text?: string;
  /** The order is taken and the connection cut, without a reply. */
  readonly cut?: boolean;
  /** The order is taken, and the reply waits for this. */
  readonly until?: Promise<unknown>;
}

export interface MidjourneyProxy {
  readonly url: string;
  /** All requests, oldest first. */
  readonly requests: ProxyRequest[];
  /**
   * What the next submits get, in order. After the last one every submit is accepted with a new id.
   */
  script(...replies: readonly ScriptedReply[]): void;
  /** What lists say of a task from now on, over what they said before. */
  report(id: string, state: Record<string, unknown>): void;
  /** Lists leave the task out. */
  forget(id: string): void;
  /** Lists and seeds fail with this status; undefined: they work. */
  failReads(status: number | undefined): void;
  /** Lists name every task twice. */
  repeatReports(): void;
  /** The submits among the requests. */
  submits(): readonly ProxyRequest[];
  /** Ids of the tasks that were accepted, oldest first. */
  readonly ids: readonly string[];
}

/** One red pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function sendImage(response: ServerResponse, path: string): void {
  const name = path.split('/').at(-1) ?? '';
  if (name === 'page.html') {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<script>alert(1)</script>');
  } else if (name === 'endless.png') {
    response.writeHead(200, {
      'content-type': 'image/png',
      'content-length': String(60 * 1024 * 1024),
    });
    response.write(pixel);
  } else if (name === 'inside.png') {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' });
    response.end();
  } else if (name === 'gone.png') {
    response.writeHead(404, { 'content-type': 'text/plain' });
    response.end('gone');
  } else {
    response.writeHead(200, { 'content-type': 'image/png' });
    response.end(pixel);
  }
}

export async function startMidjourneyProxy(lifetime: Lifetime = 'test'): Promise<MidjourneyProxy> {
  const requests: ProxyRequest[] = [];
  const scripted: ScriptedReply[] = [];
  const tasks = new Map<string, Record<string, unknown>>();
  const ids: string[] = [];
  let readStatus: number | undefined;
  let repeats = false;

  const accept = (action: string): string => {
    const id = `17${String(Date.now()).slice(-8)}${ids.length}`;
    ids.push(id);
    tasks.set(id, { id, action, status: 'SUBMITTED', progress: '0%', submitTime: Date.now() });
    return id;
  };

  const submit = async (response: ServerResponse, { path }: ProxyRequest): Promise<void> => {
    const next = scripted.shift() ?? {};
    if (next.status !== undefined && next.text !== undefined)
      return reply(response, next.status, next.text);
    const code = next.code ?? 1;
    const taken = [1, 21, 22].includes(code);
    const result = next.result ?? (taken ? accept(path) : '');
    await next.until;
    if (next.cut) return void response.destroy();
    const { description = taken ? 'Success' : 'refused', properties = {} } = next;
    reply(response, next.status ?? 200, { code, description, result, properties });
  };

  const list = (response: ServerResponse, { body }: ProxyRequest): void => {
    const known = (body['ids'] as string[]).flatMap((id) => tasks.get(id) ?? []);
    reply(response, 200, repeats ? [...known, ...known] : known);
  };

  const url = await startProvider(async (incoming, response) => {
    const path = incoming.url ?? '';
    const request = {
      method: incoming.method ?? '',
      path,
      headers: incoming.headers,
      body: await readBody(incoming),
    };
    requests.push(request);
    if (path.includes('/images/')) return sendImage(response, path);
    if (path.includes('/task/') && readStatus !== undefined)
      return reply(response, readStatus, '<html>down</html>');
    if (path.endsWith('/list-by-condition')) return list(response, request);
    if (path.endsWith('/image-seed'))
      return reply(response, 200, { code: 1, description: 'success', result: '4242424242' });
    await submit(response, request);
  }, lifetime);

  return {
    url,
    requests,
    ids,
    script: (...replies) => void scripted.push(...replies),
    report: (id, state) => void tasks.set(id, { id, ...tasks.get(id), ...state }),
    forget: (id) => void tasks.delete(id),
    failReads: (status) => {
      readStatus = status;
    },
    repeatReports: () => {
      repeats = true;
    },
    submits: () =>
      requests.filter(({ path }) => path.includes('/submit/') || path.includes('/insight-face/')),
  };
}
