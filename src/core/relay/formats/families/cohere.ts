import type { ApiFamily } from './api-family.ts';

export const cohereFamily: ApiFamily = {
  name: 'cohere',
  ownsPath: (_method, path) => path.startsWith('/v2/'),
  errorBody: ({ message }) => ({ message }),
  /** Cohere's own end of a generation that failed (Cohere API reference, Chat with Streaming). */
  errorEvent: ({ status, message }) => {
    const delta = { finish_reason: status === 504 ? 'TIMEOUT' : 'ERROR', error: message };
    return `event: message-end\ndata: ${JSON.stringify({ type: 'message-end', delta })}\n\n`;
  },
  keepAlive: ': PING\n\n',
  cutsBrokenStreams: true,
};
