import { type ApiFamily, messageFor, type OverlongWords } from './api-family.ts';

/** Cohere's own message (https://docs.cohere.com/reference/errors). */
const overlong: OverlongWords = {
  known: ['too many tokens'],
  write: (figures) =>
    figures === undefined
      ? 'too many tokens: size limit exceeded.'
      : `too many tokens: size limit exceeded by ${figures.sent - figures.most} tokens. ` +
        `The limit for this model is ${figures.most} tokens.`,
};

export const cohereFamily: ApiFamily = {
  name: 'cohere',
  ownsPath: (_method, path) => path.startsWith('/v2/'),
  errorBody: (error) => ({ message: messageFor(error, overlong) }),
  /** Cohere's own end of a generation that failed (Cohere API reference, Chat with Streaming). */
  errorEvent: (error) => {
    const delta = {
      finish_reason: error.status === 504 ? 'TIMEOUT' : 'ERROR',
      error: messageFor(error, overlong),
    };
    return `event: message-end\ndata: ${JSON.stringify({ type: 'message-end', delta })}\n\n`;
  },
  keepAlive: ': PING\n\n',
  cutsBrokenStreams: true,
};
