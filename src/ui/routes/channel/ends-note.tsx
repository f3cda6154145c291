/** Models of a channel that end at their vendor, each with a button that maps it to its successor. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isObject, parseJson } from '../../../core/kernel/json.ts';
import { client } from '../../client/api.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import classes from './model-field.module.css';

interface EndsNoteProps {
  readonly type: number;
  readonly models: readonly string[];
  /** The text of the channel's model mapping. */
  readonly mapping: string;
  readonly onMap: (mapping: string) => void;
}

/** The text of the mapping with one more model; undefined: it is no object. */
function withEntry(mapping: string, model: string, to: string): string | undefined {
  const known = mapping.trim() === '' ? {} : parseJson(mapping);
  return isObject(known) ? JSON.stringify({ ...known, [model]: to }, null, 2) : undefined;
}

export function EndsNote({ type, models, mapping, onMap }: EndsNoteProps) {
  const { t } = useTranslation();
  const { data: ending = [] } = useQuery({
    queryKey: [...queryKeys.pricing.all, 'ends', type, models, mapping],
    queryFn: () =>
      client.channelTypes.modelEnds({ type, models: [...models], model_mapping: mapping }),
    enabled: models.length > 0,
    placeholderData: keepPreviousData,
  });
  return ending
    .filter(({ model }) => models.includes(model))
    .map(({ model, ends, successor }) => {
      const mapped = successor === '' ? undefined : withEntry(mapping, model, successor);
      return (
        <p key={model} className={classes.ends}>
          {t('channel.form.models.ends', { model, ends })}{' '}
          {mapped !== undefined && (
            <button type="button" onClick={() => onMap(mapped)}>
              {t('channel.form.models.map', { successor })}
            </button>
          )}
        </p>
      );
    });
}
