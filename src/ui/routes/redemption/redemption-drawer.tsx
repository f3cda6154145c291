/** Create up to 100 codes, or edit one that is unused. */
import type { RedemptionEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { EntityDrawer } from '../../form/entity-drawer.tsx';
import { useEntityForm } from '../../form/use-entity-form.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshRedemptions } from '../../queries/use-invalidate.ts';
import {
  changedInput,
  checkRedemption,
  fieldOfCode,
  newRedemption,
  type RedemptionValues,
  redemptionInput,
  redemptionValues,
  ruleLimits,
} from './redemption-form.ts';
import { useRedemptionFields } from './use-redemption-fields.ts';

export interface CreatedCodes {
  /** The name that was given, or '' for the server's. */
  readonly name: string;
  readonly keys: readonly string[];
}

interface RedemptionDrawerProps {
  /** null: new ones. */
  readonly code: RedemptionEntity | null;
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedCodes) => void;
}

export function RedemptionDrawer({ code, onClose, onCreated }: RedemptionDrawerProps) {
  const { t } = useTranslation();
  const refresh = useRefreshRedemptions();
  const creating = code === null;
  const form = useEntityForm<RedemptionValues, CreatedCodes | undefined>({
    creating,
    before: code === null ? newRedemption : redemptionValues(code),
    reread:
      code === null
        ? undefined
        : async () => redemptionValues(await client.redemption.get({ id: code.id })),
    check: (values, before) =>
      Object.fromEntries(
        Object.entries(checkRedemption(values, before, creating, Date.now() / 1000)).map(
          ([field, text]) => [
            field,
            t(text, { max: ruleLimits[field as keyof typeof ruleLimits] ?? 0 }),
          ],
        ),
      ),
    fieldOf: ({ code: error }) => (error === undefined ? undefined : fieldOfCode[error]),
    save: async (values, changed) => {
      if (code === null) {
        const input = redemptionInput(values);
        return {
          name: input.name,
          keys: await client.redemption.create({ ...input, count: Number(values.count) }),
        };
      }
      await client.redemption.update({ ...changedInput(values, changed), id: code.id });
      return undefined;
    },
    onSaved: async (created) => {
      await refresh();
      onClose();
      if (created === undefined) toastSuccess(t('redemption.form.saved'));
      else onCreated(created);
    },
  });
  return (
    <EntityDrawer
      form={form}
      fields={useRedemptionFields(form.values, creating)}
      title={t(creating ? 'redemption.form.new' : 'redemption.form.edit')}
      subtitle={code === null ? t('redemption.form.new.hint') : `#${code.id} · ${code.name}`}
      submitLabel={t(creating ? 'redemption.form.new' : 'common.save')}
      onClose={onClose}
    />
  );
}
