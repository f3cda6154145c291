/** Adds a model to the square, or edits its entry. */
import type { ManagedModel } from '../../../core/contract/model-square.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { CatalogLogo } from '../../components/model-logo.tsx';
import { EntityDrawer } from '../../form/entity-drawer.tsx';
import type { FieldErrors } from '../../form/fields.ts';
import { useEntityForm } from '../../form/use-entity-form.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshModelSquare } from '../../queries/use-invalidate.ts';
import {
  changedInput,
  checkEntry,
  type EntryValues,
  entryInput,
  entryValues,
  newEntry,
} from './entry-form.ts';
import { loadEntry } from './use-entries.ts';
import { useEntryFields } from './use-entry-fields.tsx';

interface EntryDrawerProps {
  /** null: a new one. */
  readonly entry: ManagedModel | null;
  readonly onClose: () => void;
}

export function EntryDrawer({ entry, onClose }: EntryDrawerProps) {
  const { t } = useTranslation();
  const refresh = useRefreshModelSquare();
  const creating = entry === null;
  const form = useEntityForm<EntryValues, unknown>({
    creating,
    before: entry === null ? newEntry : entryValues(entry),
    reread: entry === null ? undefined : async () => entryValues(await loadEntry(entry.model)),
    check: (values): FieldErrors<EntryValues> =>
      Object.fromEntries(
        Object.entries(checkEntry(values)).map(([field, { text, params }]) => [
          field,
          t(text, { max: params.max ?? 0 }),
        ]),
      ),
    fieldOf: ({ code, field }) => {
      if (code === 'catalog_model_exists') return 'model';
      return code?.startsWith('catalog_') && field !== undefined && field in newEntry
        ? (field as keyof EntryValues)
        : undefined;
    },
    save: (values, changed) =>
      entry === null
        ? client.modelSquare.add(entryInput(values))
        : client.modelSquare.update({ ...changedInput(values, changed), model: entry.model }),
    onSaved: async () => {
      await refresh();
      onClose();
      toastSuccess(t(creating ? 'management.form.added' : 'management.form.saved'));
    },
  });
  const { model, icon } = form.values;
  return (
    <EntityDrawer
      form={form}
      fields={useEntryFields(form, entry)}
      title={t(creating ? 'management.new' : 'management.form.edit')}
      subtitle={entry === null ? t('management.form.new.hint') : entry.model}
      logo={<CatalogLogo boxed model={model} icon={icon} />}
      submitLabel={t(creating ? 'management.new' : 'common.save')}
      onClose={onClose}
    />
  );
}
