import { Check } from 'lucide-react';
import type {
  PaymentMethodEntry,
  PaymentMethodId,
} from '../../../core/vocabulary/payment-methods.ts';
import { useTranslation } from '../../i18n/index.ts';
import classes from './panel.module.css';

interface MethodPickerProps {
  readonly methods: readonly PaymentMethodEntry[];
  readonly value: PaymentMethodId | undefined;
  readonly onChange: (method: PaymentMethodId) => void;
}

/** The first character of the app's Chinese name on its colour, as payers know it. */
const marks = { wechat: '微', alipay: '支' } as const;

export function MethodPicker({ methods, value, onChange }: MethodPickerProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.methods} role="radiogroup" aria-label={t('topup.method')}>
      {methods.map(({ id, app }) => (
        <label key={id} className={classes.method} data-on={value === id || undefined}>
          <input
            type="radio"
            name="payment-method"
            value={id}
            checked={value === id}
            onChange={() => onChange(id)}
          />
          <i className={classes.mark} data-app={app} aria-hidden="true" lang="zh">
            {marks[app]}
          </i>
          {t(`paymentMethod.${id}`)}
          {value === id && (
            <Check size={16} strokeWidth={1.75} aria-hidden="true" className={classes.check} />
          )}
        </label>
      ))}
    </div>
  );
}
