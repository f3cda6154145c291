/** Adds quota to a user, or takes some away (docs/rules/accounts.md#quota-edits). */
import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { UserEntity } from '../../../core/contract/entities.ts';
import { maxAmount } from '../../../core/kernel/quota.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { Dialog } from '../../components/dialog.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { TotalText } from '../../components/money-text.tsx';
import { QuickPicks } from '../../form/quick-picks.tsx';
import { QuotaField } from '../../form/quota-field.tsx';
import { useRepeatQuestion } from '../../form/use-repeat-question.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshUsers } from '../../queries/use-invalidate.ts';
import classes from './user.module.css';

/** In units of the site's currency. */
const picks = [1, 5, 10, 50, 100];

export function QuotaDialog({
  user,
  onClose,
}: {
  readonly user: UserEntity;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const { total, quotaPerUnit } = useMoney();
  const refresh = useRefreshUsers();
  const [added, setAdded] = useState<number | ''>('');
  const [problem, setProblem] = useState<string>();
  const next = user.quota + Number(added);
  const repeat = useRepeatQuestion();
  const [unsure, setUnsure] = useState<string>();
  const adjust = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      if (!(await repeat.mayRepeat())) return false;
      await client.user.update({ id: user.id, quota: next, quota_base: user.quota });
      return true;
    },
    onSuccess: async (isDone) => {
      if (!isDone) return;
      await refresh();
      toastSuccess(t('user.adjust.done', { name: user.username }));
      onClose();
    },
    onError: (error) => {
      setUnsure(repeat.note(error));
      return refresh();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (added === '' || added === 0 || !Number.isSafeInteger(added))
      return setProblem(t('user.adjust.missing'));
    if (Math.abs(next) > maxAmount)
      return setProblem(t('user.form.error.quota', { most: maxAmount }));
    adjust.mutate();
  };
  const write = (value: number | '') => {
    setAdded(value);
    setProblem(undefined);
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      size={440}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      title={t('user.adjust.title', { name: user.username })}
    >
      <form onSubmit={submit} noValidate>
        <QuotaField
          label={t('user.adjust.amount')}
          description={problem === undefined ? t('user.adjust.hint') : undefined}
          error={problem}
          allowNegative
          value={added}
          onChange={(value) => write(typeof value === 'number' ? value : '')}
          clampBehavior="none"
          data-autofocus
        />
        <QuickPicks
          label={t('user.adjust.amount')}
          picks={picks.map((units) => ({
            label: total(units * quotaPerUnit).text,
            onPick: () => write(Math.round(units * quotaPerUnit)),
          }))}
        />
        <dl className={classes.sums}>
          <div className={classes.sum}>
            <dt>{t('user.adjust.now')}</dt>
            <dd>
              <TotalText quota={user.quota} />
            </dd>
          </div>
          <div className={classes.sum}>
            <dt>{t('user.adjust.next')}</dt>
            <dd>
              <TotalText quota={next} />
            </dd>
          </div>
        </dl>
        <FormFailure error={adjust.error} beside={unsure} />
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={adjust.isPending}>
            {t('user.adjust')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
