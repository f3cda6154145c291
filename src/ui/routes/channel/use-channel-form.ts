/** State of the channel editor: values, what is wrong with them here and at the server, and saving. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { useEntityForm } from '../../form/use-entity-form.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import {
  type ChannelValues,
  channelInput,
  channelValues,
  checkChannel,
  endsInVersion,
  newChannelValues,
} from './channel-form.ts';
import { readServerProblem, type ServerProblem } from './server-problem.ts';
import { useProblemText } from './use-channel-labels.ts';
import { useChannelTypes } from './use-channel-types.ts';

/** The folded parts of the form, with the fields that can be wrong in them. */
const parts = {
  requests: ['param_override', 'status_code_mapping'],
  advanced: ['max_input_tokens'],
} as const;
export type FormPart = keyof typeof parts;

export function useChannelForm(channel: ChannelEntity | null, onClose: () => void) {
  const { t } = useTranslation();
  const creating = channel === null;
  const before = channel === null ? newChannelValues() : channelValues(channel);
  const types = useChannelTypes();
  const problemText = useProblemText();
  const refresh = useRefreshChannels();
  const [open, setOpen] = useState<Readonly<Record<FormPart, boolean>>>({ requests: false, advanced: false });
  const [refused, setRefused] = useState<ServerProblem>();
  const factsOf = (type: number) => types?.find((entry) => entry.type === type);

  // A problem in a folded part must not hide.
  const unfold = (fields: readonly string[], inSetting = '') => {
    const holds = (part: FormPart) => parts[part].some((field) => fields.includes(field));
    const setting = fields.includes('setting');
    setOpen((now) => ({
      requests: now.requests || holds('requests') || (setting && inSetting !== ''),
      advanced: now.advanced || holds('advanced') || (setting && inSetting === ''),
    }));
  };
  const entityForm = useEntityForm<ChannelValues, number>({
    creating,
    before,
    check: (values) => {
      const facts = factsOf(values.type);
      const needs = {
        key: facts?.key_optional !== true,
        baseUrl: facts?.available === true && facts.default_base_url === null,
        other: facts?.other_required === true,
      };
      const problems = Object.entries(checkChannel(values, creating, needs));
      return Object.fromEntries(problems.map(([field, problem]) => [field, problemText(problem)]));
    },
    warn: ({ base_url, type }) =>
      endsInVersion(base_url, factsOf(type)?.complete_url === true)
        ? {
            title: t('channel.form.baseUrl.v1.title'),
            text: t('channel.form.baseUrl.v1.text'),
            confirm: t('channel.form.baseUrl.v1.keep'),
          }
        : undefined,
    save: async (after, changed) => {
      const input = channelInput(after);
      if (channel === null) return (await client.channel.create(input)).ids.length;
      const sent = Object.fromEntries(Object.entries(input).filter(([field]) => changed.includes(field as keyof ChannelValues)));
      await client.channel.update({ ...sent, id: channel.id });
      return 1;
    },
    onSaved: async (count) => {
      await refresh();
      onClose();
      toastSuccess(creating ? t('channel.form.created', { count }) : t('channel.form.saved'));
    },
    fieldOf: (error) => readServerProblem(error)?.field,
    onWrong: (fields, error) => {
      const problem = readServerProblem(error);
      setRefused(problem);
      unfold(fields, problem?.inSetting);
    },
    onEdit: () => setRefused(undefined),
  });
  return {
    ...entityForm,
    types,
    facts: factsOf(entityForm.values.type),
    refused,
    open,
    toggle: (part: FormPart) => setOpen((now) => ({ ...now, [part]: !now[part] })),
  };
}
