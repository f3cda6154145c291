/** The first day: no spending to draw yet, so the steps to a first call stand in its place. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { client } from '../../client/api.ts';
import { latePart } from '../../client/late-part.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { loadTextPart, type TextKey, useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { channelCount, useOverview } from '../../queries/use-overview.ts';
import { useSelf } from '../../queries/use-self.ts';
import layout from './detail.module.css';
import classes from './first-steps.module.css';

const QuickStart = latePart(async () => {
  const [module] = await Promise.all([
    import('./quick-start/quick-start.tsx'),
    loadTextPart('quickStart'),
  ]);
  return { default: module.QuickStart };
});

interface Step {
  readonly label: TextKey;
  readonly done: boolean;
  readonly to?: string;
  /** It is made right here. */
  readonly start?: boolean;
}

export function FirstSteps() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const user = useUser();
  const { data: self } = useSelf();
  const { data: overview } = useOverview();
  const { data: tokens } = useQuery({
    queryKey: queryKeys.token.count(user?.id),
    queryFn: async () => (await client.token.list({ p: 0, size: 1 })).total,
  });
  // Stays while it says what became of the first channel.
  const [isQuick, setQuick] = useState(false);
  if (admin && !isQuick && channelCount(overview) === 0) setQuick(true);
  const steps: readonly Step[] = [
    ...(admin
      ? [
          {
            label: 'detail.steps.channel' as const,
            done: (channelCount(overview) ?? 0) > 0,
            start: true,
          },
        ]
      : []),
    { label: 'detail.steps.token', done: (tokens ?? 0) > 0, to: '/token?new=1' },
    { label: 'detail.steps.call', done: (self?.request_count ?? 0) > 0 },
  ];
  const next = steps.find((step) => !step.done);
  if (next === undefined) {
    return (
      <div className={classes.quiet}>
        <h2>{t('detail.chart.empty')}</h2>
        <p>{t('detail.chart.empty.hint')}</p>
      </div>
    );
  }
  return (
    <>
      <div className={layout.head}>
        <h2>{t('detail.steps.title')}</h2>
      </div>
      <ol className={classes.steps}>
        {steps.map((step, index) => (
          <li key={step.label}>
            <div className={classes.step} data-done={step.done || undefined}>
              <span className={classes.number}>
                {step.done ? (
                  <Check size={14} strokeWidth={2.5} aria-label={t('detail.steps.done')} />
                ) : (
                  index + 1
                )}
              </span>
              <span className={classes.label}>{t(step.label)}</span>
              {step === next && step.to !== undefined && (
                <Button component={Link} to={step.to} size="xs">
                  {t('detail.steps.go')}
                </Button>
              )}
            </div>
            {step.start && isQuick && (
              <Suspense fallback={null}>
                <QuickStart />
              </Suspense>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
