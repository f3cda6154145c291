/**
 * The models of a channel: typed, pasted, chosen from the upstream's, or filled from what the
 * provider is known for.
 */
import { Input, TagsInput } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../client/api.ts';
import { toastProblem } from '../../client/failures.ts';
import { isTaken, tagSeparators } from '../../form/tags.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { chooseModels } from './model-checklist.tsx';
import classes from './model-field.module.css';

/**
 * As many models are drawn at first, the last of them: hundreds of tags would block the page
 * (docs/rules/channels.md#many-channels).
 */
const drawnAtFirst = 100;
/** Models without a price that are named. */
const namedUnpriced = 8;

interface ModelFieldProps {
  readonly value: readonly string[];
  readonly onChange: (models: readonly string[]) => void;
  readonly error?: string | undefined;
  readonly description?: string;
  /** Models the type is known for. */
  readonly related: readonly string[];
  /** The text of the channel's model mapping. */
  readonly mapping?: string;
  /** Reads the upstream's list; undefined where that makes no sense. */
  readonly fetchModels?: (() => Promise<readonly string[]>) | undefined;
  readonly required?: boolean;
}

export function ModelField(props: ModelFieldProps) {
  const {
    value,
    onChange,
    error,
    description,
    related,
    mapping = '',
    fetchModels,
    required = false,
  } = props;
  const { t } = useTranslation();
  const [isUnfolded, setUnfolded] = useState(false);
  const hidden = isUnfolded ? [] : value.slice(0, -drawnAtFirst);
  const drawn = value.slice(hidden.length);
  const add = (models: readonly string[]) => {
    const fresh = models.filter((model) => !value.includes(model));
    if (fresh.length === 0) return toastProblem(t('channel.form.models.exist'));
    onChange([...value, ...new Set(fresh)]);
  };
  const fetching = useMutation({
    mutationFn: async () => (fetchModels === undefined ? [] : fetchModels()),
    onSuccess: (models) =>
      chooseModels({ upstream: models, current: value, mapping, onChoose: onChange }),
  });
  const { data: unpriced = [] } = useQuery({
    queryKey: queryKeys.pricing.unpriced(value),
    queryFn: () => client.catalog.unpriced({ models: [...value] }),
    enabled: value.length > 0,
    placeholderData: keepPreviousData,
  });
  const without = unpriced.filter((model) => value.includes(model));
  const all = useMutation({
    mutationFn: async () => (await client.channel.models()).map((model) => model.id),
    onSuccess: add,
  });
  return (
    <div>
      <div className={classes.head}>
        <Input.Label component="div">
          {t('channel.form.models')}
          {required && <span className={classes.star}> *</span>}
          {value.length > 0 && <span className={classes.count}> {value.length}</span>}
        </Input.Label>
        <span className={classes.acts}>
          {fetchModels !== undefined && (
            <button type="button" disabled={fetching.isPending} onClick={() => fetching.mutate()}>
              {t('channel.form.models.fetch')}
            </button>
          )}
          {related.length > 0 && (
            <button type="button" onClick={() => add(related)}>
              {t('channel.form.models.related')}
            </button>
          )}
          <button type="button" disabled={all.isPending} onClick={() => all.mutate()}>
            {t('channel.form.models.all')}
          </button>
          {value.length > 0 && (
            <button type="button" onClick={() => onChange([])}>
              {t('channel.form.models.clear')}
            </button>
          )}
        </span>
      </div>
      {hidden.length > 0 && (
        <p className={classes.hidden}>
          {t('channel.form.models.hidden', { count: drawn.length })}{' '}
          <button type="button" onClick={() => setUnfolded(true)}>
            {t('channel.form.models.unfold')}
          </button>
        </p>
      )}
      <TagsInput
        aria-label={t('channel.form.models')}
        value={drawn}
        onChange={(models) => onChange([...hidden, ...models])}
        data={related.filter((model) => !value.includes(model))}
        splitChars={tagSeparators}
        isDuplicate={(model, others) => isTaken(model, others) || isTaken(model, hidden)}
        acceptValueOnBlur
        clearable={false}
        placeholder={t(
          value.length === 0 ? 'channel.form.models.first' : 'channel.form.models.add',
        )}
        error={error}
        description={error === undefined ? description : undefined}
        classNames={{ pillsList: classes.pills ?? '' }}
      />
      {without.length > 0 && (
        <p className={classes.unpriced}>
          {t('channel.form.models.unpriced', {
            count: without.length,
            all: value.length,
            names: without.slice(0, namedUnpriced).join(', '),
          })}
        </p>
      )}
    </div>
  );
}
