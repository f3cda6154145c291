/** A budget's open windows, and more for one of them (docs/rules/budgets.md#grants). */
import { Button, Group, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { BudgetStatus, BudgetWindow } from '../../../core/contract/budgets.ts';
import { windowName } from '../../../core/entities/budget-window-name.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { BudgetBar, Forecast } from '../../components/budgets/budget-bar.tsx';
import { useBudgetWords } from '../../components/budgets/budget-words.ts';
import classes from '../../components/budgets/budgets.module.css';
import { Dialog } from '../../components/dialog.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { QuotaField } from '../../form/quota-field.tsx';
import { useRepeatQuestion } from '../../form/use-repeat-question.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import { useRefreshBudgets } from '../../queries/use-invalidate.ts';
import { useMayChange } from './budget-actions.tsx';

/** What a notice's link offers, in units of the site's currency. */
const usualUnits = 5;

interface WindowsDialogProps {
  readonly budget: BudgetStatus;
  /** The id of the window that more is for; absent: the first. */
  readonly window?: number | undefined;
  readonly onClose: () => void;
}

export function WindowsDialog({ budget, window, onClose }: WindowsDialogProps) {
  const { t } = useTranslation();
  const words = useBudgetWords();
  const mayChange = useMayChange();
  const { windows } = budget;
  const nameOf = (window: BudgetWindow) =>
    windowName(budget, window, currentLanguage()) || words.each(budget);
  return (
    <Dialog
      opened
      closeButtonProps={{ 'aria-label': t('common.close') }}
      onClose={onClose}
      size={520}
      title={budget.name || words.amount(budget)}
    >
      <ul className={classes.windows} aria-label={t('budget.windows')}>
        {windows.map((window) => (
          <li key={window.id}>
            <span className={classes.who} title={nameOf(window)}>
              {nameOf(window)}
            </span>
            <span className={classes.wide}>
              <BudgetBar window={window} off={!budget.enabled} />
              {budget.enabled && <Forecast window={window} />}
            </span>
          </li>
        ))}
      </ul>
      {mayChange(budget) && (
        <GrantForm
          budget={budget}
          window={window}
          options={windows.map((window) => ({ value: String(window.id), label: nameOf(window) }))}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface GrantFormProps extends WindowsDialogProps {
  readonly options: { readonly value: string; readonly label: string }[];
}

function GrantForm({ budget, window: given, options, onClose }: GrantFormProps) {
  const { t } = useTranslation();
  const refresh = useRefreshBudgets();
  const { total, quotaPerUnit } = useMoney();
  const [window, setWindow] = useState(
    given === undefined ? (options[0]?.value ?? '') : String(given),
  );
  // Who follows a notice's link wants it to go on.
  const [amount, setAmount] = useState<number | ''>(
    given === undefined ? '' : Math.round(usualUnits * quotaPerUnit),
  );
  const [missing, setMissing] = useState(false);
  const repeat = useRepeatQuestion();
  const [unsure, setUnsure] = useState<string>();
  const grant = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      if (!(await repeat.mayRepeat())) return false;
      const more = { window: Number(window), amount: Number(amount) };
      await client.budgets.grant({ id: budget.id, ...more });
      return true;
    },
    onError: (error) => {
      setUnsure(repeat.note(error));
      return refresh();
    },
    onSuccess: async (isDone) => {
      if (!isDone) return;
      await refresh();
      toastSuccess(t('budget.grant.done'));
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (Number(amount) > 0) grant.mutate();
    else setMissing(true);
  };
  return (
    <form onSubmit={submit} noValidate className={classes.section}>
      {options.length > 1 && (
        <Select
          label={t('budget.grant.window')}
          mb={16}
          searchable
          allowDeselect={false}
          data={options}
          value={window}
          onChange={(value) => setWindow(value ?? '')}
        />
      )}
      <QuotaField
        label={t('budget.grant.amount')}
        description={missing ? undefined : t('budget.grant.hint')}
        error={missing ? t('budget.form.error.amount') : undefined}
        value={amount}
        onChange={(value) => {
          setAmount(typeof value === 'number' ? value : '');
          setMissing(false);
        }}
      />
      <FormFailure error={grant.error} beside={unsure} />
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={grant.isPending}>
          {given !== undefined && typeof amount === 'number' && amount > 0
            ? `${t('budget.grant')} ${total(amount).text}`
            : t('budget.grant')}
        </Button>
      </Group>
    </form>
  );
}
