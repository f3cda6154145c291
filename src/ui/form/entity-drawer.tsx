/** A drawer that creates or edits one thing, from the declaration of its fields. */
import type { ReactNode } from 'react';
import { isVisible, placeErrors } from './field-paths.ts';
import type { FieldGroup, FormField } from './fields.ts';
import classes from './form-drawer.module.css';
import { FormDrawer } from './form-drawer.tsx';
import { FormFields } from './form-fields.tsx';
import { FormGroup } from './form-group.tsx';
import type { EntityForm } from './use-entity-form.ts';
import { useFieldChanges } from './use-field-changes.ts';

interface EntityDrawerProps<V extends object> {
  readonly form: EntityForm<V>;
  readonly fields: readonly FormField<V>[];
  /** Folded, below the fields. */
  readonly groups?: readonly FieldGroup<V>[];
  /** What the fields do, where it needs saying. */
  readonly note?: string;
  /** Above the fields: what fills several of them. */
  readonly lead?: ReactNode;
  readonly title: string;
  readonly subtitle: string;
  readonly logo?: ReactNode;
  readonly submitLabel: string;
  /** Below the fields: what is done at once, without saving. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

export function EntityDrawer<V extends object>({
  form,
  fields,
  groups = [],
  note,
  lead,
  title,
  subtitle,
  logo,
  submitLabel,
  children,
  onClose,
}: EntityDrawerProps<V>) {
  const { creating, before, values } = form;
  const all = [...fields, ...groups.flatMap((group) => group.fields)];
  form.fields.current = all;
  const changes = useFieldChanges(before, values, all);
  const visible = all.filter((field) => isVisible(field, values));
  const { byPath, others } = placeErrors(visible, form.errors);
  const common = {
    values,
    before: creating ? undefined : before,
    errors: byPath,
    onChange: form.set,
  };
  return (
    <FormDrawer
      opened
      creating={creating}
      onClose={onClose}
      title={title}
      subtitle={subtitle}
      logo={logo}
      changes={changes}
      submitLabel={submitLabel}
      submitting={form.saving}
      refused={form.refused}
      problems={[...others, ...(form.problem === undefined ? [] : [form.problem])]}
      onSubmit={form.submit}
    >
      {note !== undefined && <p className={classes.note}>{note}</p>}
      {lead}
      <FormFields fields={fields} {...common} />
      {groups.map((group) => (
        <FormGroup key={group.title} group={group} refused={form.refused} {...common} />
      ))}
      {children}
    </FormDrawer>
  );
}
