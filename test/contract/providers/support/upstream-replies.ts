/** Replies that a scripted upstream sends. */
import type { Answer } from '../../../support/upstream.ts';
import { sendJson } from '../../../support/upstream.ts';
import { fixtureBytes, fixtureJson } from './decode.ts';

/** The events of a recorded stream. */
export function recordedStream(slug: string, name: string): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(fixtureBytes(slug, name));
  };
}

/** A recorded plain reply. */
export function recordedReply(slug: string, name: string, status = 200): Answer {
  return (response) => sendJson(response, status, fixtureJson(slug, name));
}

export function jsonReply(body: unknown, status = 200): Answer {
  return (response) => sendJson(response, status, body);
}

/** A reply with exactly this body text. */
export function textReply(text: string, contentType = 'application/json'): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': contentType });
    response.end(text);
  };
}
