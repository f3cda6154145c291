/**
 * The log settings, and beside them the deletion of old rows (docs/rules/usage-logs.md#log-prune).
 */
import { Button } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { PanelId } from '../../../core/options/facts.ts';
import { OptionPanel } from '../../form/option-panel.tsx';
import type { OptionForm } from '../../form/use-option-form.ts';
import { loadTextPart, useTranslation } from '../../i18n/index.ts';

export function LogSection({
  panel,
  form,
}: {
  readonly panel: PanelId;
  readonly form: OptionForm;
}) {
  const { t } = useTranslation();
  const open = async () => {
    const dialog = import('../../components/prune-dialog.tsx');
    const [{ openPrune }] = await Promise.all([
      dialog,
      loadTextPart('log'),
      loadTextPart('logActions'),
    ]);
    openPrune();
  };
  return (
    <OptionPanel panel={panel} form={form}>
      <div>
        <Button
          variant="default"
          leftSection={<Trash2 size={16} strokeWidth={1.75} />}
          onClick={() => void open()}
        >
          {t('setting.log.prune')}
        </Button>
      </div>
    </OptionPanel>
  );
}
