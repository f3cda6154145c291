/** Whom the receipts of one's payments are made out to (docs/rules/payments.md#receipts). */
import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { payerFields, readPayer } from '../../../core/entities/payer.ts';
import { LazyPayerDialog } from '../../components/payer/lazy.ts';
import { SwitchRow } from '../../form/form-rows.tsx';
import { useTranslation } from '../../i18n/index.ts';

interface PayerSettingsProps {
  /** The user's stored settings, JSON. */
  readonly setting: string;
  /** Reads them again. */
  readonly onSaved: () => Promise<unknown>;
}

export function PayerSettings({ setting, onSaved }: PayerSettingsProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const payer = readPayer(setting);
  const known = payerFields.map((name) => payer[name]).filter((value) => value !== '');
  return (
    <SwitchRow
      title={t('personal.payer')}
      hint={known.length === 0 ? t('personal.payer.none') : known.join(' · ')}
    >
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {t('personal.payer.edit')}
      </Button>
      {isOpen && (
        <Suspense>
          <LazyPayerDialog payer={payer} onSaved={onSaved} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </SwitchRow>
  );
}
