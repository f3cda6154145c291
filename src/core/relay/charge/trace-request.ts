/** What is traced of a request that is over (docs/rules/process.md#traces). */
import type { RequestTrace } from '../../metrics/tracer.ts';
import type { CallerContext } from '../context.ts';

type Ended = Omit<
  RequestTrace,
  'requestId' | 'traceparent' | 'path' | 'group' | 'userId' | 'tokenId' | 'startedAt'
> &
  Partial<Pick<RequestTrace, 'startedAt'>>;

/** Nothing where requests are not traced. */
export function traceRequest(context: CallerContext, describe: () => Ended): void {
  const { tracer } = context.deps;
  if (tracer === undefined) return;
  const { caller, group, requestId, route, request, startedAt } = context;
  const traceparent = request.headers['traceparent'];
  tracer.record({
    requestId,
    group,
    startedAt,
    path: route.path,
    userId: caller.userId,
    tokenId: caller.tokenId,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    ...describe(),
  });
}
