import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { addHeaders } from '../../../../src/core/relay/client/edit-reply.ts';

/** The reply of a server that writes it so. */
async function replyOf(write: (response: ServerResponse) => void): Promise<Response> {
  const server = createServer((_request, response) => write(response));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test('headers are added to the head of a reply, whose own win, until it has begun', async () => {
  const given = { 'x-left': '2' };
  const reply = await replyOf((response) => {
    addHeaders(response, given);
    addHeaders(response, { 'x-left': '1', 'x-limit': '5', 'content-type': 'text/html' });
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('begun');
    addHeaders(response, { 'x-late': '1' });
    response.end();
  });
  const { headers } = reply;
  expect([headers.get('x-left'), headers.get('x-limit')]).toEqual(['1', '5']);
  expect([headers.get('content-type'), headers.get('x-late')]).toEqual(['text/plain', null]);
  expect(given).toEqual({ 'x-left': '2' });
});

test('headers are added beside those that were set alone, and to a head without any', async () => {
  const { headers, status } = await replyOf((response) => {
    response.setHeader('x-set', '1');
    addHeaders(response, { 'x-added': '2' });
    response.writeHead(201);
    response.end();
  });
  expect([status, headers.get('x-set'), headers.get('x-added')]).toEqual([201, '1', '2']);
});
