import { type ApiFamily, gatewayErrorType } from './api-family.ts';

export const doneEvent = 'data: [DONE]\n\n';

export const openAiFamily: ApiFamily = {
  name: 'openai',
  ownsPath: () => true,
  /** What an upstream's error lacks is filled in; the gateway's own have empty texts there. */
  errorBody(error) {
    const own = error.type === gatewayErrorType;
    return {
      error: {
        message: error.message,
        type: error.type ?? 'upstream_error',
        param: error.param ?? (own ? '' : String(error.status)),
        code: error.code ?? (own ? '' : 'bad_response_status_code'),
      },
    };
  },
  /** Without `[DONE]`: clients that overlook errors take that for the proper end of an answer. */
  errorEvent: (error) => `data: ${JSON.stringify(openAiFamily.errorBody(error))}\n\n`,
  keepAlive: ': PING\n\n',
};
