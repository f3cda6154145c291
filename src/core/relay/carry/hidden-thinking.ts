/**
 * Thinking that a model did not show, of a stream that ended before its usage came
 * (docs/rules/metering.md#hidden-thinking).
 */
import { recordOf } from '../../canonical/kit/read-json.ts';
import { budgetByEffort, readEffort } from '../../canonical/kit/reasoning.ts';
import type { GeneratedText } from '../../metering/countable.ts';
import type { Attempt } from '../attempt.ts';
import type { RelayJob } from '../job.ts';
import { isThinking } from './timeouts.ts';

/** What a model is taken to think in a second. */
const tokensPerSecond = 60;

interface Answered {
  readonly upstreamModel: string;
  /** Clock milliseconds of the first output. */
  readonly firstByteAt: number;
  readonly reasoningEffort: string | undefined;
}

function mayThink({ body }: RelayJob, { upstreamModel, reasoningEffort }: Answered): boolean {
  if (reasoningEffort === 'none' || recordOf(body.get('thinking'))?.['type'] === 'disabled')
    return false;
  return isThinking(upstreamModel, body);
}

/** The caller's own limit of output tokens. */
function outputLimit({ format, body }: RelayJob): number {
  const limits = Object.values(format.outputLimits(body)).filter(
    (limit) => typeof limit === 'number' && limit > 0,
  );
  return Math.min(Number.POSITIVE_INFINITY, ...(limits as number[]));
}

/** The answer with an estimate of the thinking before it, unless thinking was shown. */
export function withHiddenThinking(
  job: RelayJob,
  { startedAt }: Pick<Attempt, 'startedAt'>,
  answered: Answered,
  generated: GeneratedText,
): GeneratedText {
  if (generated.showsThinking === true || !mayThink(job, answered)) return generated;
  const thoughtUntil = generated.text === '' ? job.deps.clock.now() : answered.firstByteAt;
  const byTime = Math.ceil((Math.max(0, thoughtUntil - startedAt) / 1000) * tokensPerSecond);
  const byEffort = budgetByEffort[readEffort(answered.reasoningEffort) ?? 'medium'];
  return { ...generated, hiddenTokens: Math.min(byTime, byEffort, outputLimit(job)) };
}
