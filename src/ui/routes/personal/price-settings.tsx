/**
 * Whether calls to models without a price are accepted, and what they cost then
 * (docs/rules/pricing.md#unpriced-models).
 */
import { Loader, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { decimal } from '../../../core/kernel/decimal.ts';
import { assumedModelRatio } from '../../../core/pricing/assumed.ts';
import { formatPrice } from '../../../core/pricing/format.ts';
import { pricePerMillion } from '../../../core/pricing/price-per-million.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { SwitchRow } from '../../form/form-rows.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { readOwnSetting } from './own-setting.ts';

interface PriceSettingsProps {
  /** The user's stored settings, JSON. */
  readonly setting: string;
  /** Reads them again. */
  readonly onSaved: () => Promise<unknown>;
}

export function PriceSettings({ setting, onSaved }: PriceSettingsProps) {
  const { t } = useTranslation();
  const { quotaPerUnit } = useMoney();
  const own = readOwnSetting(setting);
  const save = useMutation({
    mutationFn: (accept: boolean) =>
      client.self.updateSetting({ accept_unset_model_ratio_model: accept }),
    onSuccess: async () => {
      await onSaved();
      toastSuccess(t('personal.saved'));
    },
  });
  const isOn = save.isPending ? save.variables : own.accept_unset_model_ratio_model;
  const price = formatPrice(
    pricePerMillion(decimal(assumedModelRatio), decimal(quotaPerUnit)),
  ).text;
  return (
    <SwitchRow
      title={t('personal.acceptUnpriced')}
      hint={t('personal.acceptUnpriced.hint', { ratio: assumedModelRatio, price })}
    >
      <Switch
        aria-label={t('personal.acceptUnpriced')}
        aria-busy={save.isPending}
        checked={isOn}
        thumbIcon={save.isPending ? <Loader size={10} /> : undefined}
        onChange={(event) => {
          if (!save.isPending) save.mutate(event.currentTarget.checked);
        }}
      />
    </SwitchRow>
  );
}
