/**
 * The human check of a form: its widget, and its token with each call
 * (docs/rules/console.md#human-check).
 */

import { Button } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { CallError } from '../../../core/contract/envelope.ts';
import { latePart } from '../../client/late-part.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useStatus } from '../../queries/use-status.ts';

const TurnstileWidget = latePart(async () => ({
  default: (await import('./turnstile-widget.tsx')).TurnstileWidget,
}));

/** How many calls of a browser one token serves (docs/rules/accounts.md#human-check). */
const callsPerToken = 5;
const checkErrors: readonly (string | undefined)[] = ['human_check_missing', 'human_check_failed'];

export interface HumanCheck {
  /** The widget's place in the form; null while the site has no check. */
  readonly widget: ReactNode;
  /** Calls with the token. Rejects with CallError human_check_missing while there is none yet. */
  readonly run: <T>(call: (input: { readonly turnstile?: string }) => Promise<T>) => Promise<T>;
}

export function useHumanCheck(): HumanCheck {
  const { t } = useTranslation();
  const status = useStatus();
  const [check, setCheck] = useState({ round: 0, token: '', calls: 0, failed: false });
  if (status?.turnstile_check !== true) return { widget: null, run: (call) => call({}) };
  const again = () =>
    setCheck(({ round }) => ({ round: round + 1, token: '', calls: 0, failed: false }));
  return {
    widget: check.failed ? (
      <p role="alert">
        {t('human.failed')}{' '}
        <Button size="compact-sm" variant="default" onClick={again}>
          {t('common.retry')}
        </Button>
      </p>
    ) : (
      <Suspense fallback={<div style={{ minHeight: 65 }} />}>
        <TurnstileWidget
          key={check.round}
          siteKey={status.turnstile_site_key}
          onToken={(token) => setCheck((now) => ({ ...now, token, calls: 0 }))}
          onFailure={() => setCheck((now) => ({ ...now, token: '', failed: true }))}
        />
      </Suspense>
    ),
    run: async (call) => {
      if (check.token === '') throw new CallError(t('human.wait'), 200, 'human_check_missing');
      try {
        const result = await call({ turnstile: check.token });
        if (check.calls + 1 >= callsPerToken) again();
        else setCheck((now) => ({ ...now, calls: now.calls + 1 }));
        return result;
      } catch (error) {
        const isSpent = error instanceof CallError && checkErrors.includes(error.code);
        if (isSpent || check.calls + 1 >= callsPerToken) again();
        else setCheck((now) => ({ ...now, calls: now.calls + 1 }));
        throw error;
      }
    },
  };
}
