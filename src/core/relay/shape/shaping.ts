/** The rules of a channel, with the request they are applied to. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Call } from '../../canonical/provider.ts';
import { isPassableHeader } from '../../upstream/rules/header-names.ts';
import type { ChannelRules } from '../../upstream/rules/index.ts';
import type { RequestFacts } from '../../upstream/rules/request-facts.ts';
import type { Attempt } from '../attempt.ts';
import type { RelayJob } from '../job.ts';
import type { EndUser, OwnNames } from './end-user.ts';

export interface Shaping {
  readonly rules: ChannelRules;
  /**
   * The caller's body is sent unchanged (`pass_through_body_enabled`,
   * `global.pass_through_request_enabled`).
   */
  readonly passThrough: boolean;
  /** What the vendor learns of the user, and the field for it. Absent: nothing. */
  readonly endUser?: EndUser | undefined;
  /** Absent: the vendor keeps nothing by names of callers. */
  readonly ownNames?: OwnNames | undefined;
  /** Images of earlier answers may stand beside their text. Absent: the vendor does not know them. */
  readonly takesImages?: boolean;
  /** Collected only where a rule needs them. */
  readonly facts: () => RequestFacts;
}

export function shapingOfAttempt(
  job: Pick<RelayJob, 'policy' | 'model' | 'route' | 'request' | 'isTest'>,
  { channel, earlier }: Attempt,
  call: Call,
): Shaping {
  return {
    rules: channel.rules,
    passThrough: job.policy.passThroughAll || channel.rules.passThrough,
    facts: () => {
      const last = earlier.at(-1);
      return {
        requestedModel: job.model,
        upstreamModel: call.model,
        path: job.route.path,
        callerHeaders: passableHeaders(job.request.headers),
        key: call.key,
        retries: earlier.length,
        lastFailure:
          last === undefined
            ? undefined
            : { status: last.status, code: last.error ?? '', message: last.message ?? '' },
        isTest: job.isTest === true,
      };
    },
  };
}

function passableHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const passable: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && isPassableHeader(name))
      passable[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return passable;
}
