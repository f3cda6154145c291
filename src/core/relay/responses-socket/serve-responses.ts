/**
 * `GET /v1/responses` with an upgrade: opens the connection and serves it until the client is gone.
 */
import type { WebSocketServer } from 'ws';
import { AppError } from '../../kernel/errors.ts';
import type { CallerContext } from '../context.ts';
import { describeFailure } from '../failure.ts';
import { openAiFamily } from '../formats/families/openai.ts';
import type { LiveSocket } from '../sockets/live-socket.ts';
import type { SocketUpgrade } from '../sockets/socket-upgrade.ts';
import { ResponsesSocket, type ResponsesSocketDeps, type ServeFrame } from './responses-socket.ts';

export interface ResponsesDeps {
  readonly responsesServer: WebSocketServer;
  readonly live: Set<LiveSocket>;
  readonly serveFrame: ServeFrame;
}

/**
 * The caller is authenticated here, and again for each of its frames. Throws AppError
 * invalid_request.
 */
export async function serveResponses(
  caller: CallerContext,
  upgrade: SocketUpgrade,
  { responsesServer, live, serveFrame }: ResponsesDeps,
): Promise<void> {
  upgrade.check();
  const client = upgrade.open(responsesServer);
  if (client === undefined) return;
  const { deps, request, language, requestId, memory } = caller;
  const describe: ResponsesSocketDeps['describe'] = (code, params) => {
    const error = describeFailure(
      { from: 'gateway', error: new AppError(code, params) },
      language,
      requestId,
    );
    return { type: 'error', status: error.status, ...openAiFamily.errorBody(error) };
  };
  const socket = new ResponsesSocket(
    { ...deps, memory, serve: serveFrame, describe },
    request,
    client,
  );
  live.add(socket);
  await socket.over;
  live.delete(socket);
}
