/** The mounted server over a loopback socket, on an in-memory database. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret } from '../../src/core/kernel/secret.ts';
import { createExpressApp } from '../../src/server/express-app.ts';
import { createLastingApp, createTestApp, type TestApp, testPassword } from '../support/app.ts';
import { afterEachTest } from '../support/hooks.ts';

export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed; {} when it is not JSON. */
  readonly json: Record<string, unknown>;
}

export interface TestServer extends TestApp {
  readonly url: string;
  readonly operatorKey: string;
  /** Sends as it is told: a string body travels untouched, anything else as JSON. */
  send(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<HttpReply>;
  /** Signs in and returns the headers of that user. */
  signIn(username: string): Promise<Record<string, string>>;
}

const quiet = {
  GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  CRITICAL_RATE_LIMIT_ENABLE: 'false',
  GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false',
};

/** Closed after each test. `threadTime`: what calls are taken to cost, in milliseconds. */
export async function startTestServer(
  environment: Record<string, string> = {},
  setUp = true,
  threadTime?: () => number,
): Promise<TestServer> {
  const { listening, ...started } = await listenTo(
    await createTestApp({ ...quiet, ...environment }, setUp),
    threadTime,
  );
  servers.push(listening);
  return started;
}

/** For all tests of a file, which begins it in `beforeAll` and returns `close` there. */
export async function startLastingServer(): Promise<{
  readonly server: TestServer;
  close(): Promise<void>;
}> {
  const app = await createLastingApp(quiet);
  const { listening, ...server } = await listenTo(app);
  return {
    server,
    close: async () => {
      await stop(listening);
      await app.app.close();
    },
  };
}

async function listenTo(
  started: TestApp,
  threadTime?: () => number,
): Promise<TestServer & { readonly listening: Server }> {
  const operatorKey = 'k'.repeat(43);
  const server = createServer(
    createExpressApp({
      app: started.app,
      operatorKey: new Secret(operatorKey),
      consoleFolder: '/nonexistent',
      ...(threadTime !== undefined && { threadTime }),
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send: TestServer['send'] = async (method, path, { body, headers = {} } = {}) => {
    const reply = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        'accept-language': 'en',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, json: parse(text) };
  };
  return {
    ...started,
    listening: server,
    url,
    operatorKey,
    send,
    signIn: async (username) => {
      const reply = await send('POST', '/api/user/login', {
        body: { username, password: testPassword },
      });
      const { id } = reply.json.data as { id: number };
      return {
        cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '',
        'new-api-user': String(id),
      };
    },
  };
}

const servers: Server[] = [];
afterEachTest(async () => {
  for (const server of servers.splice(0)) await stop(server);
});

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
