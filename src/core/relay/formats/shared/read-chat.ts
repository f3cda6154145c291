import type { ChatRequest } from '../../../canonical/chat.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { RequestBody } from '../../body/request-body.ts';
import type { RelayJob } from '../../job.ts';
import { chatWireFormat } from '../index.ts';

const readRequests = new WeakMap<RequestBody, ChatRequest>();

/** The canonical form of the caller's chat, read once however many channels are tried. Throws AppError. */
export function readChat(job: Pick<RelayJob, 'body' | 'format' | 'model' | 'stream' | 'operation'>): ChatRequest {
  let request = readRequests.get(job.body);
  if (request === undefined) {
    const format = chatWireFormat(job.format);
    if (format === undefined) throw new AppError('unsupported_operation', { operation: job.operation });
    request = format.readRequest(job.body.parse(), { model: job.model, stream: job.stream });
    readRequests.set(job.body, request);
  }
  return request;
}
