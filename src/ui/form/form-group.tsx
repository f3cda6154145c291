/** A group of fields that is folded until it is needed. */
import { Collapse } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { pathOf } from './field-paths.ts';
import type { FieldGroup } from './fields.ts';
import { FormFields, type FormFieldsProps } from './form-fields.tsx';
import classes from './form-group.module.css';

interface FormGroupProps<V extends object> extends Omit<FormFieldsProps<V>, 'fields'> {
  readonly group: FieldGroup<V>;
  /** The errors of the last refused save; another object after each. */
  readonly refused: object | undefined;
}

/**
 * Its fields are rendered only while it is open. A refused save opens it, so that no error stays
 * hidden.
 */
export function FormGroup<V extends object>({ group, refused, ...fieldProps }: FormGroupProps<V>) {
  const { title, hint, note, fields } = group;
  const [open, setOpen] = useState(false);
  const [seen, setSeen] = useState(refused);
  if (seen !== refused) {
    setSeen(refused);
    if (fields.some((field) => fieldProps.errors[pathOf(field)] !== undefined)) setOpen(true);
  }
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <>
      <button
        type="button"
        className={classes.fold}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon size={14} aria-hidden="true" />
        {title}
        <span className={classes.hint}>{hint}</span>
      </button>
      <Collapse expanded={open} transitionDuration={120}>
        <div className={classes.fields}>
          {open && note !== undefined && <p className={classes.note}>{note}</p>}
          {open && <FormFields fields={fields} {...fieldProps} />}
        </div>
      </Collapse>
    </>
  );
}
