/** The field of a change of many rows. */
import { Autocomplete, NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import { fieldOfTime, timeOfField } from '../form/date-field.ts';
import { QuotaField } from '../form/quota-field.tsx';
import { useTranslation } from '../i18n/index.ts';
import type { BulkControl, BulkEntry } from './bulk.ts';

export function initialEntry(control: BulkControl | undefined): BulkEntry {
  switch (control?.kind) {
    case 'names':
      return [];
    case 'pair':
      return ['', ''];
    case 'text':
      return '';
    case 'time':
      return -1;
    default:
      return null;
  }
}

export function isComplete(control: BulkControl, entry: BulkEntry): boolean {
  if (control.kind === 'none' || control.kind === 'text') return true;
  if (control.kind === 'names') return Array.isArray(entry) && entry.length > 0;
  if (control.kind === 'pair')
    return Array.isArray(entry) && entry.every((name: string) => name.trim() !== '');
  if (control.kind === 'choice') return typeof entry === 'string';
  if (control.kind === 'grant') return Number.isSafeInteger(entry) && Number(entry) > 0;
  return Number.isSafeInteger(entry);
}

/** Heights in px: of a field with its label, and of the list that opens below it. */
const fieldHeight = 72;
const listHeight = 168;

interface BulkControlProps {
  readonly control: BulkControl;
  readonly entry: BulkEntry;
  readonly onEntry: (entry: BulkEntry) => void;
  readonly remark: string;
  readonly onRemark: (remark: string) => void;
}

export function BulkControlField({ control, entry, onEntry, remark, onRemark }: BulkControlProps) {
  const { t } = useTranslation();
  const names: readonly string[] = Array.isArray(entry) ? entry : [];
  const ofNumber = (value: number | string) => onEntry(typeof value === 'number' ? value : null);
  switch (control.kind) {
    case 'none':
      return null;
    case 'names':
      return (
        // Its list, which stays open while names are chosen, has room between field and buttons.
        <div style={{ minHeight: fieldHeight + listHeight }}>
          <TagsInput
            label={t('bulk.names')}
            description={t('bulk.names.hint')}
            // Above the field, where its open list does not lie.
            inputWrapperOrder={['label', 'description', 'input', 'error']}
            data={[...control.options]}
            value={[...names]}
            maxDropdownHeight={listHeight}
            comboboxProps={{ position: 'bottom', middlewares: { flip: false, shift: true } }}
            limit={100}
            acceptValueOnBlur
            splitChars={[',', '\n']}
            onChange={onEntry}
          />
        </div>
      );
    case 'pair':
      return ([0, 1] as const).map((place) => (
        <Autocomplete
          key={place}
          label={t(place === 0 ? 'bulk.old' : 'bulk.new')}
          data={[...control.options]}
          limit={100}
          value={names[place] ?? ''}
          onChange={(value) =>
            onEntry(place === 0 ? [value, names[1] ?? ''] : [names[0] ?? '', value])
          }
        />
      ));
    case 'number':
      return (
        <NumberInput
          label={t('bulk.value')}
          allowDecimal={false}
          value={typeof entry === 'number' ? entry : ''}
          {...(control.min !== undefined && { min: control.min })}
          onChange={ofNumber}
        />
      );
    case 'text':
      return (
        <TextInput
          label={t('bulk.value')}
          description={control.hint}
          value={typeof entry === 'string' ? entry : ''}
          onChange={(event) => onEntry(event.currentTarget.value)}
        />
      );
    case 'choice':
      return (
        <Select
          label={t('bulk.value')}
          data={[...control.options]}
          value={typeof entry === 'string' ? entry : null}
          allowDeselect={false}
          onChange={onEntry}
        />
      );
    case 'grant':
      return (
        <>
          <QuotaField
            label={t('bulk.grant.each')}
            min={1}
            value={typeof entry === 'number' ? entry : ''}
            onChange={ofNumber}
          />
          <TextInput
            label={t('bulk.remark')}
            maxLength={255}
            value={remark}
            onChange={(event) => onRemark(event.currentTarget.value)}
          />
        </>
      );
    case 'time':
      return (
        <TextInput
          type="datetime-local"
          step={1}
          label={t('bulk.value')}
          description={control.hint}
          value={fieldOfTime(typeof entry === 'number' ? entry : -1)}
          onChange={(event) => onEntry(timeOfField(event.currentTarget.value))}
        />
      );
  }
}
