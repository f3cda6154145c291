/** A drawer that creates or edits one thing, from the declaration of its fields. */
import type { ReactNode } from 'react';
import type { FormField } from './fields.ts';
import { FormDrawer } from './form-drawer.tsx';
import { FormFields } from './form-fields.tsx';
import type { EntityForm } from './use-entity-form.ts';
import { useFieldChanges } from './use-field-changes.ts';

interface EntityDrawerProps<V extends object> {
  readonly form: EntityForm<V>;
  readonly fields: readonly FormField<V>[];
  readonly title: string;
  readonly subtitle: string;
  readonly logo?: ReactNode;
  readonly submitLabel: string;
  readonly onClose: () => void;
}

export function EntityDrawer<V extends object>({
  form,
  fields,
  title,
  subtitle,
  logo,
  submitLabel,
  onClose,
}: EntityDrawerProps<V>) {
  const changes = useFieldChanges(form.before, form.values, fields);
  return (
    <FormDrawer
      opened
      creating={form.creating}
      onClose={onClose}
      title={title}
      subtitle={subtitle}
      logo={logo}
      changes={changes}
      submitLabel={submitLabel}
      submitting={form.saving}
      onSubmit={form.submit}
    >
      <FormFields fields={fields} values={form.values} errors={form.errors} onChange={form.set} />
    </FormDrawer>
  );
}
