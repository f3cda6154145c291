/** The price tables as JSON, and the reset of the model ratios. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { targetOfHash } from '../../../browser/setting-address.ts';
import { client } from '../../../client/api.ts';
import { toastSuccess } from '../../../client/failures.ts';
import { confirmDanger } from '../../../components/confirm-danger.tsx';
import { OptionField } from '../../../form/option-panel.tsx';
import type { OptionForm } from '../../../form/use-option-form.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { useRefreshOptions } from '../../../queries/use-invalidate.ts';
import { useSettingTarget } from '../use-setting-target.ts';
import { priceTableKeys } from './price-tables.ts';
import classes from './prices.module.css';

export const priceFields = [...priceTableKeys, 'ModelPriceDetails'] as const;

export function PriceJson({ form }: { readonly form: OptionForm }) {
  const { t } = useTranslation();
  const refresh = useRefreshOptions();
  const named = targetOfHash(useLocation().hash);
  const reset = useMutation({
    mutationFn: async () => {
      // As if the default were typed.
      const values = { ModelRatio: form.options.defaults.get('ModelRatio') ?? '' };
      const { agreedBelowCost } = await import('../../../form/option-problem.ts');
      const below_cost = await agreedBelowCost(values);
      if (below_cost === undefined) return false;
      await client.option.resetModelRatio({ below_cost });
      return true;
    },
    onSuccess: async (isReset) => {
      if (!isReset) return;
      form.forget(['ModelRatio']);
      await refresh();
      toastSuccess(t('prices.reset.done'));
    },
  });
  return (
    <div className={classes.json}>
      {priceFields.some((key) => key === named) && <LinkedField />}
      {priceFields.map((key) => (
        <OptionField key={key} option={key} form={form} />
      ))}
      <div>
        <Button
          variant="default"
          loading={reset.isPending}
          onClick={() =>
            confirmDanger({
              title: t('prices.reset.title'),
              text: t('prices.reset.text'),
              confirm: t('prices.reset.confirm'),
              onConfirm: () => reset.mutate(),
            })
          }
        >
          {t('prices.reset')}
        </Button>
      </div>
    </div>
  );
}

/** A link to a field was followed before it was loaded. */
function LinkedField() {
  useSettingTarget();
  return null;
}
