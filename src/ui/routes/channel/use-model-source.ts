import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { CallError } from '../../../core/contract/envelope.ts';
import { client } from '../../client/api.ts';
import type { EntityForm } from '../../form/use-entity-form.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { ChannelTypeFacts } from '../../queries/use-channel-types.ts';
import type { ChannelValues } from './channel-form.ts';

/** The fields that decide how the upstream is reached. */
const access = ['key', 'type', 'base_url', 'other', 'setting'] as const;

/**
 * Reads the models of the upstream as the form describes it; a stored channel whose access is
 * unchanged uses the stored key. Undefined: this type has no such list. The function throws
 * CallError.
 */
export function useModelSource(
  channel: ChannelEntity | null,
  { before, values }: Pick<EntityForm<ChannelValues>, 'before' | 'values'>,
  facts: ChannelTypeFacts | undefined,
): (() => Promise<readonly string[]>) | undefined {
  const { t } = useTranslation();
  if (facts !== undefined && !facts.lists_models) return undefined;
  if (channel !== null && access.every((field) => values[field] === before[field]))
    return () => client.channel.fetchModels({ id: channel.id });
  if (values.key.trim() === '' && facts?.key_optional !== true)
    return () => Promise.reject(new CallError(t('channel.form.models.fetch.key'), 200));
  const { type, other, setting } = values;
  return () =>
    client.channel.previewModels({
      type,
      base_url: values.base_url.trim(),
      key: values.key.trim(),
      other,
      setting,
    });
}
